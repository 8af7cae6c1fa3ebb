"""Accuracy: the metric at the evaluation that ends the run, judged against the target.

Source: DeepSpark `six_dimension_howto.md`: the converged value, not the best one.
"""

from __future__ import annotations

import math

from metrics.card import Dimension, Evidence, Json, State, finite
from metrics.run import Run
from metrics.settled import AnyJudged

_PREFERRED = (
    *("acc1", "accuracy", "acc", "eval_accuracy", "map", "box", "ap", "miou", "mlm_acc"),
    *("auc", "bleu", "f1", "win_rate"),
)
"""What a run is judged by where no target says it; losses only where there is nothing else."""


def judged_metric(run: Run) -> str:
    """The metric that is judged: the target's, else the best known of those evaluated."""
    if run.target is not None:
        return run.target.metric
    first = next((j.values for j in run.evaluations), {})
    for preferred in _PREFERRED:
        if preferred in first:
            return preferred
    better_up = (name for name, (_value, higher) in first.items() if higher)
    return next(better_up, next(iter(first), ""))


def judged_model(run: Run, metric: str) -> str:
    """Whose evaluations count where the log evaluates several models.

    The model that met the target; else the raw one, if it is evaluated at all.
    """
    if run.freeze is not None:
        return run.freeze.model
    model = "raw"
    for judged in run.evaluations:
        if judged.has(metric):
            model = judged.model
            if model == "raw":
                break
    return model


def relevant(run: Run, metric: str, model: str | None = None) -> list[AnyJudged]:
    """The evaluations of one model that give the metric, up to and with the freeze."""
    wanted = judged_model(run, metric) if model is None else model
    out = []
    for judged in run.evaluations:
        if judged.gives(metric, wanted):
            out.append(judged)
        if judged is run.freeze:
            break
    return out


def best_of(judged: list[AnyJudged], metric: str) -> float | None:
    """The best finite value in the metric's direction."""
    values = [value for j in judged if math.isfinite(value := j.value(metric))]
    if not values:
        return None
    return max(values) if judged[0].values[metric][1] else min(values)


def accuracy(run: Run) -> Dimension:
    """The accuracy dimension."""
    metric = judged_metric(run)
    points = relevant(run, metric)
    over = run.ended or run.end is not None
    if not points:
        return _none(run, metric, over)
    last = points[-1]
    value = last.values[metric][0]
    details: dict[str, Json] = {
        "metric": metric,
        "epoch": run.epoch_of(last),
        "best": finite(best_of(points, metric)),
    }
    if not last.values[metric][1]:
        details["lower_is_better"] = True
    if len(points) < len(run.evaluations) or last.model != "raw":
        details.update(_models(run, metric, last.model))
    final = run.freeze is not None or over
    reason = "" if final else "the last evaluation so far"
    if run.target is not None and run.freeze is None:
        reason = f"target {run.target} not met" + ("" if over else " yet")
    if not math.isfinite(value):
        reason = f"the last evaluation gives {value}"
    return Dimension(
        finite(value),
        last.units.get(metric, ""),
        State.FINAL if final else State.RUNNING,
        reason,
        details,
        Evidence((last.event.at.line,)),
    )


def _models(run: Run, metric: str, model: str) -> dict[str, Json]:
    """Which model was judged, and what the log says of the others."""
    seen = {j.model for j in run.evaluations if j.has(metric)}
    out: dict[str, Json] = {} if seen == {"raw"} else {"model": model}
    others: dict[str, Json] = {}
    for other in sorted(seen - {model}):
        points = relevant(run, metric, other)
        if points:
            others[other] = {
                "last": finite(points[-1].values[metric][0]),
                "best": finite(best_of(points, metric)),
                "line": points[-1].event.at.line,
            }
    if others:
        out["other_models"] = others
    return out


def _none(run: Run, metric: str, over: bool) -> Dimension:
    seen = sorted({name for judged in run.evaluations for name in judged.values})
    if seen:
        known = ", ".join(seen)
        return Dimension(
            None,
            "",
            State.UNKNOWN if over else State.WAITING,
            f"the log has no metric {metric!r}; it has {known}",
        )
    if over:
        return Dimension(None, "", State.UNKNOWN, "the log holds no evaluation")
    return Dimension(None, "", State.WAITING, "waits for the first evaluation")
