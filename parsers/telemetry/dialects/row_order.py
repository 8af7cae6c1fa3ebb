"""Numbers the devices of rows that name none, by the pauses between the samples."""

import itertools
from collections.abc import Iterable, Iterator, Sequence

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects.base import Notes

UNNAMED = "the rows name no device: read as readings of device 0"
ORDERED = "the rows name no device: {count} in each sample, numbered by their order"
_PROBE = 2000
"""Rows by which the number of devices is found."""
_MOST = 64
_LEAST_SAMPLES = 5
_SECOND = 1_000_000


def numbered(rows: Iterable[tuple[Reading, bool]], notes: Notes) -> Iterator[Reading]:
    """Yields readings, with a number for each device if no row names one.

    `rows` also says of each whether its time is that of a `date` above the rows of its sample.
    """
    rest = iter(rows)
    first = [*itertools.islice(rest, _PROBE)]
    dated = all(one for _, one in first)
    count = 1
    if UNNAMED in notes.texts:
        count = _rows_a_sample([one.time_us for one, _ in first], dated=dated)
    for at, (reading, _) in enumerate(itertools.chain(first, rest)):
        yield reading if count == 1 else reading._replace(device=at % count)
    if count > 1:
        notes.texts[notes.texts.index(UNNAMED)] = ORDERED.format(count=count)


def _rows_a_sample(times: Sequence[int | None], *, dated: bool) -> int:
    """Returns the number of rows of each sample; 1 where the times do not show it.

    The rows of a sample follow each other at once, and a pause comes after the last one. Rows that
    a script stamps in whole seconds do not show it: several of one second may be of one device.
    """
    known = [time for time in times if time is not None]
    if len(known) < len(times) or not (dated or any(time % _SECOND for time in known)):
        return 1
    gaps = [later - time for time, later in itertools.pairwise(known)]
    for count in range(2, min(_MOST, len(known) // _LEAST_SAMPLES) + 1):
        pauses = gaps[count - 1 :: count]
        within = sorted(gap for at, gap in enumerate(gaps, 1) if at % count)
        if 2 * within[len(within) * 9 // 10] < min(pauses):
            return count
    return 1
