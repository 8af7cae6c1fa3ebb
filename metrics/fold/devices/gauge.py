"""One quantity of one device, folded reading by reading in constant memory.

Sums are exact. Intervals between readings are held as a histogram of their lengths (eight classes
to the octave), each class with its exact time and area. It gives the typical interval and the gaps
at the end, although no reading is stored.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from sixdim.metrics.values.exact import ExactSum

GAP_FACTOR = 2.5
"""An interval longer than this many typical ones is a gap: one missed reading is not yet one."""

US = 1_000_000


@dataclass(slots=True)
class _Class:
    """Intervals of about one length: how many, how long together, and their area."""

    count: int = 0
    time_us: int = 0
    area: ExactSum = field(default_factory=ExactSum)


class Weighted(NamedTuple):
    """The sums over a set of intervals without its gaps.

    Attributes:
        interval_s: Typical (median) interval in seconds; None without any.
        covered_s: Seconds inside intervals that count.
        gaps: Intervals left out because they are too long.
        gap_s: Seconds inside those.
        area: Integral of the quantity over `covered_s` (unit x seconds), trapezoidal.
    """

    interval_s: float | None = None
    covered_s: float = 0.0
    gaps: int = 0
    gap_s: float = 0.0
    area: float = 0.0

    @property
    def mean(self) -> float | None:
        """Time-weighted mean over the covered time; None where no time is covered."""
        return self.area / self.covered_s if self.covered_s > 0 else None


@dataclass(slots=True)
class Gauge:
    """The values of one quantity, and the intervals between neighbouring ones by length.

    Attributes:
        total: Exact sum and count of the values, each with weight one.
        peak: Largest value; None before the first.
    """

    total: ExactSum = field(default_factory=ExactSum)
    peak: float | None = None
    _classes: defaultdict[int, _Class] = field(default_factory=lambda: defaultdict(_Class))

    def add(self, value: float) -> None:
        """Adds one value."""
        self.total.add(value)
        if self.peak is None or value > self.peak:
            self.peak = value

    def add_interval(self, length_us: int, before: float, after: float) -> None:
        """Adds the interval between two values (trapezoid rule); `length_us` is positive."""
        shift = max(0, length_us.bit_length() - 4)
        found = self._classes[(shift << 4) + (length_us >> shift)]
        found.count += 1
        found.time_us += length_us
        found.area.add((before + after) / 2 * length_us)

    def merge(self, other: Gauge) -> None:
        """Adds everything that `other` holds."""
        self.total.merge(other.total)
        if other.peak is not None and (self.peak is None or other.peak > self.peak):
            self.peak = other.peak
        for key, more in other._classes.items():
            found = self._classes[key]
            found.count += more.count
            found.time_us += more.time_us
            found.area.merge(more.area)

    def weighted(self) -> Weighted:
        """Adds up the intervals that are no gaps.

        A gap is long compared with the median interval, which is exact to the resolution of the
        histogram, an eighth of an octave.
        """
        if not self._classes:
            return Weighted()
        typical_us = self._median_us()
        used_us = gaps = gap_us = 0
        area = ExactSum()
        for one in self._classes.values():
            if one.time_us / one.count > GAP_FACTOR * typical_us:
                gaps += one.count
                gap_us += one.time_us
            else:
                used_us += one.time_us
                area.merge(one.area)
        return Weighted(typical_us / US, used_us / US, gaps, gap_us / US, area.sum() / US)

    def _median_us(self) -> float:
        half = (sum(one.count for one in self._classes.values()) + 1) // 2
        for _, one in sorted(self._classes.items()):
            half -= one.count
            if half <= 0:
                return one.time_us / one.count
        raise AssertionError("a median lies inside its own classes")
