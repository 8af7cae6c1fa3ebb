"""The times that vendors' tools print, as microseconds; no locale is asked.

Tools print the machine's local clock without its zone, and so do logs: both are read as UTC,
so that the two stay beside each other.
"""

from __future__ import annotations

import calendar
import datetime

from sixdim.parsers.text.patterns import pattern

_MONTHS = {
    name: number
    for number, name in enumerate(
        ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"), 1
    )
}
_CLOCK = r"(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?+"
_NUMBERS = pattern(
    r"(?P<year>\d{4})(?P<mark>[-/]?+)(?P<month>\d\d)(?P=mark)(?P<day>\d\d)[ T_-]\s*+"
    + _CLOCK
    + r"(?:Z|\s?[-+]\d\d:?\d\d)?+"
)
_WORDS = pattern(
    r"(?:[A-Z][a-z]{2},?+\s++)?+(?P<name>[A-Z][a-z]{2})\s++(?P<day>\d{1,2})\s++"
    + _CLOCK
    + r"(?:\s++(?P<half>[AP]M)(?!\w))?+(?:\s++[A-Z]{3,5})?+\s++(?P<year>\d{4})"
)
_LONGEST = 48


def time_of(text: str) -> int | None:
    """Microseconds since 1970 of a time as the tools print it; None where it is none.

    Known: `2026/01/03 15:36:53.507`, `2023-03-24-10:13:48`, `20240101 10:11:12`, ISO 8601,
    `Fri Jul  3 22:10:45 2026`, and the same with a zone's name or by the
    twelve-hour clock, as `date` prints it.
    """
    stripped = text.strip() if len(text) < 4 * _LONGEST else ""
    if len(stripped) > _LONGEST:
        return None
    found = _NUMBERS.fullmatch(stripped) or _WORDS.fullmatch(stripped)
    if found is None:
        return None
    parts = found.groupdict()
    month = _MONTHS.get(parts["name"], 0) if "name" in parts else int(parts["month"])
    hour = int(parts["hour"])
    if half := parts.get("half"):
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "PM" else 0)
    try:
        moment = datetime.datetime(
            int(parts["year"]),
            month,
            int(parts["day"]),
            hour,
            int(parts["minute"]),
            int(parts["second"]),
            tzinfo=datetime.UTC,
        )
    except ValueError:
        return None
    micros = int((parts["fraction"] or "0")[:6].ljust(6, "0"))
    return calendar.timegm(moment.timetuple()) * 1_000_000 + micros
