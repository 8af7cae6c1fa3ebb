"""Whether a run has done all that it was to do."""

from __future__ import annotations

from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.run import Run


def plan_done(run: Run, facts: Facts) -> bool:
    """Whether the epochs, or the steps of the whole run, that were planned are done.

    Epochs count from 0 where the log has an epoch 0, else from 1. Of steps the last line may
    stand before the last step, as long as the next line would stand behind it.
    """
    epochs_planned = facts.count("epochs_planned")
    if run.has_epochs:
        over = run.completed()
        if epochs_planned is None:
            return _has_all_steps(run)
        if not over:
            return False
        return max(over) >= epochs_planned - (min(over) == 0)
    last = run.last_iteration
    if last is None or last.step is None:
        return False
    steps = last.steps or facts.count("steps_planned")
    if steps is None:
        return False
    (all_steps,) = run.epochs.values()
    between = max(all_steps.records - 1, 1)
    interval = (last.step - (all_steps.first_step or 0)) / between
    return last.step + max(interval, 1) > steps


def _has_all_steps(run: Run) -> bool:
    """Whether the last line has the last step of a run whose steps count on in each epoch."""
    last = run.last_iteration
    if last is None or last.epoch is None or last.step is None or last.step != last.steps:
        return False
    epoch, before = run.epochs.get(last.epoch), run.epochs.get(last.epoch - 1)
    if epoch is None or before is None or before.step is None or epoch.first_step is None:
        return False
    return before.steps == last.steps and epoch.first_step > before.step
