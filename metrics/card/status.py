"""The status of a run: training, converged, finished, incomplete or failed."""

from collections.abc import Iterator

from sixdim.metrics.fold.runs.endings import plan_done
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.card import Caution, Status


def status(run: Run, facts: Facts) -> Status:
    """Returns the status of the run.

    A run whose input has ended is incomplete if it is not `complete`: it may have been killed.
    """
    if run.frozen:
        return Status.CONVERGED
    if run.problems.failed is not None and (run.is_over or run.problems.failed.kind == "nan_loss"):
        return Status.FAILED
    if complete(run, facts):
        return Status.FINISHED
    if run.is_over:
        return Status.INCOMPLETE
    return Status.TRAINING if run.started else Status.WAITING


def unfinished(run: Run, status: Status) -> Iterator[Caution]:
    """Warns of an incomplete run, with the last line that training printed."""
    if status is Status.INCOMPLETE and run.started:
        last = run.last_iteration.at.line if run.last_iteration is not None else None
        text = "no closing line: the run may have been stopped, or go on"
        yield Caution("incomplete", text, () if last is None else (last,))


def complete(run: Run, facts: Facts) -> bool:
    """Returns whether the log has a closing line, or ends with all planned epochs or steps done."""
    return run.end is not None or (run.ended and plan_done(run, facts))
