"""Epochs that are over as columns of numbers, without loss: some 200 bytes each."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import zip_longest
from math import nan
from operator import attrgetter, eq
from typing import Any

from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.sums.figure_sums import FigureSums
from sixdim.metrics.values.exact import expansion

_TIMES = frozenset(
    {
        *("stated", "train_time", "epoch_time", "mean_throughput", "mean_duration"),
        *("clocked_us", "clock_us", "timed", "alone"),
    }
)
"""An epoch without a number in any of these columns has no throughput."""
_SUMS = ("time", "work", "inverse", "grown")
_PARTS = 3
"""An exact sum is a few numbers; most epochs need no more than so many."""
_CODES = {bool: "b", int: "iq", float: "d"}
_USUAL: dict[str, float] = {"b": -1, "i": -(1 << 31), "q": -(1 << 31), "d": nan}
"""Represents the number that an object has by default, by the type code of an array."""
_NO_SUMS = FigureSums()


def shortened(epoch: Epoch) -> bool:
    """Shortens the exact sums of an epoch; returns whether a page can hold all of it."""
    lines = epoch.lines
    if not epoch.complete or epoch.cut or epoch.utilisation or epoch.paused or lines.buffer:
        return False
    for name in _SUMS if lines.weight else ():
        numbers = getattr(lines.sums, name)
        if len(numbers) > _PARTS:
            numbers = expansion(numbers) or numbers
            setattr(lines.sums, name, numbers)
        if len(numbers) > _PARTS:
            return False
    return True


class EpochPage:
    """The numbers of some epochs, of their line sums and of the parts of these.

    A number is an attribute that its class annotates.

    Args:
        epochs: Those that `shortened` is true of; None for one that stays an object.
    """

    def __init__(self, epochs: Sequence[Epoch | None]) -> None:
        self._size = len(epochs)
        # By the holder and the name of the attribute, where any holder has another than its class.
        self._columns: dict[tuple[str, str], Sequence[Any]] = {}
        held = [epoch or Epoch(0, 0) for epoch in epochs]
        lines = [epoch.lines for epoch in held]
        self._add_attributes("", held)
        self._add_attributes("lines", lines)
        self._add("waits", "", [True if one.waiting else None for one in lines])
        self._add("waits", "step", [one.waiting[0][0] if one.waiting else None for one in lines])
        if any(one.weight for one in lines):
            sums = [one.sums if one.weight else _NO_SUMS for one in lines]
            self._add_attributes("sums", sums)
            self._add_attributes("growth", [one.growth for one in sums])
            for name in _SUMS:
                for place, column in enumerate(zip_longest(*map(attrgetter(name), sums))):
                    self._add(name, str(place), column)

    def _add_attributes(self, holder: str, objects: Sequence[object]) -> None:
        for kind in type(objects[0]).__mro__[:-1]:
            for name in kind.__annotations__:
                column = [*map(attrgetter(name), objects)]
                self._add(holder, name, column, getattr(kind, name, None))

    def _add(
        self, holder: str, name: str, column: Sequence[Any], usual: float | None = None
    ) -> None:
        """Adds a column of numbers: as an array where one is exact."""
        kinds = {*map(type, column)} - {type(None)}
        if not kinds <= _CODES.keys() or column.count(usual) == len(column):
            return
        self._columns[holder, name] = column
        for code in _CODES[kinds.pop()] if len(kinds) == 1 else "":
            number = _USUAL[code]
            # A number may equal what represents the usual one; of floats that is nan.
            if not all(map(eq, column, column)) if code == "d" else number in column:
                return
            try:
                self._columns[holder, name] = array(
                    code, [number if one is None or one == usual else one for one in column]
                )
            except OverflowError:  # of so many bytes
                continue
            return

    def timed(self) -> bool:
        """Whether any of the epochs may have a throughput."""
        return any(name in _TIMES for _, name in self._columns)

    def column(self, name: str) -> Sequence[Any]:
        """An attribute of every epoch; None where it has its default."""
        column = self._columns.get(("", name))
        return [None] * self._size if column is None else _read(column, column)

    def __getitem__(self, place: int) -> Epoch:
        """The epoch at a place, as an object."""
        epoch, sums = Epoch(0, 0), FigureSums()
        sums.growth.steps = None
        parts: dict[str, list[float]] = {name: [] for name in _SUMS}
        holders = {"": epoch, "lines": epoch.lines, "sums": sums, "growth": sums.growth}
        for (holder, name), column in self._columns.items():
            (number,) = _read(column, column[place : place + 1])
            if number is None:
                continue
            if holder in holders:
                setattr(holders[holder], name, number)
            elif holder in parts:
                parts[holder].append(number)
            else:
                epoch.lines.waiting = [(int(number) if name else None, 0)]
        if epoch.lines.weight:
            epoch.lines.sums = sums
            for name in _SUMS:
                setattr(sums, name, parts[name])
        return epoch


def _read(column: Sequence[Any], part: Sequence[Any]) -> Sequence[float | None]:
    """A part of a column as it was added; None for the usual number."""
    if not isinstance(column, array):
        return part
    usual = _USUAL[column.typecode]
    if column.typecode == "b":
        return [None if number == usual else bool(number) for number in part]
    return [None if number != number or number == usual else number for number in part]
