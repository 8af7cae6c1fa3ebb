"""One named number over a run in bounded memory, as buckets of values.

A series is held in 256 to 512 buckets of equally many values; when there are 512, each two
neighbours are merged. So the buckets depend on the order of the values alone.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from sixdim.metrics.values.series import COLUMNS, PLACES, Kind, SeriesView

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST = 512
"""Buckets of a series; even."""
_MANY = 256
"""Values from which on numpy computes a bucket: it adds neighbouring values by halves."""
_NAN = math.nan


class Place(NamedTuple):
    """The place of a value in the run; nan for what the log does not print.

    Attributes:
        step: Counted over the run.
        epoch: Label, with the share of the epoch that is done.
        seconds: Of the log's clock since its first stamp.
        line: Line number; of a reading of a device, that of the progress line before it.
    """

    step: float = _NAN
    epoch: float = _NAN
    seconds: float = _NAN
    line: float = _NAN


class Series:
    """Folds the values of one name.

    Args:
        name: The name, unique in the run.
        unit: Of its values.
        kind: What it is about.

    Attributes:
        count: Values so far.
        size: Values of a whole bucket.
    """

    def __init__(self, name: str, unit: str, kind: Kind) -> None:
        self.name = name
        self.unit = unit
        self.kind = kind
        self.count = 0
        self.size = 1
        self._pending = array("d")
        self._place = Place()
        self._version = 0
        self._shape = 0
        self._latest = _NAN
        self._view: SeriesView | None = None
        self._columns = {name: array("d") for name in COLUMNS}

    @property
    def _buckets(self) -> int:
        return len(self._columns["lows"])

    def add(self, value: float, place: Place) -> None:
        """Adds the next value."""
        self.count += 1
        self._pending.append(value)
        self._place = place
        self._latest = value
        if len(self._pending) == self.size:
            self._close()

    def extend(self, values: NDArray[np.float64], place: Callable[[int], Place]) -> None:
        """Adds the next values, at least one; `place` gives the place of a value by its index."""
        begin = 0
        while begin < len(values):
            end = min(begin + self.size - len(self._pending), len(values))
            self._pending.frombytes(values[begin:end].tobytes())
            self._place = place(end - 1)
            self.count += end - begin
            if len(self._pending) == self.size:
                self._close()
            begin = end
        self._latest = float(values[-1])

    def _close(self) -> None:
        if self._buckets == MOST:
            self._halve()
            if len(self._pending) < self.size:
                return  # the bucket has just become half of one
        bucket = (*self._place, *_summary(self._pending))
        for column, value in zip(self._columns.values(), bucket, strict=True):
            column.append(value)
        del self._pending[:]

    def _halve(self) -> None:
        """Makes one bucket of each two."""
        self._shape += 1
        self.size *= 2
        for name, column in self._columns.items():
            join = _JOINED.get(name)
            column[:] = column[1::2] if join is None else _pairwise(column, join)

    def cut(self, is_before: Callable[[Place], bool]) -> None:
        """Removes the first bucket that does not end before a place, and all after it."""
        places = map(Place, *(self._columns[name] for name in PLACES))
        self._version += self.count + 1
        after = (n for n, place in enumerate(places) if not is_before(place))
        stay = next(after, self._buckets)
        for column in self._columns.values():
            del column[stay:]
        if not is_before(self._place):
            del self._pending[:]
        self.count = stay * self.size + len(self._pending)
        self._shape += 1

    def view(self) -> SeriesView:
        """Returns the series as of now."""
        version = self._version + self.count
        held = self._view
        if held is None or (held.shape, len(held.lows)) != (self._shape, self._buckets):
            held = SeriesView(
                *(self.name, self.unit, self.kind, self.count, self._latest, version),
                self._shape,
                *(column[:] for column in self._columns.values()),
            )
        elif held.version != version:
            held = replace(held, count=self.count, latest=self._latest, version=version)
        self._view = held
        return held


def _summary(values: array[float]) -> tuple[float, float, float, float]:
    """Returns least, greatest, mean and last of 2^n values; nan where none is finite."""
    if len(values) >= _MANY:
        import numpy as np  # loaded for long logs only

        every = np.frombuffer(values)
        if np.isfinite(every).all():
            parts = every / every.size
            while parts.size > 1:
                half = parts.size // 2
                parts = parts[:half] + parts[half:]
            return float(every.min()), float(every.max()), float(parts[0]), values[-1]
    finite = [*filter(math.isfinite, values)]
    if not finite:
        return _NAN, _NAN, _NAN, _NAN
    mean = math.fsum([value / len(finite) for value in finite])
    return min(finite), max(finite), mean, finite[-1]


_JOINED: dict[str, Callable[[float, float], float]] = {
    "lows": min,
    "highs": max,
    "means": lambda one, other: (one + other) / 2,
    "lasts": lambda _, other: other,
}
"""How the values of two neighbouring buckets become that of both."""


def _pairwise(column: array[float], join: Callable[[float, float], float]) -> array[float]:
    """Joins each two neighbours; of a pair with one nan the other number stays."""
    pairs = zip(column[::2], column[1::2], strict=True)
    return array("d", [b if a != a else a if b != b else join(a, b) for a, b in pairs])
