"""One whole evaluation, with the epoch it belongs to and its metrics by canonical name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from metrics.convergence import canonical
from parsers.events import Evaluation


class EvaluationRow(NamedTuple):
    """One whole evaluation.

    Attributes:
        event: The evaluation as read.
        epoch: Label of its epoch; None in a run without epochs.
        places: Canonical metric name to the metric's place in the event; all evaluations
            with the same metrics share one mapping.
    """

    event: Evaluation
    epoch: int | None
    places: Mapping[str, int]

    @classmethod
    def of(cls, event: Evaluation, epoch: int | None) -> EvaluationRow:
        """The row of an evaluation in an epoch."""
        return cls(event, epoch, _places(tuple([metric.name for metric in event.metrics])))

    @property
    def values(self) -> dict[str, tuple[float, bool]]:
        """Canonical metric name to (value, higher is better)."""
        metrics = self.event.metrics
        return {
            name: (metrics[place].value, metrics[place].higher_is_better)
            for name, place in self.places.items()
        }

    @property
    def units(self) -> dict[str, str]:
        """Canonical metric name to unit."""
        return {name: self.event.metrics[place].unit for name, place in self.places.items()}

    @property
    def model(self) -> str:
        """Whose evaluation it is; see `Evaluation.model`."""
        return self.event.model

    @property
    def line(self) -> int:
        """Number of its line."""
        return self.event.at.line

    def value(self, metric: str) -> float:
        """The value of a metric that it has."""
        return self.event.metrics[self.places[metric]].value

    def higher_is_better(self, metric: str) -> bool:
        """The direction of a metric that it has."""
        return self.event.metrics[self.places[metric]].higher_is_better


@lru_cache(maxsize=1024)
def _places(names: tuple[str, ...]) -> Mapping[str, int]:
    """Where each canonical name stands: the last place, where several have the same name."""
    return {canonical(name): place for place, name in enumerate(names)}
