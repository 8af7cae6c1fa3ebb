"""Caches results for lines, such as the statements that may match, by the beginning of the line."""

from collections.abc import Callable, Iterable
from typing import TypeVar

START = 4
"""Characters of a line's beginning that choose its statements."""
DIGITS = frozenset("+-0123456789")
"""First characters of a number."""
MOST_STARTS = 4096
"""Largest number of beginnings that are remembered."""
_Result = TypeVar("_Result")
_Value = TypeVar("_Value")


class ByStart(dict[str, _Result]):
    """Results for lines, by the first characters of the line.

    Args:
        anchors: Beginnings of lines. The longest one that a line begins with decides its result; if
            there is none, the result depends on whether the line begins like a number.
        find: Finds the result for such a text, for `0` (like a number), or for an empty text.
    """

    def __init__(self, anchors: Iterable[str], find: Callable[[str], _Result]) -> None:
        self._anchors = {anchor[:START] for anchor in anchors}
        self._find = find
        self._found: dict[str, _Result] = {}

    def __missing__(self, start: str) -> _Result:
        anchor = start
        while anchor and anchor not in self._anchors:
            anchor = anchor[:-1]
        if not anchor and start[:1] in DIGITS:
            anchor = "0"
        if anchor not in self._found:
            self._found[anchor] = self._find(anchor)
        result = self._found[anchor]
        if len(self) < MOST_STARTS:
            self[start] = result
        return result


def starting(beginnings: Iterable[tuple[str, bool, _Value]], start: str) -> tuple[_Value, ...]:
    """Returns the values whose lines may begin like a given line, in their order.

    Args:
        beginnings: For each value, the first characters of its lines, and whether these begin with
            a number.
        start: The beginning of the given line.
    """
    is_number = start[:1] in DIGITS
    heads = {start[:length] for length in range(len(start) + 1)}
    return tuple(
        [
            value
            for begin, with_number, value in beginnings
            if begin in heads and with_number <= is_number
        ]
    )
