"""Accuracy: the metric at the evaluation that ends the run, judged against the target.

Source: DeepSpark `six_dimension_howto.md`: the converged value, not the best one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

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


def relevant(run: Run, metric: str, model: str | None = None) -> Iterator[AnyJudged]:
    """The evaluations of one model that give the metric, up to and with the freeze."""
    wanted = judged_model(run, metric) if model is None else model
    return (j for j in islice(run.evaluations, run.judged) if j.gives(metric, wanted))


class Course(NamedTuple):
    """What evaluations come to.

    Attributes:
        size: How many they are.
        last: The last of them.
        best: The best finite value in the metric's direction.
    """

    size: int
    last: AnyJudged
    best: float | None

    @classmethod
    def of(cls, run: Run, metric: str, model: str, until: int | None = None) -> Course | None:
        """Page by page; None where there are none.

        Args:
            run: The run.
            metric: Canonical name.
            model: Whose evaluations.
            until: How many of all evaluations are looked at; None for all.
        """
        told = [
            (values, among)
            for values, among in run.evaluations.giving(metric, model, until)
            if values
        ]
        if not told:
            return None
        ends = ([j for j in among if j.gives(metric, model)] for _, among in (told[0], told[-1]))
        (first, *_), (*_, last) = ends
        better = max if first.values[metric][1] else min
        finite = (v for values, _among in told for v in values if math.isfinite(v))
        return cls(sum(len(values) for values, _among in told), last, better(finite, default=None))


def course(run: Run, metric: str, model: str | None = None) -> Course | None:
    """What the evaluations of `relevant` come to."""
    wanted = judged_model(run, metric) if model is None else model
    return Course.of(run, metric, wanted, run.judged)


def accuracy(run: Run) -> Dimension:
    """The accuracy dimension."""
    metric = judged_metric(run)
    points = course(run, metric)
    over = run.ended or run.end is not None
    if points is None:
        return _none(run, metric, over)
    last = points.last
    value = last.values[metric][0]
    details: dict[str, Json] = {
        "metric": metric,
        "epoch": run.epoch_of(last),
        "best": finite(points.best),
    }
    if not last.values[metric][1]:
        details["lower_is_better"] = True
    if points.size < len(run.evaluations) or last.model != "raw":
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
        points = course(run, metric, other)
        if points is not None:
            others[other] = {
                "last": finite(points.last.values[metric][0]),
                "best": finite(points.best),
                "line": points.last.event.at.line,
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
