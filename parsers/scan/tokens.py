"""The numbers in a line's text, whatever they mean: clocks, durations, and plain ones."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from parsers.holes import duration, moment

_TOKEN = re.compile(
    r"(?P<moment>\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d{1,6})?(?![\d:]))"
    r"|(?P<duration>(?<![\d:])\d{1,4}:\d\d:\d\d(?:\.\d{1,6})?(?![\d:]))"
    r"|(?P<number>\d{1,15}(?:\.\d{1,15})?)"
)


class Kind(NamedTuple):
    """What a token may be.

    Attributes:
        pattern: Of all tokens like one.
        trials: Two others in its place.
        read: What the reader makes of such a text, if it is what the token stands for.
    """

    pattern: Callable[[str], str]
    trials: Callable[[str], tuple[str, str]]
    read: Callable[[str], float]


def _like_moment(text: str) -> str:
    return re.sub("0", r"\\d", re.escape(re.sub(r"\d", "0", text)))


def _other_moments(text: str) -> tuple[str, str]:
    others = ("2031-07-19 14:38:51.274613", "2027-11-23 05:16:42.830957")
    one, other = (
        "".join(new if old.isdigit() else old for old, new in zip(text, trial, strict=False))
        for trial in others
    )
    return one, other


def _like_duration(text: str) -> str:
    return r"\d{1,4}:[0-5]\d:[0-5]\d" + (r"\.\d{1,6}" if "." in text else "")


def _like_number(text: str) -> str:
    whole, point, _fraction = text.partition(".")
    padded = len(whole) > 1 and whole[0] == "0"
    digits = rf"\d{{{len(whole)}}}" if padded else r"(?:0|[1-9]\d{0,14})"
    return digits + (r"\.\d{1,15}" if point else "")


def _other_numbers(text: str) -> tuple[str, str]:
    if "." in text:
        return "7351.25", "26.4375"
    padded = len(text) > 1 and text[0] == "0"
    return ("7" * len(text), "3" * len(text)) if padded else ("7351", "26")


_KINDS = {
    "moment": Kind(_like_moment, _other_moments, moment),
    "duration": Kind(
        _like_duration,
        lambda text: ("3:17:42.5", "11:28:53.25") if "." in text else ("3:17:42", "11:28:53"),
        duration,
    ),
    "number": Kind(_like_number, _other_numbers, float),
}


class Token(NamedTuple):
    """A number in a text, and what others may stand in its place.

    Attributes:
        begin: Where it begins.
        end: Where it ends.
        text: It itself.
        kind: What it may be.
    """

    begin: int
    end: int
    text: str
    kind: Kind

    def reader(self, of: object) -> Callable[[str], float]:
        """What makes a number of its type of such a text."""
        whole = self.kind.read is float and type(of) is int and "." not in self.text
        return int if whole else self.kind.read


def tokens(text: str) -> list[Token]:
    """All numbers of a text, in order."""
    return [
        Token(found.start(), found.end(), found[0], _KINDS[str(found.lastgroup)])
        for found in _TOKEN.finditer(text)
    ]
