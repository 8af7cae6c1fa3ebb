"""Forecasts when a run will meet its target, as a range; none where the fit is not reliable."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from sixdim.metrics.values.exact import median
from sixdim.metrics.values.points import EvaluationPoint

LEAST = 6
"""Least evaluations for a forecast."""
DISCREPANCY = 0.5
"""See `learning_curve.crossing`; `benchmarks/forecast.py` says how it is chosen."""
LOW, HIGH = 0.2, 0.9
"""Probabilities at the ends of the band: nominally 70 %, it is right in 80 % of the cases."""
WIDEST = 6.0
"""Largest ratio of the end of a band to its beginning; a wider band is no forecast."""
FURTHEST = 2.0
"""Latest end of a band, as a multiple of the evaluations so far; a later one is no forecast."""
LATEST = 512
"""Number of latest evaluations that a fit uses, so that its cost is bounded."""
_STEP = 3.0
"""Least ratio of a step to the largest change of the five evaluations before it."""
_STEP_SHARE = 0.04
"""Least share that a step has of all that was gained."""


class Band(NamedTuple):
    """A median, and the 80 % band around it."""

    low: float
    median: float
    high: float

    def times(self, factor: float) -> Band:
        """Returns the band in another unit."""
        return Band(self.low * factor, self.median * factor, self.high * factor)


@dataclass(frozen=True, slots=True)
class Forecast:
    """When the target will be met, counted from the last evaluation.

    Attributes:
        band: Epochs or steps from there; None without a forecast.
        unit: What `band` counts: `epoch`, `step`, or `evaluation` if the log gives neither.
        last: Label of the last evaluation, in that unit.
        seconds: The band as a time; None where unknown.
        reason: Why there is no forecast.
    """

    band: Band | None = None
    unit: str = "epoch"
    last: int = 0
    seconds: Band | None = None
    reason: str = ""

    @property
    def epoch(self) -> int | None:
        """Label of the epoch at which the median meets the target; None where there is none."""
        if self.band is None or self.unit != "epoch":
            return None
        return self.last + round(self.band.median)


NO_FORECAST = Forecast()


def forecast(
    points: Sequence[EvaluationPoint],
    goal: float,
    minimise: bool,
    discrepancy: float = DISCREPANCY,
) -> Forecast:
    """Forecasts when the goal is met (from above: `minimise`), without a time.

    The evaluations are those so far, oldest first; values that are not finite do not count, and the
    last `LATEST` are enough. `learning_curve.crossing` explains `discrepancy`.
    """
    sign = -1.0 if minimise else 1.0
    finite = [point for point in points[-LATEST:] if math.isfinite(point.value)]
    unit, labels = _axis(finite)
    best: dict[int, float] = {}
    for label, point in zip(labels, finite, strict=True):
        best[label] = max(sign * point.value, best.get(label, -math.inf))
    if len(best) < LEAST:
        return Forecast(unit=unit, reason=f"needs {LEAST} evaluations")
    places, heights = [*best], [*best.values()]
    if has_step(heights):
        return Forecast(unit=unit, reason="the curve has a step, and may have another")
    extent = max(abs(height - sign * goal) for height in heights)
    if not 0 < extent < math.inf:
        return Forecast(unit=unit, reason="the evaluations do not move")
    spacing = median(float(b - a) for a, b in pairwise(places))
    band, reason = _band(
        [(place - places[0]) / spacing + 1.0 for place in places],
        [(height - sign * goal) / extent for height in heights],
        discrepancy,
    )
    return Forecast(band and band.times(spacing), unit, places[-1], reason=reason)


def _axis(points: Sequence[EvaluationPoint]) -> tuple[str, Sequence[int]]:
    """Returns the unit in which evaluations are counted, and their labels, which do not fall."""
    for unit, labels in (
        ("epoch", [point.epoch for point in points if point.epoch is not None]),
        ("step", [point.step for point in points if point.step is not None]),
    ):
        rises = all(a <= b for a, b in pairwise(labels))
        if len(labels) == len(points) and rises and labels[:1] != labels[-1:]:
            return unit, labels
    return "evaluation", range(len(points))


def _band(
    places: Sequence[float], heights: Sequence[float], discrepancy: float
) -> tuple[Band | None, str]:
    """Returns the number of evaluations until the heights meet 0, or why it is unknown."""
    import numpy as np  # loading takes 0.1 s, which a run without a target does not need

    from sixdim.metrics.card.forecast.learning_curve import crossing, fit

    curves = fit(np.array(places), np.array(heights))
    if curves is None:
        return None, "the evaluations do not move towards the target"
    met = crossing(curves, len(places), places[-1], discrepancy)
    at = [int(np.searchsorted(met.chance, chance)) for chance in (LOW, 0.5, HIGH)]
    if at[1] == len(met.counts):
        return None, "the curve levels off before the target"
    if at[2] == len(met.counts) or met.mean_above[at[2]] < 0.5:
        return None, "the curve may level off before the target"
    band = Band(*(float(met.counts[place]) for place in at))
    if band.high > WIDEST * band.low:
        return None, "the evaluations do not yet say when"
    if band.high > FURTHEST * len(places):
        return None, "the target is too far away"
    return band, ""


def has_step(heights: Sequence[float]) -> bool:
    """Returns whether rising evaluations have jumped, as they do where the learning rate is cut.

    After such a step the curve follows another law, and there may be further steps.
    """
    changes = [b - a for a, b in pairwise(heights)]
    best = worst = heights[0]
    for k, change in enumerate(changes):
        best, worst = max(best, heights[k + 1]), min(worst, heights[k + 1])
        usual = max(map(abs, changes[max(0, k - 5) : k]), default=math.inf)
        if k >= 4 and change > _STEP * usual and change > _STEP_SHARE * (best - worst):
            return True
    return False
