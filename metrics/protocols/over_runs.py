"""One figure out of repeated runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sixdim.metrics.values.exact import median
from sixdim.metrics.values.protocol import OverRuns


@dataclass(frozen=True, slots=True)
class RunsResult:
    """The figure of a set of runs and the positions of those left out, or why there is none."""

    value: float | None
    dropped: tuple[int, ...] = ()
    reason: str = ""


def of_runs(values: Sequence[float | None], how: OverRuns) -> RunsResult:
    """Reduces the figures of repeated runs; that of a run that did not converge is None.

    One such run counts as the slowest in MLPerf's mean without the fastest and the slowest (`4.4
    benchmark results`: the slowest one may be a run that did not converge).
    """
    known = [v for v in values if v is not None]
    if how is OverRuns.MEDIAN:
        if not known:
            return RunsResult(None, reason="no run has a figure")
        return RunsResult(median(known))
    if len(values) < 3:
        return RunsResult(None, reason=f"needs three runs, and has {len(values)}")
    if len(values) - len(known) > 1:
        return RunsResult(None, reason="more than one run did not converge")
    order = sorted(range(len(values)), key=lambda i: math.inf if (v := values[i]) is None else v)
    inner = [v for i in order[1:-1] if (v := values[i]) is not None]
    return RunsResult(math.fsum(inner) / len(inner), (order[0], order[-1]))
