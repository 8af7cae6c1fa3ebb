"""Rows of numbers in little memory: columns with 4 or 8 bytes a number."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import nan
from operator import eq
from typing import Any, NamedTuple, TypeAlias

PAGE = 1024
"""Rows of one page."""
Number: TypeAlias = "float | None"
_CODES = {bool: "b", int: "iq", float: "d"}
_USUAL = -(1 << 31)
_NONE = {bool: -1, int: _USUAL, float: nan}
"""Represents the usual number in an array."""


class ColumnType(NamedTuple):
    """What a column holds.

    Attributes:
        type: `bool`, `int` or `float`; the last two may be None, too, where `usual` is.
        usual: The number that most rows have. A column of usual numbers takes no memory.
    """

    type: type[float]
    usual: Number = None


class NumberTable:
    """Rows of numbers, in pages.

    Args:
        kinds: The columns by name, in the order in which a row has them.

    Attributes:
        size: How many rows there are.
        page: How many are added, or removed, at a time.
    """

    def __init__(self, kinds: Mapping[str, ColumnType]) -> None:
        self._kinds = kinds
        # Of each page, the columns with an unusual number, by name. Larger arrays would leave holes
        # in the memory when they grow.
        self._pages: list[dict[str, Sequence[Any]]] = []
        self.size = 0
        self.page = PAGE

    def add_page(self, rows: Sequence[Sequence[Number]]) -> None:
        """Adds a page of rows; a row may leave out usual numbers at its end."""
        page, longest = {}, max(map(len, rows))
        usual = [kind.usual for kind in self._kinds.values()][:longest]
        full = [row if len(row) == longest else [*row, *usual[len(row) :]] for row in rows]
        columns = zip(*full, strict=True)
        for (name, kind), numbers in zip(self._kinds.items(), columns, strict=False):
            if numbers.count(kind.usual) != len(numbers):
                page[name] = _packed(kind, numbers)
        self._pages.append(page)
        self.size += len(rows)

    def pop_page(self) -> list[dict[str, Any]]:
        """Removes the last page and returns the unusual numbers of its rows; see `unusual`."""
        rows = [self.unusual(place) for place in range(self.size - self.page, self.size)]
        self._pages.pop()
        self.size -= self.page
        return rows

    def unusual(self, place: int) -> dict[str, Any]:
        """The numbers of the row at a place, by column, without the usual ones."""
        page, place = self._pages[place // self.page], place % self.page
        row = {}
        for name, column in page.items():
            kind = self._kinds[name]
            number = _read(kind, column, column[place])
            if number is not kind.usual:
                row[name] = number
        return row

    def places_with(self, names: Collection[str]) -> Iterator[int]:
        """Places of all rows of pages that have an unusual number in one of these columns."""
        for number, page in enumerate(self._pages):
            if not page.keys().isdisjoint(names):
                yield from range(number * self.page, (number + 1) * self.page)

    def column(self, name: str) -> list[Any]:
        """The numbers of one column, in the order of the rows."""
        kind = self._kinds[name]
        found: list[Number] = []
        for page in self._pages:
            found += _read_all(kind, page[name]) if name in page else [kind.usual] * self.page
        return found


def _packed(kind: ColumnType, numbers: tuple[Number, ...]) -> Sequence[Any]:
    """The numbers of one page of a column as an array; unchanged where an array is not exact."""
    none = _NONE[kind.type]
    exact = {*map(type, numbers)} <= {kind.type, type(kind.usual)}
    # None may equal what represents the usual number; of floats that is nan, unequal to itself.
    if exact and (all(map(eq, numbers, numbers)) if kind.type is float else none not in numbers):
        held: Sequence[Any] = numbers
        if kind.usual in numbers:
            held = [none if number == kind.usual else number for number in numbers]
        for code in _CODES[kind.type]:
            try:
                return array(code, held)
            except OverflowError:  # of so many bytes
                continue
    return numbers


def _read_all(kind: ColumnType, column: Sequence[Any]) -> Sequence[Any]:
    """The numbers of one page of a column as they were added."""
    if isinstance(column, tuple) or kind.type is bool:
        return [_read(kind, column, number) for number in column]
    usual, none = kind.usual, _NONE[kind.type]
    return [usual if number != number or number == none else number for number in column]


def _read(kind: ColumnType, column: Sequence[Any], number: Any) -> Any:
    """A number of a column as it was added."""
    if isinstance(column, tuple):
        return number
    if number != number or number == _NONE[kind.type]:
        return kind.usual
    return bool(number) if kind.type is bool else number
