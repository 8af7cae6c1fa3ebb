"""Stability: whether five complete runs converge to the same value.

Source: DeepSpark `six_dimension_howto.md`: the base is the median of the five; every run
whose relative difference leaves the open interval (-0.01, +0.01) costs 20 %. The text's
"minus 20 % each" is read as linear: 1 - 0.2 k.
"""

from __future__ import annotations

from collections.abc import Sequence

from sixdim.metrics.values.card import Dimension, Json, State
from sixdim.metrics.values.exact import median
from sixdim.metrics.values.settings import Reference

RUNS = 5
TOLERANCE = 0.01


def stability(runs: Sequence[Reference], has_target: bool) -> Dimension:
    """The stability dimension.

    Args:
        runs: This run first, then the repeated ones.
        has_target: Whether this run is judged against a target at all.
    """
    counted = [r for r in runs if r.converged and r.accuracy is not None]
    missed = [r.name for r in runs if not (r.converged and r.accuracy is not None)]
    values = [r.accuracy for r in counted if r.accuracy is not None]
    details: dict[str, Json] = {"runs": len(counted)}
    if values:
        base = median(values)
        deviations = [(v - base) / base if base else 0.0 for v in values]
        details["base"] = base
        details["deviations"] = (
            {r.name: d for r, d in zip(counted, deviations, strict=True)}
            if len({r.name for r in counted}) == len(counted)
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
    outside = sum(1 for d in deviations if not -TOLERANCE < d < TOLERANCE)
    details["outside"] = outside
    # In tenths, so that 1 - 0.2 * 3 is 0.4 and not 0.3999….
    return Dimension((10 - 2 * min(outside, 5)) / 10, "", State.FINAL, "", details)
