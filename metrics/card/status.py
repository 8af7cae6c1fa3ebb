"""Where a run stands: training, converged, finished, incomplete or failed."""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.metrics.fold.run import Run
from sixdim.metrics.values.card import Caution, Status


def status(run: Run, epochs_planned: int | None, steps_planned: int | None = None) -> Status:
    """Returns the status of the run, with the epochs and steps that it means to train.

    A run whose input has ended is finished if the log has a closing line, or if all planned epochs
    or steps are done. Otherwise it is incomplete, because it may have been killed.
    """
    if run.freeze is not None:
        return Status.CONVERGED
    if run.failed is not None and (run.is_over or run.failed.kind == "nan_loss"):
        return Status.FAILED
    if run.end is not None or (run.ended and plan_done(run, epochs_planned, steps_planned)):
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


def plan_done(run: Run, epochs_planned: int | None, steps_planned: int | None = None) -> bool:
    """Whether the epochs, or the steps of a run without epochs, that were planned are done.

    Epochs count from 0 where the log has an epoch 0, else from 1. Of steps the last line may
    stand before the last step, as long as the next line would stand behind it.
    """
    if run.has_epochs:
        over = run.completed()
        if not over or epochs_planned is None:
            return False
        return max(over) >= epochs_planned - (min(over) == 0)
    last = run.last_iteration
    if last is None or last.step is None:
        return False
    steps = last.steps or steps_planned
    if steps is None:
        return False
    (all_steps,) = run.epochs.values()
    between = max(all_steps.records - 1, 1)
    interval = (last.step - (all_steps.first_step or 0)) / between
    return last.step + max(interval, 1) > steps
