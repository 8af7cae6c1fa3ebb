"""Forecasts when one run meets all conditions of its target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from sixdim.metrics.card.forecast.forecast import LATEST, Band, Forecast, forecast
from sixdim.metrics.dimensions.accuracy import accuracy_model
from sixdim.metrics.dimensions.times import usual_epoch_time
from sixdim.metrics.fold.epochs.evaluation import EvaluationRow
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.convergence import Condition
from sixdim.metrics.values.points import EvaluationPoint

_USUAL = 20
"""Number of last evaluations whose clock gives the usual time of a step."""


def run_forecast(run: Run) -> Forecast:
    """Forecasts when a run meets all of its target, in epochs or steps, without a time."""
    if run.target is None:
        return Forecast(reason="no target: --target acc1>75.9")
    if run.frozen:
        return Forecast(reason="the target is met")
    if run.is_over:
        return Forecast(reason="the run is over")
    rows = run.evaluations[-LATEST:]
    each = [_of_condition(run, condition, rows) for condition in run.target.conditions]
    missing = [one for one in each if one is not None]
    for one in missing:
        if one.band is None:
            return one
    if len({(one.unit, one.last) for one in missing}) != 1:
        return Forecast(reason="the conditions of the target are evaluated apart")
    bands = [one.band for one in missing if one.band is not None]
    latest = Band(*(max(numbers) for numbers in zip(*bands, strict=True)))
    return replace(missing[0], band=latest)


def with_times(run: Run, forecast: Forecast) -> Forecast:
    """Adds the time to a forecast, by the usual duration of the run's epochs or steps."""
    if forecast.band is None:
        return forecast
    usual = usual_epoch_time(run) if forecast.unit == "epoch" else None
    seconds = usual.seconds if usual is not None else _clocked(run, forecast.unit)
    return forecast if seconds is None else replace(forecast, seconds=forecast.band.times(seconds))


def _of_condition(run: Run, goal: Condition, rows: Sequence[EvaluationRow]) -> Forecast | None:
    """Returns the forecast of one condition; None where the last evaluation meets it."""
    model = accuracy_model(run, goal.metric)
    having = [row for row in rows if goal.metric in row.places and row.model == model]
    higher = not having or having[-1].metric(goal.metric).higher_is_better
    if having and goal.met(having[-1].value(goal.metric), higher):
        return None
    points = [
        EvaluationPoint(run.epoch_of(row), row.step, row.value(goal.metric), row.line)
        for row in having
    ]
    minimise = goal.minimise if goal.operator != "=" else not higher
    return forecast(points, goal.value, minimise)


def _clocked(run: Run, unit: str) -> float | None:
    """Returns the usual seconds of an epoch, step or evaluation, by the evaluations' clock."""
    rows = run.evaluations[-_USUAL:]
    labels = [
        run.epoch_of(row) if unit == "epoch" else row.step if unit == "step" else place
        for place, row in enumerate(rows)
    ]
    stamps = [
        (label, row.at.time_us)
        for label, row in zip(labels, rows, strict=True)
        if label is not None and row.at.time_us is not None
    ]
    paces = sorted(
        (end - begin) / 1e6 / (b - a)
        for (a, begin), (b, end) in pairwise(stamps)
        if b > a and end > begin
    )
    return paces[len(paces) // 2] if paces else None
