"""Clocks that show no date, `[10:00:01] body`, or no year, `[03/11 14:25:25] body`."""

import re
from datetime import date
from typing import Any

_SECOND = 1_000_000
_DAY = 86_400 * _SECOND
_BEGIN, _LEAP_DAY, _MARCH, END = (
    (day - date(1970, 1, 1)).days * _DAY
    for day in (date(1972, 1, 1), date(1972, 2, 29), date(1972, 3, 1), date(1973, 1, 1))
)
"""`parsers.text.clock` reads times without a year as of 1972: from `_BEGIN` on, before `END`."""
_BACK = 3600 * _SECOND
"""A line may be this much older than the line before: processes do not write in order."""
_HALF_A_YEAR = 365 * _DAY // 2


class TimeOfDay:
    """Gives each line the first day on which it is at most `_BACK` older than the line before.

    The clock may pass midnight; a day without a line goes unnoticed. Hours from 24 on belong to a
    time since the start, which needs no day.
    """

    def __init__(self) -> None:
        self._last = _BEGIN
        self._expression: re.Pattern[str] | None = None
        self._places: tuple[int, ...] = ()
        self._said: tuple[str | Any, ...] = ()

    def time_us(self, found: re.Match[str]) -> int | None:
        """Returns microseconds since 1970 for the groups h, m, s and any f; None if not a time."""
        if found.re is not self._expression:
            self._expression, places = found.re, found.re.groupindex
            self._places = tuple(places[name] for name in "hmsf" if name in places)
        said = found.group(*self._places)
        if said == self._said:  # many lines share a second
            return self._last
        hours, minutes, seconds = map(int, said[:3])
        if minutes > 59 or seconds > 60:
            return None
        micros = int(f"{said[3] or 0:0<6}") if len(said) > 3 else 0
        time_us = _BEGIN + ((hours * 60 + minutes) * 60 + seconds) * _SECOND + micros
        if hours < 24 and time_us < self._last - _BACK:
            time_us += -((time_us - self._last + _BACK) // _DAY) * _DAY
        self._last, self._said = time_us, said
        return time_us


class YearlessClock:
    """Gives each line the year in which it is nearest to the line before.

    1972 is a leap year, and most others are none: 1 March follows 28 February, unless a line of the
    year is of 29 February.
    """

    def __init__(self) -> None:
        self._last = 0  # no time is near it
        self._year = 0  # that of the line before; the first line is of year 0
        self._leap_years: set[int] = set()
        self._first_in_march: bool | None = None  # whether the first line is of March or later
        self._begin = self._end = self._shift = 0  # lines in between have this shift

    def time_us(self, read_us: int) -> int:
        """Returns microseconds that differ between lines as their clocks do.

        Args:
            read_us: The clock, read as one of 1972; the time of the first line is the same.
        """
        time = read_us + self._shift
        near = -_HALF_A_YEAR < time - self._last < _HALF_A_YEAR
        if near and self._begin <= read_us < self._end:
            self._last = time
            return time
        return self._time_of_another_part(read_us)

    def _time_of_another_part(self, read_us: int) -> int:
        """As `time_us`, for a line that is in another part of a year than the line before."""
        if self._first_in_march is None:
            self._first_in_march = read_us >= _MARCH
            self._last = read_us
        time = self._in_year(self._year, read_us)
        if abs(time - self._last) > _HALF_A_YEAR:
            self._year += 1 if time < self._last else -1
            time = self._in_year(self._year, read_us)
        if _LEAP_DAY <= read_us < _MARCH:
            self._leap_years.add(self._year)
        self._begin, self._end = (0, _LEAP_DAY) if read_us < _LEAP_DAY else (_MARCH, END)
        self._last, self._shift = time, time - read_us
        return time

    def _in_year(self, year: int, read_us: int) -> int:
        days = 365 * year + sum(leap < year for leap in self._leap_years)
        days += self._first_in_march is True
        days -= read_us >= _MARCH and year not in self._leap_years
        return read_us + days * _DAY
