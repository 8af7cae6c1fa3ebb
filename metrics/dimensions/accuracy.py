"""Accuracy: the metric at the evaluation that ends the run, compared with the target.

Source: DeepSpark `six_dimension_howto.md`: the converged value, not the best one.
"""

import math
from collections import Counter
from typing import NamedTuple

from sixdim.metrics.dimensions.accuracy_metric import ERROR, accuracy_metric, metrics_of_training
from sixdim.metrics.fold.checks.interleaving import INTERLEAVED
from sixdim.metrics.fold.epochs.evaluation import EvaluationRow
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.card import Dimension, Evidence, Json, State, finite, unknown
from sixdim.metrics.values.nearest import nearest

_SEVERAL = "the evaluations are of several trainings, and no line tells them apart"
_ALIKE = "several evaluations follow each other, and nothing shows which is the run's"
_BETTER = 0.01
"""Part by which a figure that the log states is better than another one, however it is rounded."""
_ROUNDED_PERCENT = 0.051
"""What rounding to tenths may add to a percentage."""


def accuracy_model(run: Run, metric: str) -> str:
    """Returns the model whose evaluations count: the one that met the target, else `raw`.

    If the raw model has no evaluations, it is the model of the latest one.
    """
    if run.freeze.met is not None:
        return run.freeze.met.model
    models = run.evaluations.models(metric)
    return models[0] if models and "raw" not in models else "raw"


def relevant(run: Run, metric: str) -> list[EvaluationRow]:
    """Returns the evaluations with the metric, of the model that counts, until the freeze."""
    places = run.evaluations.having(metric, accuracy_model(run, metric), run.freeze.size)
    return [run.evaluations[place] for place in places]


class History(NamedTuple):
    """The evaluations of one model, summarised for one metric.

    Attributes:
        size: Number of evaluations.
        last: The last one.
        best: The best finite value among evaluations on the data and in the unit of the last one.
        higher_is_better: Whether higher is better: also of errors below 0, which are negated, as
            scikit-learn's `neg_mean_absolute_error`. Small errors in decibels are below 0, too.
    """

    size: int
    last: EvaluationRow
    best: float | None
    higher_is_better: bool


def history(
    run: Run, metric: str, model: str | None = None, *, frozen: bool = True
) -> History | None:
    """Summarises the evaluations of one model for a metric; None where there are none.

    By default the model is the one that counts. With `frozen`, those after the freeze do not.
    """
    wanted = accuracy_model(run, metric) if model is None else model
    evaluations = run.evaluations
    places = evaluations.having(metric, wanted, run.freeze.size if frozen else None)
    if not places:
        return None
    last = evaluations[places[-1]]
    values = [*filter(math.isfinite, evaluations.values(metric, places, last))]
    figure = evaluations[places[0]].metric(metric)
    below = min(values, default=0) < 0 and max(values, default=0) <= 0
    negated = below and figure.unit != "dB" and ERROR.search(metric) is not None
    higher = negated or figure.higher_is_better
    if higher and 0 <= last.value(metric) <= 1 < max(values, default=0):
        values = _without_percentages(values)
    best = (max if higher else min)(values, default=None)
    return History(len(places), last, best, higher)


def _without_percentages(values: list[float]) -> list[float]:
    """Returns fractions without the values that repeat the one beside them in percent.

    A program may print one evaluation as `accuracy: 68.98` and as `accuracy=0.689794`. If one of
    the values above 1 repeats none, all are of one scale.
    """
    around = zip(values, [math.inf, *values], [*values[1:], math.inf], strict=False)
    above = [one for one in around if one[0] > 1]
    repeats = all(
        any(abs(value - 100 * one) <= _ROUNDED_PERCENT for one in beside)
        for value, *beside in above
    )
    return [value for value in values if value <= 1] if repeats else values


def _unseen(run: Run, seen: History) -> bool:
    """Returns whether the best value may be that of an epoch that the log does not show.

    Then one line names several epochs and is all that the log has of one, as the last picture of a
    screen in a file. So may it where the evaluations before may be another training's.
    """
    if run.may_be_several and not run.has_epochs:
        return True
    if 2 * seen.size > len(run.epochs):
        return False
    lines = run.epochs.column("first_line")
    epochs_of = Counter(lines)
    records = run.epochs.column("records")
    return any(epochs_of[at] > 1 and not read for at, read in zip(lines, records, strict=True))


