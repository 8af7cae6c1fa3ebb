"""The evaluations in a record of DLLogger."""

from __future__ import annotations

from sixdim.parsers.events import Evaluation, Metric, Origin
from sixdim.parsers.formats import dllogger_names as meaning
from sixdim.parsers.formats.dllogger_names import RecordPlan, Values


def evaluations(
    at: Origin,
    plan: RecordPlan,
    values: Values,
    epoch: int | None,
    step: int | None,
) -> tuple[list[Evaluation], tuple[Metric, ...]]:
    """Returns the evaluations in a record, one for each weights, and its other figures."""
    evaluated: dict[str, list[Metric]] = {}
    own = []
    for figure in plan.figures:
        found = meaning.quality(figure.name, figure.unit)
        if found is None:
            own.append(meaning.metric(figure, values))
            continue
        one = Metric(found.name, values[figure.place], found.unit, found.higher_is_better)
        evaluated.setdefault("averaged" if found.averaged else "raw", []).append(one)
    made = [
        Evaluation(at, tuple(metrics), epoch, step, model) for model, metrics in evaluated.items()
    ]
    return made, tuple(own)
