"""One figure out of repeated runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sixdim.metrics.values.exact import median
from sixdim.metrics.values.protocol import OverRuns


@dataclass(frozen=True, slots=True)
class OfRuns:
    """The figure of a set of runs and the positions of those left out, or why there is none."""

    value: float | None
    dropped: tuple[int, ...] = ()
    reason: str = ""


def of_runs(values: Sequence[float | None], how: OverRuns) -> OfRuns:
    """Reduces the figures of repeated runs, of which one that did not converge has None.

    That counts as the slowest in MLPerf's mean without the fastest and the slowest (`4.4 benchmark
    results`: the one slowest may be a run that did not converge).
    """
    known = [v for v in values if v is not None]
    if how is OverRuns.MEDIAN:
        if not known:
            return OfRuns(None, reason="no run has a figure")
        return OfRuns(median(known))
    if len(values) < 3:
        return OfRuns(None, reason=f"needs three runs, and has {len(values)}")
    if len(values) - len(known) > 1:
        return OfRuns(None, reason="more than one run did not converge")
    order = sorted(range(len(values)), key=lambda i: math.inf if (v := values[i]) is None else v)
    inner = [v for i in order[1:-1] if (v := values[i]) is not None]
    return OfRuns(math.fsum(inner) / len(inner), (order[0], order[-1]))