def _states_better(run: Run, metric: str, seen: History) -> bool:
    """Returns whether the log states a better figure as its best than its evaluations have."""
    stated, best = run.summary.get(f"best {metric}") or run.summary.get("best"), seen.best
    if stated is None or best is None:
        return False
    value = stated[0].value
    if (0 <= value <= 1) != (0 <= best <= 1) and seen.higher_is_better:
        value, best = (value, best / 100) if value <= 1 else (value / 100, best)
    least = _BETTER * abs(best)
    return value > best + least if seen.higher_is_better else value < best - least


def accuracy(run: Run) -> Dimension:
    """Returns the accuracy dimension."""
    metric = accuracy_metric(run)
    seen = history(run, metric)
    if seen is None:
        return _none(run, metric)
    last = seen.last
    may_be_another = run.may_be_several and not (run.has_epochs or run.frozen)
    trained = run.last_iteration is not None and run.last_iteration.at.line > last.line
    if may_be_another and trained and last != run.evaluations[-1]:
        return unknown(_SEVERAL, details={"metric": metric}, over=run.is_over)
    alike = run.problems.latest.get("evaluations_alike")
    if alike is not None and last.label is last.step is None and last.line < alike.at.line:
        return unknown(_ALIKE, details={"metric": metric})
    mixed = run.interleaved if not run.frozen else None
    if mixed is not None and last.line >= mixed[0]:
        return unknown(INTERLEAVED, details={"metric": metric}, over=run.is_over)
    value = last.value(metric)
    details: dict[str, Json] = {
        "metric": metric,
        "epoch": run.epoch_of(last),
        "best": None
        if _unseen(run, seen) or _states_better(run, metric, seen)
        else finite(seen.best),
    }
    if not seen.higher_is_better:
        details["lower_is_better"] = True
    until = run.freeze.size
    if last.data and len(run.evaluations.data(metric, last.model, until)) > 1:
        details["data"] = last.data
    if seen.size < (until or len(run.evaluations)) or last.model != "raw":
        details.update(_models(run, metric, last.model))
    final = run.is_final
    reason = "" if final else "the last evaluation so far"
    if run.target is not None and not run.frozen:
        reason = f"target {run.target} not met" + ("" if run.is_over else " yet")
    if not math.isfinite(value):
        # A format gives nan for an evaluation whose value the log leaves out.
        gives = "no number" if math.isnan(value) else str(value)
        reason = f"the last evaluation gives {gives}"
    return Dimension(
        finite(value),
        last.metric(metric).unit,
        State.FINAL if final else State.RUNNING,
        reason,
        details,
        Evidence((last.line,)),
    )


def _models(run: Run, metric: str, model: str) -> dict[str, Json]:
    """Returns the model that the accuracy is of, and the figures of the other models."""
    models = {*run.evaluations.models(metric, run.freeze.size)}
    out: dict[str, Json] = {} if models == {"raw"} else {"model": model}
    others: dict[str, Json] = {}
    for other in sorted(models - {model}):
        seen = history(run, metric, other)
        if seen is not None:
            others[other] = {
                "last": finite(seen.last.value(metric)),
                "best": finite(seen.best),
                "line": seen.last.line,
            }
    if others:
        out["other_models"] = others
    return out


def _none(run: Run, metric: str) -> Dimension:
    seen = sorted(metrics_of_training(run))
    if seen:
        known = ", ".join(seen)
        near = nearest(metric, seen)
        meant = f"did you mean {near}? It" if near else "it"
        reason = f"the log has no metric {metric!r}; {meant} has {known}"
        if not metric:
            reason = f"none of {known} is known as an accuracy: --target names one"
    elif run.mixed:
        return unknown(_SEVERAL)
    elif not run.is_over:
        reason = "waits for the first evaluation"
    elif "evaluations_alike" in run.problems.counts:
        reason = _ALIKE
    elif run.evaluations:
        reason = "the model was evaluated only before the training, and not after it"
    else:
        reason = "no evaluation was read from the log"
    return unknown(reason, over=run.is_over)
