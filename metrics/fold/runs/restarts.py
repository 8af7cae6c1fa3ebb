"""All rules by which training begins again: inside an epoch, in a run, or after a header."""

from collections.abc import Iterable

from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.runs.run_state import RunState
from sixdim.parsers.events import EpochEnd, Evaluation, Event, Iteration, RunEnd, RunInfo

_CLOSE = 20
"""Most lines from the last line of training to the first line of its evaluation."""
_PAUSE = 20
_PAUSE_US = 60_000_000
"""A pause is longer than this many times the usual time between two lines, and than a minute."""
_FEWEST = 5
"""Lines from which on the usual time is known."""
_FEWEST_FROM_FIRST = 2
"""The same where the line has the epoch's first step, which alone hints at another attempt."""


def covers_other_data(epoch: Epoch, before: Iteration, line: Iteration) -> bool:
    """Returns whether a line close after a whole epoch is of its evaluation, which looks alike.

    It has the epoch's label and counts to a smaller number of steps.
    """
    if line.epoch is None or not epoch.label == line.epoch == before.epoch:
        return False
    if not (line.steps and epoch.steps and epoch.step) or line.steps >= epoch.steps:
        return False
    whole = (epoch.left() or 0) <= max(epoch.lines.gap(), 1)
    return whole and line.at.line - before.at.line <= _CLOSE


def begins_run(run: RunState, event: Iteration | EpochEnd | RunEnd) -> bool:
    """Returns whether a record after a header shows that the header began another run."""
    if isinstance(event, RunEnd):
        return run.end is not None  # the log prints only the rate of each training
    first = run.first_label
    if first is None:
        return False
    label = event.epoch if event.epoch is not None else first
    if label != first:
        return label < first or label - max(run.epochs) > 1 + len(run.epochs)
    if isinstance(event, EpochEnd):
        return True
    first_step, last_step = run.epochs[first].first_step, run.epochs[first].step
    # One program may count its steps from 0, and the next from 1.
    if event.step is None or first_step is None or event.step <= max(first_step, 1):
        return True
    return last_step is not None and event.step > 2 * last_step


def counts_otherwise(
    run: RunState, header: Iterable[Event], event: Iteration | EpochEnd | RunEnd
) -> bool:
    """Returns whether epochs count from 1 with a planned number, and those before do neither."""
    if isinstance(event, RunEnd):
        return False
    first = min(run.epochs, default=None)
    planned = any(isinstance(e, RunInfo) and e.name == "epochs_planned" for e in header)
    return first == 0 and event.epoch == 1 and planned and "epochs_planned" not in run.facts.known


def begins_lower(run: RunState, event: Iteration | EpochEnd) -> bool:
    """Returns whether a label below all others after several of them begins another training."""
    if not isinstance(event, Iteration) or event.epoch is None or not run.epochs:
        return False
    # The lowest label of many epochs is looked for only where the labels fall.
    return (run.current or 0) - event.epoch > 1 and event.epoch < (run.first_label or 0)


def resumes(run: RunState, known: Epoch, event: Iteration | EpochEnd) -> bool:
    """Returns whether an earlier epoch starts again, and the event is no late line of it."""
    if known.label != run.current and _first_epoch_again(run, known, event):
        return True
    if isinstance(event, EpochEnd):
        return _ends_again(run, known, event)
    # Where an epoch is a single line, ranks that write at the same time repeat it.
    if known.first_step == known.step and known.label >= (run.current or 0) - 1:
        return False
    return (
        event.step is not None
        and known.first_step is not None
        and event.step <= known.first_step
        and (
            known.label != run.current
            or known.complete
            or run.part_begins
            or (event.epoch is not None and known.abandoned_for(event.steps))
            or _is_first_repeat(run, known)
            or (event.step == known.first_step and paused(known, event, _FEWEST_FROM_FIRST))
        )
    )


def _ends_again(run: RunState, known: Epoch, event: EpochEnd) -> bool:
    """Returns whether the only line of an epoch comes again with another loss after a failure."""
    failed = run.problems.failed
    if failed is None or known.records or not known.last_line < failed.at.line <= event.at.line:
        return False
    loss = next((value for name, value, *_ in event.values if name == "loss"), None)
    return None not in (loss, known.loss) and loss != known.loss


