"""Where a run stands: training, converged, finished, incomplete or failed."""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.metrics.fold.facts import Facts
from sixdim.metrics.fold.run import Run
from sixdim.metrics.values.card import Caution, Status


def status(run: Run, facts: Facts) -> Status:
    """Returns the status of the run.

    A run whose input has ended is incomplete where it is not `complete`: it may have been killed.
    """
    if run.freeze is not None:
        return Status.CONVERGED
    if run.failed is not None and (run.is_over or run.failed.kind == "nan_loss"):
        return Status.FAILED
    if complete(run, facts):
        return Status.FINISHED
    if run.is_over:
        return Status.INCOMPLETE
    return Status.TRAINING if run.started else Status.WAITING


def unfinished(run: Run, status: Status) -> Iterator[Caution]:
    """The warning of an incomplete run: the last line that training printed."""
    if status is Status.INCOMPLETE and run.started:
        last = run.last_iteration.at.line if run.last_iteration is not None else None
        text = "no closing line: the run may have been stopped, or go on"
        yield Caution("incomplete", text, () if last is None else (last,))


def complete(run: Run, facts: Facts) -> bool:
    """Whether the log has a closing line, or ends with all planned epochs or steps done."""
    return run.end is not None or (run.ended and _plan_done(run, facts))


def _plan_done(run: Run, facts: Facts) -> bool:
    """Whether the epochs, or the steps of a run without epochs, that were planned are done.

    Epochs count from 0 where the log has an epoch 0, else from 1. Of steps the last line may
    stand before the last step, as long as the next line would stand behind it.
    """
    epochs_planned = facts.count("epochs_planned")
    if run.has_epochs:
        over = run.completed()
        if not over or epochs_planned is None:
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
