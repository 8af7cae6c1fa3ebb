"""Sums without rounding, so that neither order nor blocks can show in a figure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_

from parsers.events import UNIT_BITS


class ExactSum:
    """A running sum that is exact inside and rounded once, when read (`math.fsum` semantics).

    Inside stands an integer count of the finest power of two that was needed so far.

    Attributes:
        count: Finite values added so far.
        skipped: Values that were nan or infinite, which are counted and left out.
    """

    __slots__ = ("_bits", "_total", "count", "skipped")

    def __init__(self) -> None:
        self._total = self._bits = 0
        self.count = self.skipped = 0

    def add(self, value: float) -> None:
        """Adds one value."""
        if not math.isfinite(value):
            self.skipped += 1
            return
        numerator, denominator = value.as_integer_ratio()
        self._add(numerator, denominator.bit_length() - 1)
        self.count += 1

    def add_block(self, units: int, count: int) -> None:
        """Adds `count` finite values whose exact sum is `units` times 2**-1074."""
        if units:
            even = (units & -units).bit_length() - 1
            self._add(units >> even, UNIT_BITS - even)
        self.count += count

    @staticmethod
    def columns_of(units: Sequence[int], counts: Sequence[int]) -> tuple[Sequence[int], ...]:
        """The `parts` of many sums, a column each; of one number where all are the same.

        Args:
            units: As for `add_block`.
            counts: As for `add_block`.
        """
        every = reduce(or_, units)
        even = min((every & -every).bit_length() - 1, UNIT_BITS) if every else UNIT_BITS
        return counts, (0,), (UNIT_BITS - even,), [one >> even for one in units]

    def merge(self, other: ExactSum) -> None:
        """Adds everything that `other` added."""
        self._add(other._total, other._bits)
        self.count += other.count
        self.skipped += other.skipped

    def _add(self, units: int, bits: int) -> None:
        """Adds `units` times 2**-bits; `bits` may be negative."""
        if bits > self._bits:
            self._total <<= bits - self._bits
            self._bits = bits
        self._total += units << (self._bits - bits)

    @property
    def parts(self) -> tuple[int, int, int, int]:
        """All of it in whole numbers: values, values left out, binary places, and the total."""
        return self.count, self.skipped, self._bits, self._total

    @classmethod
    def of(cls, count: int, skipped: int, bits: int, total: int) -> ExactSum:
        """The sum of these parts."""
        out = cls()
        out.count, out.skipped, out._bits, out._total = count, skipped, bits, total
        return out

    def sum(self) -> float:
        """The sum, correctly rounded; infinite where no double can hold it."""
        try:
            return self._total / (1 << self._bits)
        except OverflowError:
            return math.inf if self._total > 0 else -math.inf

    def mean(self) -> float | None:
        """The mean, correctly rounded from the exact sum; None without values."""
        if not self.count:
            return None
        try:
            return self._total / (self.count << self._bits)
        except OverflowError:
            return math.inf if self._total > 0 else -math.inf


def median(values: Iterable[float]) -> float:
    """The middle value, or the mean of the two middle ones, as `statistics.median` has it.

    That module loads fractions, decimals and random numbers: more than a small log costs.
    """
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
