"""Maps values to pixels, and gives an axis its ticks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sixdim.tui.base.axis import Axis, nice_steps

_MARGIN = 0.08


@dataclass(frozen=True, slots=True)
class Pixels:
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

    def ticks(self, most: int, *, whole: bool = False) -> list[tuple[float, str]]:
        """Returns (pixel, label) of round values, about `most` of them; whole numbers if asked."""
        if self.high <= self.low:
            return [(self.at(self.low), f"{self.low:g}")]
        step = nice_steps(self.high - self.low, most)[0]
        axis = Axis(self.low, self.high, max(1.0, step) if whole else step)
        return [(self.at(value), axis.label(value)) for value in axis.ticks()]


def around(values: Sequence[float]) -> tuple[float, float]:
    """Returns a range that contains all values with a margin."""
    low, high = min(values), max(values)
    pad = (high - low) * _MARGIN or abs(high) * 0.05 or 1.0
    return low - pad, high + pad
