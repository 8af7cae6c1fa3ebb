"""Columns of numbers, packed together: what is kept of epochs and evaluations of long ago.

A log of a gigabyte may hold tens of thousands, and as an object each takes a kilobyte; in a page
it takes some fifty bytes. Who reads them goes page by page, so that few exist at a time.
"""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, repeat
from operator import sub
from typing import Any

KEPT = 256
"""Epochs, and evaluations, that are kept as they are, and as many more until they fill a page."""
OPEN = 32
"""Pages that may be open at a time: of logs that go back, few go back further than that."""
_SIMPLE = 2
"""The form of `marshal` that takes every number as it is, and compares none with another."""
_NONE = (None,)


def portions(
    columns: Sequence[Sequence[Any]], count: int
) -> Iterator[tuple[list[Sequence[Any]], int]]:
    """Columns cut into what a page holds, and how many numbers a column then has.

    Args:
        columns: One number where all are the same.
        count: How many numbers a column has.
    """
    for begin in range(0, count, KEPT):
        part = slice(begin, begin + KEPT)
        yield [c[part] if len(c) > 1 else c for c in columns], min(count - begin, KEPT)


class Loose:
    """Columns as they come, some numbers of each at a time, until they are enough for a page.

    Attributes:
        count: How many numbers a column has.
    """

    def __init__(self) -> None:
        self.count = 0
        self._parts: list[tuple[list[Sequence[Any]], int]] = []

    def add(self, columns: Iterable[Sequence[Any]], count: int) -> None:
        """Adds so many numbers to every column.

        Args:
            columns: One number where all are the same.
            count: How many numbers a column has.
        """
        self._parts.append(([*columns], count))
        self.count += count

    def columns(self) -> list[Sequence[Any]]:
        """The columns, those of one number at their full length."""
        return [*map(self.reals, range(len(self._parts[0][0])))]

    def reals(self, place: int) -> Sequence[Any]:
        """As `Page.reals`."""
        return [*chain.from_iterable(_whole(part[place], count) for part, count in self._parts)]

    def packed(self) -> Page:
        """A page of them."""
        return Page([self._column(place) for place in range(len(self._parts[0][0]))], self.count)

    def _column(self, place: int) -> Sequence[Any]:
        parts = [part[place] for part, _count in self._parts]
        first = parts[0][0]
        alike = all(len(part) == 1 and _same(part[0], first) for part in parts)
        return parts[0] if alike else self.reals(place)


def _same(one: Any, other: Any) -> bool:
    """Whether both are None, or the same whole number: 0.0 equals -0.0, 1 equals True."""
    return one is other is None or (type(one) is type(other) is int and one == other)


def _whole(column: Sequence[Any], count: int) -> Iterable[Any]:
    return repeat(column[0], count) if len(column) < count else column


class Page:
    """Columns of numbers (or none), which come back as they were, to the bit and to the type.

    Args:
        columns: One number where all are the same.
        count: How many numbers a column has.
    """

    __slots__ = ("_reals", "_rest", "count")

    def __init__(self, columns: Iterable[Sequence[Any]], count: int) -> None:
        from zlib import compress  # most logs fill no page

        self.count = count
        self._reals: dict[int, array[float]] = {}
        rest: list[tuple[bool, Sequence[Any]]] = []
        for place, column in enumerate(columns):
            kinds = {*map(type, column)}
            if kinds == {float}:
                self._reals[place] = array("d", column)
            elif kinds == {int}:
                rest.append((True, _steps(column)))
            else:
                rest.append((False, _NONE if kinds == {type(None)} else tuple(column)))
        self._rest = compress(marshal.dumps(rest, _SIMPLE), 1)

    def columns(self) -> list[Iterable[Any]]:
        """The columns, to be read once."""
        from zlib import decompress

        rest = marshal.loads(decompress(self._rest))
        columns = [self._column(*column) for column in rest]
        for place, column in self._reals.items():
            columns.insert(place, column)
        return columns

    def reals(self, place: int) -> Sequence[float]:
        """A column that may be of one kind of numbers, without the others where it is."""
        known = self._reals.get(place)
        return tuple(self.columns()[place]) if known is None else known

    def _column(self, stepped: bool, numbers: tuple[Any, ...]) -> Iterable[Any]:
        if len(numbers) < self.count:
            return repeat(numbers[0], self.count)
        return accumulate(numbers) if stepped else numbers


def _steps(column: Sequence[int]) -> tuple[int, ...]:
    """Whole numbers by the steps between them, which are small and much alike."""
    return (column[0], *map(sub, column[1:], column))
