"""A clock without a date in front of lines: `[10:00:01] body`."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

_SECOND = 1_000_000
_DAY = 86_400 * _SECOND
_BEGIN = (date(1972, 1, 1) - date(1970, 1, 1)).days * _DAY
"""The first day is read as one of 1972, as all clocks without a year (`parsers.text.clock`)."""
_BACK = 3600 * _SECOND
"""A line may be this much older than the line before: processes do not write in order."""


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
