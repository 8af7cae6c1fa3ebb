"""Learning curves: families of functions that flatten, fitted to the evaluations so far.

y = a + b g(x), with g a power x^-c or an exponential e^(-x/t); a and b by weighted least squares,
later evaluations weighing more. Families: Viering and Loog, "The Shape of Learning Curves: A
Review" (2022), section 3; their mixture by likelihood follows Domhan et al., "Speeding up
Automatic Hyperparameter Optimization by Extrapolation of Learning Curves" (IJCAI 2015).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

Points: TypeAlias = Sequence[tuple[float, float]]
"""Epoch (ascending) and value, higher being better."""

POWERS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
DECAYS = (0.1, 0.2, 0.35, 0.6, 1.0, 2.0, 4.0)
"""Decay times of the exponentials, in shares of the epochs so far."""
EFFECTIVE = 12
"""Evaluations that a likelihood rests on at most: neighbours are not independent."""
_TINY = 1e-12


class Curve(NamedTuple):
    """One fitted member of a family.

    Attributes:
        asymptote: What it tends to.
        slope: Factor of the falling part; negative for a curve that rises.
        squares: Weighted sum of squared residuals.
        inverse: x at which the falling part has a value.
    """

    asymptote: float
    slope: float
    squares: float
    inverse: Callable[[float], float]

    def reaches(self, goal: float) -> float:
        """X at which it meets the goal; infinite where it never does."""
        if self.slope >= 0:
            return math.inf
        part = (goal - self.asymptote) / self.slope
        try:
            return self.inverse(part) if part > 0 else math.inf
        except OverflowError:
            return math.inf


def crossing(points: Points, goal: float) -> float | None:
    """Epochs from the last evaluation until the curves meet the goal; None where half never do.

    It is the weighted median of the curves; noise lets the first evaluation that meets a goal come
    before the curve does, so the goal is taken lower by the least residual.
    """
    begin = points[0][0] - 1
    curves = [*_fitted([x - begin for x, _ in points], [y for _, y in points])]
    if not curves:
        return None
    least = min(curve.squares for curve in curves)
    goal -= math.sqrt(least / _total_weight(len(points)))
    now = points[-1][0] - begin
    power = min(len(points), EFFECTIVE) / 2
    reached = sorted(
        (max(curve.reaches(goal), now + 1), ((least + _TINY) / (curve.squares + _TINY)) ** power)
        for curve in curves
    )
    half = math.fsum(weight for _, weight in reached) / 2
    for x, weight in reached:
        half -= weight
        if half <= 0:
            return None if x == math.inf else x - now
    return None


def _total_weight(count: int) -> float:
    return (count + 1) / 2


def _fitted(xs: Sequence[float], ys: Sequence[float]) -> Iterator[Curve]:
    """Every member of the families, fitted."""
    for falling, inverse in _shapes(xs):
        weights = [(number + 1) / len(xs) for number in range(len(xs))]
        total = _total_weight(len(xs))
        mean_g = math.fsum(map(math.prod, zip(weights, falling, strict=True))) / total
        mean_y = math.fsum(map(math.prod, zip(weights, ys, strict=True))) / total
        rows = [*zip(weights, falling, ys, strict=True)]
        spread = math.fsum(w * (g - mean_g) ** 2 for w, g, _ in rows)
        if spread <= 0:
            continue
        slope = math.fsum(w * (g - mean_g) * (y - mean_y) for w, g, y in rows) / spread
        asymptote = mean_y - slope * mean_g
        squares = math.fsum(w * (y - asymptote - slope * g) ** 2 for w, g, y in rows)
        yield Curve(asymptote, slope, squares, inverse)


def _shapes(xs: Sequence[float]) -> Iterator[tuple[list[float], Callable[[float], float]]]:
    """The falling part at each x, and its inverse."""
    for c in POWERS:
        yield [x**-c for x in xs], lambda g, c=c: g ** (-1 / c)  # type: ignore[misc]  # bound now
    for share in DECAYS:
        t = share * xs[-1]
        yield [math.exp(-x / t) for x in xs], lambda g, t=t: -t * math.log(g)  # type: ignore[misc]
