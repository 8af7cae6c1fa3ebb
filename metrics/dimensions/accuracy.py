"""Accuracy: the metric at the evaluation that ends the run, compared with the target.

Source: DeepSpark `six_dimension_howto.md`: the converged value, not the best one.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from sixdim.metrics.fold.evaluation import EvaluationRow
from sixdim.metrics.fold.evaluations import Evaluations
from sixdim.metrics.fold.run import Run
from sixdim.metrics.values.card import Dimension, Evidence, Json, State, finite
from sixdim.metrics.values.nearest import nearest

_PREFERRED = (
    *("miou", "acc1", "accuracy", "acc", "eval_accuracy", "map", "box", "ap", "map50", "mlm_acc"),
    *("auc", "bleu", "f1", "win_rate", "success_rate", "mean_reward", "dice", "clip", "psnr"),
    *("ssim", "score"),
)
"""The accuracy where no target names one; losses only where there is nothing else."""
_ACCURACY = re.compile(
    r"(?i)(?:^|[_/ .-])(?:acc|accuracy|top-?1|map|auroc|bleu"
    r"|(?:miou|auc|f1|dice)(?:[_ -](?:coeff?|coefficient|score))?)$|^(?:best_)?ap$"
)
_LOSS = re.compile(r"(?i)loss|err|^fid|wer$|cer$|nll$|rmse$|mae$|mse$")
_WORD = re.compile(r"[a-z]+|\d+")
_OF_ALL = frozenset(
    re.findall(
        r"\w+",
        "err error errors rate top prec acc 1 test val valid validation eval evaluation dev mean "
        "avg average absolute squared square root percentage classification word character",
    )
)
"""The words of an error that is of everything evaluated."""
_OF_DATA = re.compile(r"(?!top)[\w.]{1,60}-error")
"""XGBoost's error on the data of a name."""


def accuracy_metric(run: Run) -> str:
    """The metric that is the accuracy: the target's, else the best known of those evaluated.

    Empty where none of them is known as an accuracy or a loss.
    """
    if run.target is not None:
        return run.target.metric
    seen = run.evaluations.metrics()
    for preferred in _PREFERRED:
        if preferred in seen:
            return preferred
    named = (name for name, up in seen.items() if up and _ACCURACY.search(name))
    lost = (
        name
        for name, up in seen.items()
        if not up and _LOSS.search(name) and not _error_of_a_part(name)
    )
    return next(named, next(lost, ""))


def _error_of_a_part(name: str) -> bool:
    """Whether a figure is the error of one part of the task: `class_error`, `top5 error`."""
    said = set(_WORD.findall(name.lower()))
    errs = not said.isdisjoint(("err", "error", "errors"))
    return errs and not said <= _OF_ALL and not _OF_DATA.fullmatch(name)


def accuracy_model(run: Run, metric: str) -> str:
    """Whose evaluations count where the log evaluates several models.

    The model that met the target; else the raw one, if it is evaluated at all.
    """
    if run.freeze is not None:
        return run.freeze.model
    models = run.evaluations.models(metric)
    return models[0] if models and "raw" not in models else "raw"


def relevant(run: Run, metric: str) -> list[EvaluationRow]:
    """The evaluations of the model in question that have the metric, until the freeze."""
    places = run.evaluations.having(metric, accuracy_model(run, metric), run.frozen_size)
    return [run.evaluations[place] for place in places]


def latest(run: Run, metric: str) -> EvaluationRow | None:
    """The last of the `relevant` evaluations."""
    points = course(run, metric)
    return points.last if points is not None else None


class Course(NamedTuple):
    """What evaluations come to.

    Attributes:
        size: How many they are.
        last: The last of them.
        best: The best finite value in the metric's direction, of those on the last one's data.
    """

    size: int
    last: EvaluationRow
    best: float | None

    @classmethod
    def of(
        cls, evaluations: Evaluations, metric: str, model: str, until: int | None = None
    ) -> Course | None:
        """The course of a metric in the evaluations of one model; None where there are none.

        Args:
            evaluations: All of them.
            metric: Its canonical name.
            model: The model.
            until: How many of the evaluations are looked at, from the first.
        """
        places = evaluations.having(metric, model, until)
        if not places:
            return None
        better = max if evaluations[places[0]].metric(metric).higher_is_better else min
        last = evaluations[places[-1]]
        values = evaluations.values(metric, places, last.data)
        return cls(len(places), last, better(filter(math.isfinite, values), default=None))


def course(run: Run, metric: str, model: str | None = None) -> Course | None:
    """The course of a metric until the freeze; by default of the model in question."""
    wanted = accuracy_model(run, metric) if model is None else model
    return Course.of(run.evaluations, metric, wanted, run.frozen_size)


def _unseen(run: Run, points: Course) -> bool:
    """Whether epochs of which the log shows nothing may have a better value.

    One line says of several that they were trained: a screen's last picture in a file.
    """
    if 2 * points.size > len(run.epochs):
        return False
    lines = run.epochs.column("first_line")
    return len(set(lines)) < len(lines)


def accuracy(run: Run) -> Dimension:
    """The accuracy dimension."""
    metric = accuracy_metric(run)
    points = course(run, metric)
    over = run.ended or run.end is not None
    if points is None:
        return _none(run, metric, over)
    last = points.last
    value = last.value(metric)
    details: dict[str, Json] = {
        "metric": metric,
        "epoch": run.epoch_of(last),
        "best": None if _unseen(run, points) else finite(points.best),
    }
    if not last.metric(metric).higher_is_better:
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
        last.metric(metric).unit,
        State.FINAL if final else State.RUNNING,
        reason,
        details,
        Evidence((last.line,)),
    )


def _models(run: Run, metric: str, model: str) -> dict[str, Json]:
    """Which model the accuracy is of, and what the log says of the others."""
    seen = {*run.evaluations.models(metric)}
    out: dict[str, Json] = {} if seen == {"raw"} else {"model": model}
    others: dict[str, Json] = {}
    for other in sorted(seen - {model}):
        points = course(run, metric, other)
        if points is not None:
            others[other] = {
                "last": finite(points.last.value(metric)),
                "best": finite(points.best),
                "line": points.last.line,
            }
    if others:
        out["other_models"] = others
    return out


def _none(run: Run, metric: str, over: bool) -> Dimension:
    seen = sorted(run.evaluations.metrics())
    if seen:
        known = ", ".join(seen)
        near = nearest(metric, seen)
        meant = f"did you mean {near}? It" if near else "it"
        lacks = f"the log has no metric {metric!r}; {meant} has {known}"
        return Dimension(
            None,
            "",
            State.UNKNOWN if over else State.WAITING,
            lacks if metric else f"none of {known} is known as an accuracy: --target names one",
        )
    if over:
        return Dimension(None, "", State.UNKNOWN, "no evaluation was read from the log")
    return Dimension(None, "", State.WAITING, "waits for the first evaluation")
