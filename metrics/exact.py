"""Sums without rounding, so that neither order nor blocks can show in a figure."""

from __future__ import annotations

import math
from collections.abc import Iterable

from parsers.events import UNIT_BITS

_SCALE = 1 << UNIT_BITS


class ExactSum:
    """A running sum that is exact inside and rounded once, when read (`math.fsum` semantics).

    Attributes:
        count: Finite values added so far.
        skipped: Values that were nan or infinite, which are counted and left out.
    """

    __slots__ = ("_total", "count", "skipped")

    def __init__(self) -> None:
        self._total = 0
        self.count = 0
        self.skipped = 0

    def add(self, value: float) -> None:
        """Adds one value."""
        if not math.isfinite(value):
            self.skipped += 1
            return
        numerator, denominator = value.as_integer_ratio()
        self._total += numerator << (UNIT_BITS + 1 - denominator.bit_length())  # a power of two
        self.count += 1

    def add_block(self, units: int, count: int) -> None:
        """Adds `count` finite values whose exact sum is `units` times 2**-1074."""
        self._total += units
        self.count += count

    def merge(self, other: ExactSum) -> None:
        """Adds everything that `other` added."""
        self._total += other._total
        self.count += other.count
        self.skipped += other.skipped

    def sum(self) -> float:
        """The sum, correctly rounded; infinite where no double can hold it."""
        try:
            return self._total / _SCALE
        except OverflowError:
            return math.inf if self._total > 0 else -math.inf

    def mean(self) -> float | None:
        """The mean, correctly rounded from the exact sum; None without values."""
        if not self.count:
            return None
        try:
            return self._total / (self.count * _SCALE)
        except OverflowError:
            return math.inf if self._total > 0 else -math.inf


def median(values: Iterable[float]) -> float:
    """The middle value, or the mean of the two middle ones, as `statistics.median` has it.

    That module loads fractions, decimals and random numbers: more than a small log costs.
    """
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
