"""Where the trend of a run's evaluations leads."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sixdim.metrics.card.snapshot import Projection

TREND = 5


def project(
    points: Sequence[tuple[int, float]],
    goal: float,
    minimise: bool,
    seconds_per_epoch: float | None,
) -> Projection:
    """Where the straight line through the last evaluations meets the goal.

    A least-squares line through the last five (epoch, value) points: crude, and shown as
    such; learning curves flatten, so it is rather early than late.
    """
    recent = [p for p in points[-TREND:] if math.isfinite(p[1])]
    if len(recent) < 2:
        return Projection(None, None, "needs two evaluations")
    last_epoch, last_value = recent[-1]
    if (last_value <= goal) if minimise else (last_value >= goal):
        return Projection(last_epoch, 0.0)
    mean_x = math.fsum(x for x, _ in recent) / len(recent)
    mean_y = math.fsum(y for _, y in recent) / len(recent)
    spread = math.fsum((x - mean_x) ** 2 for x, _ in recent)
    if spread == 0:
        return Projection(None, None, "needs two epochs")
    slope = math.fsum((x - mean_x) * (y - mean_y) for x, y in recent) / spread
    if slope == 0 or (slope > 0) == minimise:
        return Projection(None, None, "the trend does not lead there")
    ahead = max(1, math.ceil((goal - last_value) / slope))
    if ahead > 100_000:
        return Projection(None, None, "the trend does not lead there")
    return Projection(
        last_epoch + ahead, None if seconds_per_epoch is None else ahead * seconds_per_epoch
    )
