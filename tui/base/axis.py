"""Axes of charts, which convert values to dots and have ticks at round numbers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

LARGEST = 1e300
"""The largest size of a value that is drawn; its distance from another one is still a number."""
SMALLEST = 1e-300
"""The smallest distance, and the smallest value of a logarithmic axis, that is drawn."""


def can_show(value: float | None) -> TypeGuard[float]:
    """Returns whether a chart draws a value: it is known, no nan, and not as large as an error."""
    return value is not None and abs(value) <= LARGEST


@dataclass(frozen=True, slots=True)
class Axis:
    """A linear axis: values from `low` to `high`, ticks every `step`, none above `last_tick`."""

    low: float
    high: float
    step: float
    last_tick: float = math.inf

    def ticks(self) -> list[float]:
        """Returns the multiples of the step within the axis."""
        first = math.ceil(self.low / self.step - 1e-9)
        last = math.floor(min(self.high, self.last_tick) / self.step + 1e-9)
        return [number * self.step for number in range(first, last + 1)]

    def label(self, value: float) -> str:
        """Returns a tick's label, with the decimals that the step needs."""
        if max(abs(self.low), abs(self.high)) >= 1e7 or self.step < 1e-6:
            return f"{value:.2g}"
        decimals = max(0, -math.floor(math.log10(self.step) + 1e-9))
        return f"{value:.{decimals}f}"

    def dot(self, value: float, dots: int) -> int:
        """Returns the dot of a value, of a number of dots."""
        return round((value - self.low) / (self.high - self.low) * (dots - 1))

    def shows(self, value: float) -> bool:
        """Returns whether a value is on the axis."""
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class LogAxis(Axis):
    """A logarithmic axis with ticks at 1, 2 and 5 times the powers of ten; `step` is their most."""

    def ticks(self) -> list[float]:
        """Returns ticks at 1, 2 and 5, at powers of ten, or evenly spaced: the most that fit."""
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        decades = range(first, last + 1)
        for factors in ((1, 2, 5), (1,)):
            values = [factor * 10.0**power for power in decades for factor in factors]
            labels = [value for value in values if self.shows(value)]
            if 2 <= len(labels) <= self.step:
                return labels
        span = self.high - self.low
        return Axis(self.low, self.high, nice_steps(span, max(1, int(self.step) - 1))[0]).ticks()

    def label(self, value: float) -> str:
        """Returns a tick's label of up to four digits."""
        return f"{value:.4g}"

    def dot(self, value: float, dots: int) -> int:
        """Returns the dot of a value above 0, of a number of dots."""
        whole = math.log(self.high) - math.log(self.low)
        return round((math.log(value) - math.log(self.low)) / whole * (dots - 1))


def log_axis(values: Sequence[float], rows: int) -> Axis:
    """Returns a logarithmic axis of positive values, with at most a tick on every other row."""
    if not values:
        return LogAxis(0.1, 1.0, 2)
    low, high = min(values), max(values)
    if high / low < 1.01:
        low, high = low / 1.01, high * 1.01
    return LogAxis(low, high, max(2, rows // 2))


def nice_steps(span: float, most: int) -> list[float]:
    """Returns the steps 1, 2, 5 x 10^k that cover `span` in 1 to `most` steps, smallest first."""
    power = math.floor(math.log10(span / most)) - 1
    steps = [factor * 10.0**k for k in range(power, power + 5) for factor in (1, 2, 5)]
    fitting = [step for step in steps if span / most <= step * (1 + 1e-9)]
    return [step for step in fitting if step <= span] or fitting[:1]


def nice_axis(low: float, high: float, rows: int) -> Axis:
    """Returns an axis over [low, high] whose steps are whole numbers of rows of four dots.

    It begins on a tick and ends little above the highest value, so it seldom has to change as
    points arrive, and its ticks stand at equal distances. The last tick is the first one that no
    value exceeds: an accuracy of 98 % has none at 120.
    """
    if not high - low > SMALLEST:
        pad = abs(low) * 0.05
        low, high = low - pad, high + (pad if pad > SMALLEST else 1.0)
    distance = 2 if rows >= 8 else 1
    best: Axis | None = None
    for step in nice_steps(high - low, max(1, (rows - 1) // distance)):
        start = math.floor(low / step + 1e-9) * step
        needed = max(1, math.ceil((high - start) / step - 1e-9))
        rows_a_step = (rows - 1) // needed
        if rows_a_step < min(distance, rows - 1):
            continue
        top = start + step * (4 * rows - 1) / (4 * max(1, rows_a_step))
        if best is None or top - start < best.high - best.low:
            best = Axis(start, max(top, high), step, start + needed * step)
    return best or Axis(low, high, high - low)
