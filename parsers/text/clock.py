"""The clock that a text shows, as microseconds since 1970."""

import re
from collections.abc import Callable, Mapping
from datetime import date

_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTHS = {name: month for month, name in enumerate(_NAMES, 1)}
_MICROS = (0, 100_000, 10_000, 1000, 100, 10, 1)
"""Microseconds of a unit of a fraction's last digit, by the number of its digits."""
_MINUTES_US = {f"{number:02}": number * 60_000_000 for number in range(60)}
_SECONDS_US = {f"{number:02}": number * 1_000_000 for number in range(61)}
"""Microseconds of the digits of minutes and seconds (with a leap second), without `int`."""
_DAY_ONE = date(1970, 1, 1).toordinal()


def seconds_between(begin_us: int | None, end_us: int | None) -> float | None:
    """Returns the seconds between two clocks in microseconds; None if one is unknown."""
    return None if begin_us is None or end_us is None else (end_us - begin_us) / 1_000_000


def clock_of(found: re.Match[str]) -> Callable[[re.Match[str]], int | None]:
    """Makes the function that reads the clock of a match of this expression.

    Args:
        found: A match with groups h, m, s, and any of Y (two digits are years of this century),
            M, mon (a month's name), D and f (six digits at most). A clock without a year is read
            as one of 1972, a leap year (see `parsers.text.partial_clocks`). z, a zone, is
            subtracted; p says which half of the day (`AM`, `PM`).

    Returns:
        A function that returns microseconds since 1970; None if there is no such day or time.
    """
    places = found.re.groupindex
    names = tuple(name for name in ("Y", "M", "mon", "D", "h", "z", "p") if name in places)
    hours = (*(places[name] for name in names), places["h"])  # two at least
    minute, second, fraction = places["m"], places["s"], places.get("f", 0)
    after_minute = tuple(place for place in hours if place > minute)
    latest: tuple[object, int | None] = None, None  # one tuple: threads read and set it at once

    def clock(match: re.Match[str]) -> int | None:
        nonlocal latest
        printed_hour: object = match.string[match.start() : match.start(minute)]
        if after_minute:
            printed_hour = printed_hour, match.group(*after_minute)
        minutes, seconds, parts = match.group(minute, second, fraction)
        known, hour = latest
        if printed_hour != known:  # many lines share an hour
            hour = _hour_us(dict(zip(names, match.group(*hours), strict=False)))
            latest = printed_hour, hour
        if hour is None or minutes not in _MINUTES_US or seconds not in _SECONDS_US:
            return None
        micros = int(parts) * _MICROS[len(parts)] if fraction and parts else 0
        return hour + _MINUTES_US[minutes] + _SECONDS_US[seconds] + micros

    return clock


def _hour_us(texts: Mapping[str, str | None]) -> int | None:
    name, year, month, day = (texts.get(name) for name in ("mon", "Y", "M", "D"))
    months = _MONTHS.get(name, 0) if name else int(month or 1)
    hours, half = int(texts["h"] or 0), texts.get("p")
    if hours >= (13 if half else 24):
        return None
    if half:
        hours = hours % 12 + (12 if half == "PM" else 0)
    years = int(year or 1972) + (2000 if year and len(year) == 2 else 0)
    try:
        since = date(years, months, int(day or 1)).toordinal() - _DAY_ONE
    except ValueError:
        return None
    return ((since * 24 + hours) * 60 - _minutes_east(texts.get("z"))) * 60_000_000


def _minutes_east(zone: str | None) -> int:
    """Returns how far the clocks of a zone (`+08:00`, `-0330`) are ahead of UTC, in minutes."""
    if not zone:
        return 0
    minutes = int(zone[1:3]) * 60 + int(zone[-2:])
    return -minutes if zone[0] == "-" else minutes
