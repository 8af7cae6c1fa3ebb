"""Stability: whether five complete runs converge to the same value.

Source: DeepSpark `six_dimension_howto.md`: the base is the median of the five; every run
whose relative difference leaves the open interval (-0.01, +0.01) costs 20 %. The text's
"minus 20 % each" is read as linear: 1 - 0.2 k. Whether a difference is inside is decided on the
digits that the logs print: 71.71 differs from 71.0 by exactly 1 %, which is outside.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from sixdim.metrics.values.card import Dimension, Json, State, unknown
from sixdim.metrics.values.exact import median
from sixdim.metrics.values.settings import Reference

RUNS = 5
TOLERANCE = "0.01"


def stability(runs: Sequence[Reference], has_target: bool) -> Dimension:
    """Returns the stability of this run, which is the first one, and its repeated runs.

    A run that is named again, under whatever name, is not counted again. Neither is one that met
    another target than the first run that met any, or prints its accuracy in another unit.
    """
    goal = next((run.goal for run in runs if run.converged), None)
    values: list[float] = []
    counted: list[str] = []
    others: list[str] = []
    seen: set[tuple[object, ...]] = set()
    for run in runs:
        same = run.same_run()
        reached = run.converged and run.accuracy is not None and math.isfinite(run.accuracy)
        if run.accuracy is not None and reached and run.goal == goal and same not in seen:
            values.append(run.accuracy)
            counted.append(run.name)
        else:
            others.append(run.name)
        if same is not None:
            seen.add(same)
    details: dict[str, Json] = {"runs": len(values)}
    spread = _spread(values)
    if spread is not None:
        details["base"] = spread.base
        details["deviations"] = (
            dict(zip(counted, spread.deviations, strict=True))
            if len(set(counted)) == len(counted)
            else spread.deviations
        )
    if others and len(runs) > 1:
        details["not_counted"] = list(others)
    lacking = RUNS - len(values)
    if spread is None or lacking > 0:
        runs_that = "runs that reach" if lacking > 1 else "run that reaches"
        reason = f"needs {lacking} more {runs_that} the target"
        if not has_target:
            reason = (
                "needs a target (--target acc1>75.9) and five runs that reach it (--repeat LOG)"
            )
        return unknown(reason, "", details)
    details["outside"] = spread.outside
    # In tenths, so that 1 - 0.2 * 3 is 0.4 and not 0.3999….
    return Dimension((10 - 2 * min(spread.outside, 5)) / 10, "", State.FINAL, "", details)


class _Spread(NamedTuple):
    """The distances of values from their median, and how many reach the tolerance."""

    base: float
    deviations: list[float]
    outside: int


def _spread(values: Sequence[float]) -> _Spread | None:
    """Returns the spread of the values, computed in decimals; None without values."""
    if len(values) < 2:  # decimals take time to load, and most cards are of one run
        return _Spread(values[0], [0.0], 0) if values else None
    from decimal import Decimal

    printed = [Decimal(repr(value)) for value in values]  # the shortest digits that give the float
    base = median(printed)
    differences = [value - base for value in printed]
    limit = abs(base) * Decimal(TOLERANCE)
    return _Spread(
        float(base),
        [float(d / base) if base else 0.0 for d in differences],
        sum(1 for d in differences if d and abs(d) >= limit),
    )
