"""How much of its plan a run has trained, and how long the rest will take."""

from __future__ import annotations

from itertools import islice, pairwise

from sixdim.metrics.dimensions.clock_coverage import gapless
from sixdim.metrics.dimensions.speed.epoch_figures import (
    Sizes,
    iteration_seconds,
    may_count_samples,
    steps_before,
)
from sixdim.metrics.dimensions.speed.epoch_speed import method_of
from sixdim.metrics.dimensions.times import EpochTime, run_time, usual_epoch_time
from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.last_epoch import counts_on
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.remaining import NO_PLAN, Remaining

LEAST_SHARE = 0.01
"""A pace is used when it was measured over this share of the steps."""
_USUAL = 8
"""Number of the last epochs whose speed is used where the log times nothing else."""


def remaining(run: Run, facts: Facts) -> Remaining:
    """Returns what is left of a run's plan, unless it is over, or the last lines say it failed.

    For a run with epochs: the epochs left x the median time of the last ones. For one counted in
    steps: the steps left x the mean time of a step.
    """
    if run.is_over or run.problems.failed is not None or run.interleaved is not None:
        return NO_PLAN
    if not run.epochs:  # a log of evaluations alone times nothing
        done, planned = run.evaluated(), facts.count("epochs_planned")
        return Remaining(min(1.0, done / float(planned))) if done and planned else NO_PLAN
    return _of_steps(run, facts) if run.stepwise else _of_epochs(run, facts)


def _of_epochs(run: Run, facts: Facts) -> Remaining:
    labels, planned = [*run.epochs], facts.count("epochs_planned") or _only(run, facts)
    if not planned or not gapless(labels):
        return NO_PLAN
    current = run.epochs.get(run.current)
    over, part = sum(run.epochs.complete()), 0.0
    if current is not None and (not current.complete or _goes_on(current)):
        over, part = over - current.complete, _share(current)
    # A resumed run has trained the epochs before its first label, which may count from 0 or 1;
    # labels above the plan show that the plan is that of the resumed part alone.
    before = max(0, min(labels) - 1) if max(labels) <= planned else 0
    trained = before + over + part
    if part and current is not None and counts_on(run, current):
        trained = part * planned  # the total after the steps is that of the run
    share = min(1.0, trained / float(planned))
    usual = usual_epoch_time(run) or _by_speed(run)
    seconds = usual.seconds if usual is not None else None
    if usual is None and current is not None:
        seconds = _pace(current, facts if planned == 1 else None)
    if not seconds:
        return Remaining(share)
    evaluated = usual is not None and (usual.evaluated or not run.evaluations)
    return Remaining(share, max(0.0, float(planned) - trained) * seconds, not evaluated)


def _only(run: Run, facts: Facts) -> int | None:
    """Returns 1 if the first epoch has all planned steps, as of data whose length is unknown."""
    epoch = run.epochs.get(run.current)
    said = facts.count("steps_planned") if len(run.epochs) == 1 else None
    return 1 if said and epoch is not None and epoch.steps == said else None


def _goes_on(epoch: Epoch) -> bool:
    """Returns whether an evaluation inside the epoch made it over: more than a line is left."""
    if epoch.ended or not (epoch.steps and epoch.step and epoch.begins_before(epoch.step)):
        return False
    return (epoch.left() or 0) > epoch.lines.gap()


def _share(epoch: Epoch) -> float:
    """Returns the share of an epoch that its steps show as trained."""
    return min(1.0, epoch.step / epoch.steps) if epoch.step and epoch.steps else 0.0


def _pace(epoch: Epoch, facts: Facts | None) -> float | None:
    """Returns the seconds of a whole epoch at the pace of its first steps.

    Args:
        epoch: The epoch.
        facts: The run's, if it has no other epoch, so that the steps are those of this one: then
            the times that its lines give count where the log has no clock.
    """
    first, last, steps = epoch.first_step, epoch.step, epoch.steps
    if first is None or last is None or not steps or last - first < LEAST_SHARE * steps:
        return None
    if epoch.start_us is not None and epoch.end_us is not None:
        return (epoch.end_us - epoch.start_us) / 1e6 * steps / (last - first)
    if facts is None or Sizes.of(facts).not_iterations or may_count_samples(epoch):
        return None
    seconds = iteration_seconds(epoch)
    return seconds and seconds * steps


def _by_speed(run: Run) -> EpochTime | None:
    """Returns the usual time of an epoch's training pass: its iterations / their speed."""
    sizes = Sizes(fractional_times=run.fractional_times)
    method = method_of(run, sizes)
    if method.unit != "it/s":
        return None
    latest = [*islice(run.epochs.latest(), _USUAL + 1)]
    rates = {epoch.label: rate for epoch, rate in method.throughputs(latest, sizes)}
    passes = sorted(
        steps / rates[epoch.label]
        for later, epoch in pairwise(latest)
        if rates.get(epoch.label) and (steps := steps_before(later, epoch))
    )
    return EpochTime(passes[len(passes) // 2], evaluated=False) if passes else None


def _of_steps(run: Run, facts: Facts) -> Remaining:
    epoch = next(iter(run.epochs.values()))
    step, first, said = epoch.step, epoch.first_step, facts.count("steps_planned")
    planned = epoch.steps or said
    # Steps that begin again, and those of a log that plans epochs, are of one pass of several.
    of_pass = run.may_be_several or (said is None and (facts.count("epochs_planned") or 1) > 1)
    if step is None or first is None or not planned or of_pass:
        return NO_PLAN
    share, left = min(1.0, step / float(planned)), max(0.0, float(planned) - step)
    if step - first < LEAST_SHARE * float(planned):
        return Remaining(share)
    if passed := run_time(run).seconds:
        return Remaining(share, left * passed / (step - first))
    # Without a clock, a bar may be the first of many: only steps that the log plans are the run's.
    seconds = None if said is None or Sizes.of(facts).not_iterations else iteration_seconds(epoch)
    return Remaining(share, left * seconds, bool(run.evaluations)) if seconds else Remaining(share)
