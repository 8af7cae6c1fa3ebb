"""Converts the times that vendors' tools print to microseconds, independent of the locale.

Tools and logs print the machine's local clock without its zone: both are read as UTC, so that
their times match.
"""

import re
from collections.abc import Callable

from sixdim.parsers.text.clock import clock_of
from sixdim.parsers.text.patterns import pattern

_CLOCK = r"(?P<h>\d\d):(?P<m>\d\d):(?P<s>\d\d)(?:[.,](?P<f>\d{1,6})\d{0,3})?+"
_NUMBERS = pattern(
    r"(?P<Y>\d{4})(?P<mark>[-/]?+)(?P<M>\d\d)(?P=mark)(?P<D>\d\d)[ T_-]\s*+"
    + _CLOCK
    + r"(?:Z|\s?[-+]\d\d:?\d\d)?+"
)
_WORDS = pattern(
    r"(?:[A-Z][a-z]{2},?+\s++)?+(?P<mon>[A-Z][a-z]{2})\s++(?P<D>\d{1,2})\s++"
    + _CLOCK
    + r"(?:\s++(?P<p>[AP]M)(?!\w))?+(?:\s++[A-Z]{3,5})?+\s++(?P<Y>\d{4})"
)
_DAY_FIRST = pattern(
    r"(?:[A-Z][a-z]{2},?+\s++)?+(?P<D>\d{1,2})\s++(?P<mon>[A-Z][a-z]{2})\s++(?P<Y>\d{4})\s++"
    + _CLOCK
    + r"(?:\s++(?P<p>[AP]M)(?!\w))?+(?:\s++(?:[A-Z]{3,5}|[-+]\d\d(?::?\d\d)?+))?+"
)
_SHAPES = (_NUMBERS, _WORDS, _DAY_FIRST)
_CLOCKS: dict[re.Pattern[str], Callable[[re.Match[str]], int | None]] = {}
_LONGEST = 48


def time_of(text: str) -> int | None:
    """Returns microseconds since 1970 of a time as the tools print it; None for other texts.

    It reads `2026/01/03 15:36:53.507`, `2023-03-24-10:13:48`, `20240101 10:11:12`, ISO 8601,
    `Fri Jul  3 22:10:45 2026` and `Fri 03 Jul 2026 22:10:45`; the last two also with a zone's
    name or a twelve-hour clock, as `date` prints them.
    """
    stripped = text.strip() if len(text) < 4 * _LONGEST else ""
    if len(stripped) > _LONGEST:
        return None
    found = next((one for shape in _SHAPES if (one := shape.fullmatch(stripped))), None)
    if found is None:
        return None
    if found.re not in _CLOCKS:
        _CLOCKS[found.re] = clock_of(found)
    return _CLOCKS[found.re](found)


_SCALES = ((1e9, 4e9, 1e6), (1e12, 4e12, 1e3), (1e15, 4e15, 1.0), (1e18, 4e18, 1e-3))
"""Seconds, milliseconds, microseconds and nanoseconds since 1970, from 2001 to 2096."""
_EPOCH = pattern(r"\d{10,19}(?:\.\d{1,9})?+")


def moment_of(text: str) -> int | None:
    """As `time_of`, but reads a number of seconds (or a thousandth, …) since 1970, too."""
    if not _EPOCH.fullmatch(text):
        return time_of(text)
    value = float(text)
    return next((round(value * scale) for low, high, scale in _SCALES if low <= value < high), None)


_OTHER_ZONE = pattern(r"\d{4}.{4,7}\d\d:\d\d:\d\d.{0,10}?\s?(?P<zone>[-+](?!00:?00)\d\d:?\d\d)")
ZONED = "its times are of the zone {zone}: they are compared with the log's as they are printed"
UNREAD = "its times are not understood, so all its readings count, those outside training, too"
COUNTED = "its times are seconds since 1970, of UTC: the log's clock must be of UTC, too"


def zone_note(text: str) -> str:
    """Returns what to say of a time that may be of another zone than the log's; else empty."""
    if _EPOCH.fullmatch(text):
        return COUNTED if moment_of(text) is not None else ""
    found = _OTHER_ZONE.fullmatch(text.strip()) if len(text) < _LONGEST else None
    return ZONED.format(zone=found["zone"]) if found else ""
