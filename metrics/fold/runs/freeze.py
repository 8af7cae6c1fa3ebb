"""The freeze of a run: the evaluation that met its target, and how far the run was then."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from sixdim.metrics.fold.epochs.evaluation import EvaluationRow


class Freeze(NamedTuple):
    """How far a run was when it met its target.

    Attributes:
        met: The evaluation that met the target; None before it.
        size: Number of evaluations up to and including that one; None before it.
        sealed_to: Label of its epoch: up to it, epochs get no further lines.
        over_to: Label of the last epoch that was over.
        part: The `RunState.part` that met the target.
        stepwise: Whether the run was `RunState.stepwise`.
        late_times: Printed durations of that epoch that follow the freeze, by attribute of `Epoch`.
    """

    met: EvaluationRow | None
    size: int | None
    sealed_to: float
    over_to: float
    part: int | None
    stepwise: bool
    late_times: dict[str, float]


NOT_FROZEN = Freeze(
    met=None, size=None, sealed_to=-inf, over_to=inf, part=None, stepwise=False, late_times={}
)
