"""Stability: whether five complete runs converge to the same value.

Source: DeepSpark `six_dimension_howto.md`: the base is the median of the five; every run
whose relative difference leaves the open interval (-0.01, +0.01) costs 20 %. The text's
"minus 20 % each" is read as linear: 1 - 0.2 k. Whether a difference is inside is decided on the
digits that the logs print: 71.71 differs from 71.0 by exactly 1 %, which is outside.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from sixdim.metrics.values.card import Dimension, Json, State
from sixdim.metrics.values.exact import median
from sixdim.metrics.values.settings import Reference

RUNS = 5
TOLERANCE = "0.01"


def stability(runs: Sequence[Reference], has_target: bool) -> Dimension:
    """The stability dimension.

    Args:
        runs: This run first, then the repeated ones.
        has_target: Whether this run is judged against a target at all.
    """
    from decimal import Decimal

    values: list[Decimal] = []
    counted: list[str] = []
    missed: list[str] = []
    for run in runs:
        if run.converged and run.accuracy is not None and math.isfinite(run.accuracy):
            values.append(Decimal(repr(run.accuracy)))  # the shortest digits that give this float
            counted.append(run.name)
        else:
            missed.append(run.name)
    details: dict[str, Json] = {"runs": len(values)}
    outside = 0
    if values:
        base = median(values)
        deviations = [float((v - base) / base) if base else 0.0 for v in values]
        outside = sum(
            1 for v in values if v != base and abs(v - base) >= Decimal(TOLERANCE) * abs(base)
        )
        details["base"] = float(base)
        details["deviations"] = (
            dict(zip(counted, deviations, strict=True))
            if len(set(counted)) == len(counted)
            else list(deviations)
        )
    if missed and len(runs) > 1:
        details["not_counted"] = list(missed)
    lacking = RUNS - len(values)
    if lacking > 0:
        reason = f"needs {lacking} more run{'s' if lacking > 1 else ''} that reach the target"
        if not has_target:
            reason = (
                "needs a target (--target acc1>75.9) and five runs that reach it (--repeat LOG)"
            )
        return Dimension(None, "", State.UNKNOWN, reason, details)
    details["outside"] = outside
    # In tenths, so that 1 - 0.2 * 3 is 0.4 and not 0.3999….
    return Dimension((10 - 2 * min(outside, 5)) / 10, "", State.FINAL, "", details)
