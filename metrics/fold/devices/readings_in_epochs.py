"""Gives recorded readings the epochs of a run, by the clocks of both."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import NamedTuple

from sixdim.metrics.fold.runs.run import Run
from sixdim.parsers.reading import RUN_GONE, Reading

NO_YEAR = 1972
"""The year of a clock that shows none; its first day is that of a clock that shows no date."""
WIDEST_ZONE_US = 14 * 3_600_000_000
"""The clocks of two time zones differ by no more, where one of them is UTC."""
CLOCK_BACK = "the log's clock goes back: which readings are of which epoch is not known"
_DAY_US = 86_400_000_000
_MOMENT = "%Y-%m-%d %H:%M:%S"


class Placed(NamedTuple):
    """Readings beside a run.

    Attributes:
        readings: The readings; those made during an epoch carry its label.
        apart: Why none of them was made during the run; empty if some were, or if nothing
            says when they or the epochs were.
    """

    readings: Sequence[Reading]
    apart: str = ""


class _Span(NamedTuple):
    begin_us: int
    end_us: int
    label: int


def placed(readings: Sequence[Reading], run: Run) -> Placed:
    """Sets the epoch of readings that have only a time, by the log's clock.

    A log and a recording of one machine print the same local clock, and both are read as UTC.
    Readings before the first epoch or after the last one get none and do not count. A log whose
    clock shows no date is of the day on which the recording covers it.
    """
    spans = [
        _Span(e.start_us, e.end_us, e.label)
        for e in run.epochs.values()
        if e.start_us is not None and e.end_us is not None
    ]
    times = [r.time_us for r in readings if r.time_us is not None]
    begins = [span.begin_us for span in spans]
    if not spans or not times:
        return Placed(readings)
    if begins != sorted(begins):
        return Placed(readings, "" if any(r.epoch is not None for r in readings) else CLOCK_BACK)
    run_us, recorded_us = (begins[0], spans[-1].end_us), (min(times), max(times))
    shift = _shift_us(run_us, recorded_us)
    if shift is None:
        return Placed(readings, "the log's clock shows no date, and the readings are of many days")
    out = [_stamp(reading, spans, shift) for reading in readings]
    if any(reading.epoch is not None for reading in out):
        return Placed(out)
    return Placed(out, _apart((run_us[0] + shift, run_us[1] + shift), recorded_us))


def _stamp(reading: Reading, spans: Sequence[_Span], shift: int) -> Reading:
    if reading.epoch is not None or reading.time_us is None or RUN_GONE in reading.missing:
        return reading
    time = reading.time_us - shift
    begun = bisect_right(spans, time, key=lambda span: span.begin_us)
    if begun == 0 or time > spans[-1].end_us:
        return reading
    return reading._replace(epoch=spans[begun - 1].label)


def _shift_us(run: tuple[int, int], recorded: tuple[int, int]) -> int | None:
    """Returns how far the log's clock is behind the recording's in whole days.

    It is 0 for a clock that shows its year. The result is None if several days would do.
    """
    begin = datetime.fromtimestamp(run[0] / 1e6, UTC).date()
    if begin.year != NO_YEAR:
        return 0
    if (begin.month, begin.day) != (1, 1):
        year = datetime.fromtimestamp(recorded[0] / 1e6, UTC).year
        day = 28 if (begin.month, begin.day) == (2, 29) else begin.day
        return (date(year, begin.month, day) - begin.replace(day=day)).days * _DAY_US
    first, last = ((time - run[0]) // _DAY_US for time in recorded)
    common = {
        days * _DAY_US: min(run[1] + days * _DAY_US, recorded[1])
        - max(run[0] + days * _DAY_US, recorded[0])
        for days in {first, first + 1, first + 2, last - 1, last}
    }
    *others, best = sorted(common.items(), key=lambda item: item[1])
    return None if others and 2 * others[-1][1] > best[1] > 0 else best[0]


def _apart(run: tuple[int, int], recorded: tuple[int, int]) -> str:
    """Returns the sentence that readings and epochs have no moment in common."""
    (begin, end), (first, last) = (
        [datetime.fromtimestamp(time / 1e6, UTC).strftime(_MOMENT) for time in pair]
        for pair in (run, recorded)
    )
    zones = max(recorded[0] - run[1], run[0] - recorded[1]) <= WIDEST_ZONE_US
    hint = "; are both clocks of one time zone?" if zones else ""
    return f"no reading ({first} to {last}) is of the run's time ({begin} to {end}){hint}"
