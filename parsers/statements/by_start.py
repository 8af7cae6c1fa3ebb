"""Remembers results for lines, such as the statements that may fit, by how they begin."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import TypeVar

START = 4
"""Characters of a line's beginning that choose its statements."""
DIGITS = frozenset("+-0123456789")
"""First characters of a number."""
MOST_STARTS = 4096
"""Largest number of beginnings that are remembered."""
_Found = TypeVar("_Found")
_One = TypeVar("_One")


class ByStart(dict[str, _Found]):
    """Results for lines, by their first characters.

    Args:
        anchors: Beginnings of lines. The longest one that a line begins with decides its result; if
            there is none, the result depends on whether the line begins like a number.
        find: Finds the result for such a text, for `0` (like a number), or for an empty text.
    """

    def __init__(self, anchors: Iterable[str], find: Callable[[str], _Found]) -> None:
        self._anchors = {anchor[:START] for anchor in anchors}
        self._find = cache(find)

    def __missing__(self, start: str) -> _Found:
        lengths = range(len(start), 0, -1)
        known = (start[:length] for length in lengths if start[:length] in self._anchors)
        found = self._find(next(known, "0" if start[:1] in DIGITS else ""))
        if len(self) < MOST_STARTS:
            self[start] = found
        return found


def starting(beginnings: Iterable[tuple[str, bool, _One]], start: str) -> tuple[_One, ...]:
    """Returns those that may fit a line that begins so, in their order.

    Args:
        beginnings: The first characters of fitting lines, and whether they begin with a number.
        start: The beginning of the line.
    """
    number = start[:1] in DIGITS
    return tuple([one for begin, of, one in beginnings if start.startswith(begin) and of <= number])
