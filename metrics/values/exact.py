"""Exact sums, so that the order of the values does not change a figure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from decimal import Decimal

_Number = TypeVar("_Number", float, "Decimal")


class ExactSum:
    """A running sum that is exact inside and rounded once, when read (`math.fsum` semantics).

    The total is an integer count of the finest power of two that was needed so far.

    Attributes:
        count: Finite values added so far; those that are nan or infinite are left out.
    """

    __slots__ = ("_bits", "_total", "count")

    def __init__(self) -> None:
        self._total = self._bits = 0
        self.count = 0

    def add(self, value: float) -> None:
        """Adds one value."""
        if math.isfinite(value):
            self._add_float(value)
            self.count += 1

    def extend(self, values: Sequence[float]) -> None:
        """Adds many values, much faster than one by one."""
        parts = expansion(values)
        if parts is None:
            for value in values:
                self.add(value)
            return
        for part in parts:
            self._add_float(part)
        self.count += len(values)

    def merge(self, other: ExactSum) -> None:
        """Adds everything that was added to `other`."""
        self._add(other._total, other._bits)
        self.count += other.count

    def _add_float(self, value: float) -> None:
        numerator, denominator = value.as_integer_ratio()
        self._add(numerator, denominator.bit_length() - 1)

    def _add(self, units: int, bits: int) -> None:
        """Adds `units` times 2**-bits."""
        if bits > self._bits:
            self._total <<= bits - self._bits
            self._bits = bits
        self._total += units << (self._bits - bits)

    def sum(self) -> float:
        """Returns the sum, correctly rounded; infinite where no double can hold it."""
        return _ratio(self._total, 1 << self._bits)

    def mean(self) -> float | None:
        """Returns the mean, correctly rounded from the exact sum; None without values."""
        return _ratio(self._total, self.count << self._bits) if self.count else None


def _ratio(total: int, divisor: int) -> float:
    try:
        return total / divisor
    except OverflowError:
        return math.inf if total > 0 else -math.inf


def expansion(values: Sequence[float]) -> list[float] | None:
    """Returns two or three doubles whose exact sum is that of all values.

    Each is the correctly rounded sum of what the ones before it left. Returns None where a value
    is nan or infinite, or where a sum on the way leaves the range of a double.
    """
    rest = [*values]
    parts: list[float] = []
    try:
        while part := math.fsum(rest):
            if not math.isfinite(part):
                return None
            parts.append(part)
            rest.append(-part)
    except (OverflowError, ValueError):
        return None
    return parts


_FEW = 12
_LARGE = 1e300


def extended(parts: Sequence[float], values: Sequence[float]) -> Sequence[float]:
    """Returns a few numbers whose exact sum is that of the given parts and of further values.

    Values that make a double overflow are left out.
    """
    every = [*parts, *values]
    if not every or (len(every) <= _FEW and max(every) < _LARGE):
        return every
    return expansion(every) or parts


def median(values: Iterable[_Number]) -> _Number:
    """Returns the middle value, or the mean of the two middle ones, as `statistics.median`.

    That module loads fractions, decimals and random numbers: more than a small log costs.
    """
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
