"""Axes with round ticks, whose labels have only the digits that distinguish them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_MARGIN = 0.08


def step(span: float, count: int) -> float:
    """Returns the round step with at most `count` intervals over `span`."""
    rough = span / max(count, 1)
    size = 10.0 ** math.floor(math.log10(rough))
    return next(s * size for s in _STEPS if s * size >= rough * 0.999999)


def ticks(low: float, high: float, count: int, whole: bool = False) -> list[float]:
    """Returns round values in [low, high]; only whole numbers if asked for."""
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
        return [low] if math.isfinite(low) else []
    by = step(high - low, count)
    if whole:
        by = max(1.0, math.ceil(by))
    first = math.ceil(low / by - 1e-9)
    return [n * by for n in range(first, math.floor(high / by + 1e-9) + 1)]


def written(values: Sequence[float]) -> list[str]:
    """Returns ticks as text, with the decimals that their step needs."""
    if len(values) < 2:
        return [f"{v:g}" for v in values]
    by = abs(values[1] - values[0])
    if by >= 1e6 or by < 1e-4:
        return [f"{v:.4g}" for v in values]
    decimals = next((d for d in range(6) if abs(by * 10**d - round(by * 10**d)) < 1e-6), 6)
    return [f"{v:.{decimals}f}" for v in values]


@dataclass(frozen=True, slots=True)
class Axis:
    """Maps a range of values to a range of pixels."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Returns the pixel of a value; the middle if the range has no width."""
        if self.high == self.low:
            return (self.start + self.end) / 2
        share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)


def around(values: Sequence[float]) -> tuple[float, float]:
    """Returns a range that contains all values with a margin."""
    low, high = min(values), max(values)
    pad = (high - low) * _MARGIN or abs(high) * 0.05 or 1.0
    return low - pad, high + pad
