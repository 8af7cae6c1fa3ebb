"""The types of holes in statements: the pattern of each type, and the function for its value.

No input can make these patterns backtrack far: every quantifier is possessive or bounded.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from sixdim.parsers.text.patterns import pattern

_DAY = 86400
# Not inside a word, and not before a group of thousands: 1,234.5 is no 1.
NUMBER_END = r"(?![\w.]|,\d{3}(?!\d))"
PLAIN = r"\d++\.\d++(?![\w.,])"
GROUPED = r"\d{1,3}(?:,\d{3})++(?:\.\d++)?+"
NUMBER = r"(?:[-+]?+(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?|[-+]?(?i:nan|inf(?:inity)?))"
_NUMBER = NUMBER + NUMBER_END
UNIX = r"\d{9,10}+(?:\.\d{1,9}+)?+"
_AMOUNT = r"[-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?"
_DURATION = r"(?:\d++ days?,? )?\d++:\d\d:\d\d(?:\.\d++)?"
_MOMENT = r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d{1,9}+)?(?:[-+]\d\d:\d\d|Z)?(?![\w.:])"
_DATA = r"[kKMG]?(?:im(?:g|age)|sample|example|token|frame|word)"
_ITERATION = rf"(?!{_DATA})[A-Za-z_]{{1,20}}+"  # of no bar of data
_PACE = rf"(?:\?|\d++(?:\.\d*+)?+)(?:{_ITERATION}/s|s/{_ITERATION})(?!\w)"
_MANY = {"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9}  # iterations, as tqdm scales their unit: 1.2kit/s
_1970 = datetime(1970, 1, 1)  # for clocks without a zone: cheaper
_1970_UTC = _1970.replace(tzinfo=UTC)


def number(text: str) -> float:
    """Converts a float as logs print it: `1e-05`, `nan`, `-inf`; raises ValueError otherwise."""
    if "_" in text:  # Python reads 1_000, no log means it
        raise ValueError(text)
    value = float(text)
    if value - value != 0 and text.lstrip("+-")[:1].isdigit():
        raise ValueError(text)  # more than a double can hold
    return value


@lru_cache(maxsize=4096)  # epochs last alike
def duration(text: str) -> float:
    """Returns the seconds of `H:MM:SS[.ffffff]` or `1 day, 2:03:04` (Python's `str(timedelta)`)."""
    days, _, clock = text.rpartition(" ")
    hours, minutes, seconds = clock.split(":")
    whole = int(hours) * 3600 + int(minutes) * 60
    if days:
        whole += int(days.split()[0]) * _DAY
    return whole + float(seconds)


@lru_cache(maxsize=4096)  # bars are drawn again and again
def clock(text: str) -> float:
    """Returns the seconds of a progress bar's `MM:SS` or `H:MM:SS`; nan for `?`."""
    seconds = 0
    for part in text.split(":"):
        if part == "?":
            return float("nan")
        seconds = seconds * 60 + int(part)
    return float(seconds)


@lru_cache(maxsize=4096)
def pace(text: str) -> float:
    """Returns the seconds/iteration of a bar's `1.48it/s` or `8.57s/it`; nan for `?`."""
    figure = text.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/_")
    if figure == "?":
        return float("nan")
    if not text.endswith("/s"):
        return float(figure)
    unit = text[len(figure) :]
    rate = float(figure) * (_MANY.get(unit[0], 1) if unit[1:].startswith("it") else 1)
    return 1 / rate if rate else float("nan")


def count(text: str) -> int:
    """Converts a whole number with or without thousands separators: `17,000`."""
    return int(text.replace(",", ""))


def moment(text: str) -> int:
    """Returns microseconds since 1970 of `2023-08-04 05:44:28.668484`; UTC if it has no zone.

    Raises:
        ValueError: There is no such day or time.
    """
    read = datetime.fromisoformat(text.replace(",", "."))
    passed = read - (_1970 if read.tzinfo is None else _1970_UTC)
    return (passed.days * _DAY + passed.seconds) * 1_000_000 + passed.microseconds


def stamp(text: str) -> int:
    """Returns microseconds since 1970 of `26/03/01-12:00:00`, with a year of this century.

    Raises:
        ValueError: There is no such day or time.
    """
    date, _, time = text.partition("-")
    return moment(f"20{date.replace('/', '-')} {time}")


def unix_time(text: str) -> int:
    """Returns microseconds from decimal seconds since 1970; further digits are cut off."""
    if text.isdecimal():
        return int(text) * 1_000_000
    whole, _, fraction = text.partition(".")
    return int(whole) * 1_000_000 + int(fraction.ljust(6, "0")[:6])


HOLES: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "int": (r"[-+]?+\d{1,18}+" + NUMBER_END, int),
    "count": (r"\d{1,18}+(?:,\d{3}){0,6}+(?![\w.])", count),
    "float": (_NUMBER, number),
    "amount": (_AMOUNT, number),
    "duration": (_DURATION, duration),
    "clock": (r"(?:\?|\d{1,6}+:\d\d(?::\d\d)?+)", clock),
    "pace": (_PACE, pace),
    "moment": (_MOMENT, moment),
    "stamp": (r"\d\d/\d\d/\d\d-\d\d:\d\d:\d\d(?![\d:])", stamp),
    "unix": (r"\d{9,11}+(?:\.\d{1,9}+)?(?![\w.])", unix_time),
    "word": (r"[^\s,;|\])}]++", str),
    "measure": (r"\d[^\s,;|\])}]*+", str),
    "text": (r".*+", str.strip),
    "until": (r".*", str.strip),
}
BEFORE_NUMBER = pattern(r"(?<![ \t])[ \t]++(?=[-+.\d]|(?i:nan|inf|none)\b)")