def _is_first_repeat(run: RunState, known: Epoch) -> bool:
    """Returns whether this repeated step is the first; mixed ranks repeat some in each epoch."""
    before = run.epochs.get(known.label - 1)
    whole = before is not None and before.complete and before.records > 1
    return whole and run.checks.repeats == 1


def _first_epoch_again(run: RunState, known: Epoch, event: Iteration | EpochEnd) -> bool:
    """Returns whether the run's first epoch begins again after later ones were trained.

    If several were trained, or another number of epochs is planned, its first step may be any that
    is lower than its last one, its only step, or any of another number of steps. For a line that
    only names the epoch, which stands at its beginning, one later epoch is enough.
    """
    after = (run.current or 0) - known.label
    if after < 1 or known.label != run.first_label:
        return False
    if isinstance(event, EpochEnd):
        evaluated = run.evaluations.ends("label")[1] == run.current
        several = after > 1 or run.replanned or evaluated  # else it may be a late line of it
        return several and (not known.records or goes_far_back(run.current, event))
    if event.step is None:
        return after > 1 or event.loss is None
    several = after > 1 or run.replanned
    if not several or known.step is None or known.first_step is None:
        return False
    return event.step < max(known.step, known.first_step + 1) or event.steps != known.steps


def evaluates_anew(run: RunState, event: Evaluation) -> bool:
    """Returns whether an evaluation of an earlier epoch shows that another training has begun.

    In a log without lines of training, or with headings of epochs alone, any earlier epoch shows
    it. In other logs only the first one, or one before it, does: their lines of training show the
    rest.
    """
    (first, last), label = run.evaluations.ends("label"), event.epoch
    if first is None or last is None or label is None or label >= last:
        return False
    if label <= first:
        return last - label > 1
    epoch = run.epochs.get(label)
    headed = epoch is not None and not epoch.ended and epoch.step is epoch.loss is None
    return (headed or not run.epochs) and label in run.evaluations.column("label")


def steps_fall(run: RunState, event: Evaluation) -> bool:
    """Returns whether evaluations begin again at the first step of a run that names no epoch."""
    if run.has_epochs or event.step is None:
        return False
    first, last = run.evaluations.ends("step")
    return first is not None and event.step <= first < (last or 0)


def falls_back(run: RunState, event: Iteration) -> bool:
    """Returns whether a progress line has a lower epoch, or step of the epoch, than the one before.

    The same step with another loss shows as much in a log that repeated none before. So does a line
    that only names the same epoch once more, if its time stamp shows that it was not left in a
    buffer: loggers, which write time stamps, write each line at once.
    """
    before, epoch = run.last_iteration, run.open_epoch
    if before is None or before.at.rank != event.at.rank:
        return False
    if event.at.time_us is not None and event == Iteration(event.at, before.epoch, None):
        return event.epoch is not None and before == Iteration(before.at, before.epoch, None)
    of_steps = before.epoch == event.epoch
    last, now = (before.step, event.step) if of_steps else (before.epoch, event.epoch)
    if last is None or now is None or now > last:
        return False
    if epoch is None or not of_steps or event.loss == before.loss:
        return now < last
    return now < last or _is_first_repeat(run, epoch)


def goes_far_back(current: int | None, event: EpochEnd) -> bool:
    """Returns whether a logger's line ends an epoch two or more before the current one.

    A late line of the epoch before does not show that training began again, and neither does a line
    without a time stamp, which a buffer may have held: the next trial of a sweep prints such lines.
    """
    if event.epoch is None or current is None or event.at.time_us is None:
        return False
    return current - event.epoch > 1


def paused(epoch: Epoch, line: Iteration, fewest: int = _FEWEST) -> bool:
    """Returns whether nothing was logged for long between the last line of an epoch and this line.

    The usual time between two lines is known from `fewest` lines on.
    """
    last, begin, now = epoch.end_us, epoch.start_us, line.at.time_us
    if last is None or begin is None or now is None or epoch.records < fewest:
        return False
    usual = (last - begin) / (epoch.records - 1)
    return now - last > max(_PAUSE * usual, _PAUSE_US)
