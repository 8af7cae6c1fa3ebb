"""Gives recorded readings the epochs of a run, by the clocks of both."""

from bisect import bisect_right
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import NamedTuple

from sixdim.metrics.fold.epochs.step_clock import YEARLESS_US
from sixdim.metrics.fold.runs.run import Run
from sixdim.parsers.reading import RUN_GONE, Reading

NO_YEAR = 1972
"""The year of a clock that shows none; its first day is that of a clock that shows no date."""
WIDEST_ZONE_US = 14 * 3_600_000_000
"""The clocks of two time zones differ by no more, where one of them is UTC."""
CLOCK_BACK = "the log's clock goes back: which readings are of which epoch is not known"
_MANY_DAYS = "the log's clock shows no date, and the readings are of many days"
_MANY_DAYS_OF_LOG = "the readings show no date, and the log is of many days"
_NO_DATE = date(NO_YEAR, 1, 1)
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
    Readings before the first epoch or after the last one get none and do not count. If only one of
    the two clocks shows dates, the other one's day is that on which the recording covers the log.
    The times of the result are those of the log's clock.
    """
    spans = [
        _Span(e.start_us, e.end_us, e.label)
        for e in run.epochs.values()
        if e.start_us is not None and e.end_us is not None
    ]
    begins = [span.begin_us for span in spans]
    if not spans or all(reading.time_us is None for reading in readings):
        return Placed(readings)
    if begins != sorted(begins):
        return Placed(readings, "" if any(r.epoch is not None for r in readings) else CLOCK_BACK)
    run_us = begins[0], spans[-1].end_us
    moved = _on_the_logs_clock(readings, run_us)
    if moved is None:
        return Placed(readings, _MANY_DAYS if run_us[0] < YEARLESS_US else _MANY_DAYS_OF_LOG)
    out = [_stamp(reading, spans) for reading in moved]
    if any(reading.epoch is not None for reading in out):
        return Placed(out)
    recorded_us, moved_us = (
        _range([r.time_us for r in of if r.time_us is not None]) for of in (readings, out)
    )
    return Placed(out, _apart(run_us, moved_us, max(0, recorded_us[1] - moved_us[1])))


def _range(times: Sequence[int]) -> tuple[int, int]:
    return min(times), max(times)


def _on_the_logs_clock(
    readings: Sequence[Reading], run_us: tuple[int, int]
) -> Sequence[Reading] | None:
    """Returns the readings with the times of the log's clock; None if several days would do."""
    shifts: dict[bool, int] = {}
    for undated in (False, True):
        known = (reading.time_us for reading in readings if reading.time_us is not None)
        times = [time for time in known if (time < YEARLESS_US) is undated]
        shift = _shift_us(run_us, _range(times)) if times else 0
        if shift is None:
            return None
        shifts[undated] = shift
    if not any(shifts.values()):
        return readings
    return [
        one
        if one.time_us is None
        else one._replace(time_us=one.time_us - shifts[one.time_us < YEARLESS_US])
        for one in readings
    ]


def _stamp(reading: Reading, spans: Sequence[_Span]) -> Reading:
    time = reading.time_us
    if reading.epoch is not None or time is None or RUN_GONE in reading.missing:
        return reading
    begun = bisect_right(spans, time, key=lambda span: span.begin_us)
    if begun == 0 or time > spans[-1].end_us:
        return reading
    return reading._replace(epoch=spans[begun - 1].label)


def _shift_us(run: tuple[int, int], recorded: tuple[int, int]) -> int | None:
    """Returns how far the log's clock is behind the recording's in whole days.

    It is 0 if both show their year. The result is None if several days would do.
    """
    begin, first = (datetime.fromtimestamp(times[0] / 1e6, UTC).date() for times in (run, recorded))
    if _NO_DATE in (begin, first):
        if begin == _NO_DATE:
            return _days_us(run, recorded)
        days = _days_us(recorded, run)
        return None if days is None else -days
    if begin.year != NO_YEAR:
        return 0
    day = 28 if (begin.month, begin.day) == (2, 29) else begin.day
    return (date(first.year, begin.month, day) - begin.replace(day=day)).days * _DAY_US


def _days_us(undated: tuple[int, int], dated: tuple[int, int]) -> int | None:
    """Returns the whole days after which two spans of time have most in common.

    The result is None if several days would do.
    """
    first, last = ((time - undated[0]) // _DAY_US for time in dated)
    common = {
        days * _DAY_US: min(undated[1] + days * _DAY_US, dated[1])
        - max(undated[0] + days * _DAY_US, dated[0])
        for days in {first, first + 1, first + 2, last - 1, last}
    }
    *others, best = sorted(common.items(), key=lambda item: item[1])
    return None if others and 2 * others[-1][1] > best[1] > 0 else best[0]


def _apart(run: tuple[int, int], recorded: tuple[int, int], shift: int) -> str:
    """Returns the sentence that readings and epochs have no moment in common.

    `shift` leads from the log's clock to that of the two clocks which shows dates.
    """
    (begin, end), (first, last) = (
        [datetime.fromtimestamp((time + shift) / 1e6, UTC).strftime(_MOMENT) for time in pair]
        for pair in (run, recorded)
    )
    zones = max(recorded[0] - run[1], run[0] - recorded[1]) <= WIDEST_ZONE_US
    hint = "; are both clocks of one time zone?" if zones else ""
    return f"no reading ({first} to {last}) is of the run's time ({begin} to {end}){hint}"
