"""Rows of numbers in little memory: a column each, with 4 or 8 bytes a number."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from math import nan
from typing import Any, NamedTuple, TypeAlias

Number: TypeAlias = "float | None"
_CODES = {bool: "b", int: "i", float: "d"}
_USUAL = -(1 << 31)
_NONE = {bool: -1, int: _USUAL, float: nan}
"""What stands for the usual number in a column."""
_BEYOND = 1 << 63
_PAGE = 1024


class Kind(NamedTuple):
    """What a column holds.

    Attributes:
        type: `bool`, `int` or `float`; the last two may be None, too, where `usual` is.
        usual: What most rows have. A column in which all do takes no memory.
    """

    type: type[float]
    usual: Number = None


class NumberTable:
    """Rows of numbers.

    Args:
        kinds: The columns by name, in the order in which a row has them.

    Attributes:
        size: How many rows there are.
    """

    def __init__(self, kinds: Mapping[str, Kind]) -> None:
        self._kinds = kinds
        # Of so many rows each; by name, the columns that have an unusual number there. Larger
        # arrays leave holes in the memory when they grow.
        self._pages: list[dict[str, array[float]]] = []
        self.size = 0

    def add(self, row: Sequence[Number]) -> bool:
        """Adds a row; returns False, and adds none, where a number of it cannot be held exactly."""
        for kind, number in zip(self._kinds.values(), row, strict=True):
            if number != kind.usual and not _fits(kind.type, number):
                return False
        place = self.size % _PAGE
        if not place:
            self._pages.append({})
        page = self._pages[-1]
        for (name, kind), number in zip(self._kinds.items(), row, strict=True):
            if number is None or number == kind.usual:
                if name in page:
                    page[name].append(_NONE[kind.type])
                continue
            if name not in page:
                page[name] = array(_CODES[kind.type], [_NONE[kind.type]]) * place
            try:
                page[name].append(number)
            except OverflowError:  # of 4 bytes
                page[name] = array("q", [*page[name], number])
        self.size += 1
        return True

    def add_usual(self) -> None:
        """Adds a row of the usual numbers."""
        self.add([kind.usual for kind in self._kinds.values()])

    def row(self, place: int) -> list[Any]:
        """The row at a place, from 0."""
        page, place = self._pages[place // _PAGE], place % _PAGE
        row: list[Any] = []
        for name, (kind, usual) in self._kinds.items():
            number = page[name][place] if name in page else usual
            none = number != number if kind is float else number == _NONE[kind]
            row.append(usual if none else bool(number) if kind is bool else number)
        return row

    def column(self, name: str) -> list[Any]:
        """The numbers of one column, in the order of the rows."""
        kind = self._kinds[name]
        found: list[Number] = []
        for page in self._pages:
            found += _read(kind, page[name]) if name in page else [kind.usual] * _PAGE
        return found[: self.size]

    def cut(self, size: int) -> None:
        """Removes the rows behind the first so many."""
        self.size = min(self.size, size)
        del self._pages[-(-self.size // _PAGE) :]
        for numbers in self._pages[-1].values() if self.size % _PAGE else ():
            del numbers[self.size % _PAGE :]


def _read(kind: Kind, numbers: array[float]) -> list[Number]:
    if kind.type is float:
        return [number if number == number else kind.usual for number in numbers]
    none, to = _NONE[kind.type], kind.type
    return [kind.usual if number == none else to(number) for number in numbers]


def _fits(wanted: type[float], number: Number) -> bool:
    if type(number) is not wanted:
        return False
    if wanted is float:
        return number == number
    return number != _USUAL and -_BEYOND < number < _BEYOND
