"""Chance that is the same everywhere: one seed gives the same bytes on every Python.

Only `random()` keeps its sequence across Python versions, and only + - * / and sqrt are
correctly rounded on every machine; so nothing here or in the writers uses another method of
`random.Random`, a logarithm, an exponential, a power, or the built-in `sum` of floats (Python
3.12 changed its rounding; `math.fsum` is exact).
"""

from __future__ import annotations

import math
import random
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise


class Noise:
    """A seeded source of scatter."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def between(self, low: float, high: float) -> float:
        """A value of [low, high), all alike."""
        return low + (high - low) * self._random.random()

    def bell(self, centre: float, deviation: float) -> float:
        """A value around `centre`, never further off than 2 sqrt(3) standard deviations."""
        four = [self._random.random() for _ in range(4)]
        return centre + deviation * math.sqrt(3.0) * (math.fsum(four) - 2.0)

    def chance(self, share: float) -> bool:
        """True in `share` of all calls."""
        return self._random.random() < share

    def order(self, count: int) -> list[int]:
        """The numbers 0 … count-1 in a chance order."""
        keys = [self._random.random() for _ in range(count)]
        return sorted(range(count), key=keys.__getitem__)

    def shares(self, total: int, count: int, deviation: float) -> list[int]:
        """Whole numbers scattered around `total / count` whose sum is exactly `total`."""
        drawn = [self.bell(0.0, deviation) for _ in range(count)]
        lean = math.fsum(drawn) / count
        edges = [0]
        reached = 0.0
        for step, value in enumerate(drawn, start=1):
            reached += value - lean
            edges.append(round(total * step / count + reached))
        edges[-1] = total
        return [after - before for before, after in pairwise(edges)]


def along(curve: Sequence[tuple[float, float]], x: float) -> float:
    """The height of a polyline at `x`; level beyond its ends.

    Args:
        curve: Points (x, y) with rising x.
        x: Where to read it.
    """
    right = bisect_right(curve, (x, math.inf))
    if right == 0:
        return curve[0][1]
    if right == len(curve):
        return curve[-1][1]
    (x0, y0), (x1, y1) = curve[right - 1], curve[right]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
