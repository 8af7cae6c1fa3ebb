"""Finds the epoch of a record of training; begins and resumes epochs."""

from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.runs.endings import finish_current
from sixdim.metrics.fold.runs.restarts import begins_lower, resumes
from sixdim.metrics.fold.runs.run_state import RunState
from sixdim.parsers.events import EpochEnd, Iteration, Problem


def epoch_of(run: RunState, label: int, event: Iteration | EpochEnd) -> Epoch | None:
    """Returns the epoch of a label; None where it is frozen and must not change."""
    named = event.epoch
    run.names_zero = run.names_zero or named == 0
    known = run.epochs.changing(label)
    if known is None and run.current == 0 and not run.names_zero and _name_first(run, event):
        known = run.epochs.changing(label)
    again = begins_lower(run, event) if known is None else resumes(run, known, event)
    met = run.freeze.met
    if met is not None and run.sealed(label):
        if again or label not in (run.current, met.label):
            text = f"epoch {label} again after the freeze: it changes nothing"
            run.note(Problem(event.at, "after_freeze", text))
            return None
        if label != run.current or (run.has_epochs and isinstance(event, Iteration)):
            return None
    if again:
        resume(run, label, event)
        known = None
    elif known is not None and len(run.epochs) == 1 and known.named_again(event):
        run.epochs.cut(label)  # what named it first was a run that trained nothing
        run.clock.iterate_again(event)
        known = None
    if known is None:
        finish_current(run)
        known = run.open_epoch = Epoch(label, event.at.line, event.at.offset)
        run.epochs.add(known)
        run.current = label
        if run.evaluated_step is not None:
            known.evaluated(run.evaluated_step)
            run.evaluated_step = None
    if run.part_begins:
        run.part, run.part_begins = label, False
    return known


def _name_first(run: RunState, event: Iteration | EpochEnd) -> bool:
    """Gives the first epoch, whose lines name none, the label that a later line shows.

    A line of a whole epoch has the label of the steps in front of it. Any other line shows that the
    label of the last evaluation is the first epoch's if its own label follows that one.

    Returns:
        Whether the record is of the epoch that was given its label.
    """
    if len(run.epochs) != 1 or 0 not in run.epochs or event.epoch is None:
        return False
    ends = isinstance(event, EpochEnd)
    label = event.epoch if ends else run.evaluations.ends("label")[1]
    if label is None or (label != event.epoch - 1 and not ends):
        return False
    if label == 0:
        run.names_zero = True
        return False
    (first,) = run.epochs.values()
    if ends and first.step is None:
        return False
    run.epochs.cut(0)
    first.label = label
    run.epochs.add(first)
    run.current, run.part = label, label if run.part == 0 else run.part
    return ends


def resume(run: RunState, label: int, event: Iteration | EpochEnd) -> None:
    """Removes the epochs from a label on, with their records and evaluations.

    Where steps without an epoch begin again after their last one, the evaluations that are removed
    may be of earlier epochs of the same training.
    """
    run.part_begins, run.end, run.went_on = True, None, False
    highest = run.epochs.highest
    first, last = run.repeated or (label, label)
    run.repeated = min(first, label), max(last, label, label if highest is None else highest)
    known = run.epochs.get(label)
    run.may_be_several |= event.epoch is None and known is not None and known.complete
    if isinstance(event, Iteration):
        run.checks.begin_again(event)
    announced = run.epochs.begun_by_one_line()  # in front of a buffer's
    if event.epoch is not None and not announced:  # else steps begin again, as the checks report
        text = f"epoch {label} begins again: the later one counts"
        run.note(Problem(event.at, "resume", text))
    if label <= (run.first_label or 0):
        label = min(label, 0, *run.epochs)  # what stands before the first label goes, too
    if run.records.wanted:
        run.records.cut(run.epochs.first_line_from(label))
    run.epochs.cut(label)
    before, frozen = run.evaluations.below(label), run.freeze.size
    if frozen is not None:
        before = [*range(frozen), *(place for place in before if place >= frozen)]
    run.evaluations = run.evaluations.chosen(before)
    if not run.epochs:
        run.clock.iterate_again(event)
        run.windows = run.windows.again()
        run.after.clear()  # they are evaluations of the training before
