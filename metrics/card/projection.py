"""When a run will meet its target: a range from its evaluations so far, or nothing.

The middle is the geometric mean of two estimates: where the straight line through the last five
evaluations meets the target (early: curves flatten), and where learning curves do that are fitted
to the last six tenths (late: schedules make them fall again). How far the truth lies from that
was measured over real runs; the range is what held the truth in 80 % of them.
`benchmarks/forecast.py` measures it anew, each run judged by the others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from sixdim.metrics.card.learning_curve import Points, crossing
from sixdim.metrics.card.snapshot import Projection

LEAST = 8
"""Evaluations before which nothing is said."""
TREND = 5
"""Evaluations of the straight line."""
TAIL = 0.6
"""Share of the evaluations that curves are fitted to."""
LEAST_TAIL = 6
FAR = 20.0
"""Times the epochs so far beyond which nothing is said."""
EARLY, MIDDLE, LATE = 0.57, 1.32, 4.52
"""The true epochs over the estimated ones: quantiles of 10, 50 and 90 % over real runs."""


def estimate(points: Points, goal: float) -> float | None:
    """Epochs from the last evaluation to the goal; None where it is not to be trusted.

    Args:
        points: Epoch (ascending) and value, higher being better.
        goal: Above the last value.
    """
    if len(points) < LEAST:
        return None
    tail = points[int(len(points) * (1 - TAIL)) :]
    curved = crossing(tail if len(tail) >= LEAST_TAIL else points[-LEAST_TAIL:], goal)
    straight = _straight(points[-TREND:], goal)
    if curved is None or straight is None:
        return None
    ahead = math.sqrt(max(curved, 0.5) * straight)
    return ahead if ahead <= FAR * (points[-1][0] - points[0][0] + 1) else None


def _straight(points: Points, goal: float) -> float | None:
    """Epochs until the least-squares slope of the points leads from the last one to the goal."""
    mean_x = math.fsum(x for x, _ in points) / len(points)
    mean_y = math.fsum(y for _, y in points) / len(points)
    spread = math.fsum((x - mean_x) ** 2 for x, _ in points)
    rise = math.fsum((x - mean_x) * (y - mean_y) for x, y in points)
    return max(1.0, (goal - points[-1][1]) * spread / rise) if rise > 0 else None


def project(
    points: Sequence[tuple[int, float]],
    goal: float,
    minimise: bool,
    seconds_per_epoch: float | None,
    last_planned: int | None = None,
) -> Projection:
    """When the evaluations will meet the goal, with a range that holds the truth 8 times in 10.

    Nothing is said where the whole range lies behind the plan: plans are made to meet their target,
    with a schedule whose next step no curve foresees.
    """
    sign = -1.0 if minimise else 1.0
    known = {x: sign * y for x, y in points if math.isfinite(y)}
    if len(known) < LEAST:
        return Projection(None, None, f"needs {LEAST} evaluations")
    # In shares of the greatest, so that no square is more than a double can hold.
    scale = max(abs(goal), *map(abs, known.values())) or 1.0
    latest = sorted((float(x), y / scale) for x, y in known.items())
    last = int(latest[-1][0])
    if latest[-1][1] >= sign * goal / scale:
        return Projection(last, 0.0)
    ahead = estimate(latest, sign * goal / scale)
    if ahead is None:
        return Projection(None, None, "the evaluations so far do not lead there clearly")
    epochs = [math.ceil(ahead * factor) for factor in (EARLY, MIDDLE, LATE)]
    if last_planned is not None and last + epochs[0] > last_planned:
        return Projection(None, None, "the evaluations so far lead there only after the plan")
    seconds = [None if seconds_per_epoch is None else n * seconds_per_epoch for n in epochs]
    return Projection(
        epoch=last + epochs[1],
        seconds=seconds[1],
        earliest=last + epochs[0],
        latest=last + epochs[2],
        earliest_seconds=seconds[0],
        latest_seconds=seconds[2],
    )
