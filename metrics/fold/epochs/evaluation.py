"""One whole evaluation, and how far a run was at the one that met its target."""

from collections.abc import Mapping
from functools import lru_cache
from math import inf
from operator import itemgetter
from typing import NamedTuple

from sixdim.metrics.values.convergence import canonical
from sixdim.parsers.events import Metric, Origin

_name = itemgetter(Metric._fields.index("name"))


class EvaluationRow(NamedTuple):
    """One whole evaluation.

    Attributes:
        at: Where it was read.
        epoch: Label of its epoch; None in a run without epochs.
        label: The epoch's label, where the line itself says it.
        step: Step it was made at, where the line says so.
        model: Whose evaluation it is; see `Evaluation.model`.
        data: Which data it was made on; see `Evaluation.data`.
        metrics: The figures, in the log's order.
    """

    at: Origin
    epoch: int | None
    label: int | None
    step: int | None
    model: str
    data: str
    metrics: tuple[Metric, ...]

    @property
    def places(self) -> Mapping[str, int]:
        """The place in `metrics` of each canonical metric name; of several, the last place.

        All evaluations with the same metrics share one mapping.
        """
        return _places(tuple(map(_name, self.metrics)))

    @property
    def values(self) -> dict[str, tuple[float, bool]]:
        """Canonical metric name to (value, higher is better)."""
        return {
            name: (self.metrics[place].value, self.metrics[place].higher_is_better)
            for name, place in self.places.items()
        }

    @property
    def line(self) -> int:
        """Number of its line."""
        return self.at.line

    def metric(self, name: str) -> Metric:
        """Returns the metric of a canonical name, which it has."""
        return self.metrics[self.places[name]]

    def value(self, name: str) -> float:
        """Returns the value of that metric."""
        return self.metrics[self.places[name]].value


@lru_cache(maxsize=1024)
def _places(names: tuple[str, ...]) -> Mapping[str, int]:
    return {canonical(name): place for place, name in enumerate(names)}


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

    met: EvaluationRow | None = None
    size: int | None = None
    sealed_to: float = -inf
    over_to: float = inf
    part: int | None = None
    stepwise: bool = False
    late_times: Mapping[str, float] = {}


NOT_FROZEN = Freeze()
