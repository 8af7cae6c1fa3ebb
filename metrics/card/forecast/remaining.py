"""Estimates the time to the planned end of a run, at its own pace."""

from __future__ import annotations

from sixdim.metrics.dimensions.times import gapless, median_epoch_seconds, run_time
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.run import Run

LEAST_SHARE = 0.01
"""The pace of a run without epochs is used after this share of its steps."""


def remaining_seconds(run: Run, facts: Facts) -> float | None:
    """Returns seconds to the planned end; None where no end is planned or the pace is unknown.

    For a run with epochs: the epochs left x the median time of the last ones. For one counted in
    steps: the steps left x the mean time of a step.
    """
    if run.is_over:
        return None
    return _of_steps(run, facts) if run.stepwise else _of_epochs(run, facts)


def _of_epochs(run: Run, facts: Facts) -> float | None:
    planned, usual = facts.count("epochs_planned"), median_epoch_seconds(run)
    if planned is None or usual is None or not run.epochs:
        return None
    left = float(planned) - sum(run.epochs.complete())
    current = run.epochs.get(run.current)
    if current is not None and not current.complete and current.step and current.steps:
        left -= min(1.0, current.step / current.steps)
    return max(0.0, left) * usual if gapless([*run.epochs]) else None


def _of_steps(run: Run, facts: Facts) -> float | None:
    last, passed = run.last_iteration, run_time(run).seconds
    if last is None or last.step is None or not passed or not run.epochs:
        return None
    planned = last.steps or facts.count("steps_planned")
    first = next(iter(run.epochs.values())).first_step
    if planned is None or first is None or last.step - first < LEAST_SHARE * planned:
        return None
    return max(0.0, (planned - last.step) * passed / (last.step - first))
