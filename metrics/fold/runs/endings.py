"""All rules by which a run is over, and by which it goes on after all."""

from itertools import compress
from operator import eq

from sixdim.metrics.fold.checks.problems import BUFFER
from sixdim.metrics.fold.epochs.epoch import measured
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.last_epoch import (
    begins_with_zero,
    counts_on,
    is_as_long,
    lacks_its_end,
)
from sixdim.metrics.fold.runs.run_evaluations import leave_out_evaluations
from sixdim.metrics.fold.runs.run_state import RunState
from sixdim.parsers.events import EpochEnd, Iteration, Origin, RunEnd


def plan_done(run: RunState, facts: Facts) -> bool:
    """Returns whether all planned epochs are done, or all planned steps of the whole run.

    Epochs count from 0 where the log has an epoch 0, else from 1. In a log without lines of
    training its evaluations show how many are done. The last line may stand before the last step,
    if the line after it would stand after that step. A number of epochs that is only assumed does
    not show the end, unless the settings ask for it, too: one more epoch may follow.
    """
    epochs_planned = facts.count("epochs_planned")
    assumed = facts.count("epochs_assumed")
    if assumed is not None and assumed == epochs_planned != facts.count("epochs_set"):
        return False
    if epochs_planned is not None and run.evaluated() == epochs_planned:
        labels = run.evaluations.column("label")
        return bool(labels[-1] == max(labels))  # else the evaluations have begun again
    if run.has_epochs:
        over = run.completed()
        if epochs_planned is None:
            return _has_all_steps(run)
        if not over:
            return False
        return max(over) >= epochs_planned - (min(over) == 0)
    last = run.last_iteration
    if last is None or ((facts.count("epochs_set") or 1) > 1 and not facts.count("steps_planned")):
        return False  # several epochs are planned, and no line names one: they did not begin yet
    (all_steps,) = run.epochs.values()
    step, steps = all_steps.step, all_steps.steps or facts.count("steps_planned")
    if step is None or steps is None:
        return False
    again = run.windows.begin_again() or run.windows.alternate
    if again or (all_steps.records > 1 and all_steps.first_step == step):
        return False  # these are the steps of epochs without a name, and more may follow
    between = max(all_steps.records - 1, 1)
    interval = (step - (all_steps.first_step or 0)) / between
    # A step far above the planned number shows that this is the number of something else.
    return steps - max(interval, 1) < step <= steps + max(interval, 1)


def _has_all_steps(run: RunState) -> bool:
    """Returns whether a run that counts steps through all epochs has reached its last step."""
    epoch = run.open_epoch
    if epoch is None or epoch.step is None or epoch.steps is None:
        return False
    return epoch.steps - epoch.step == begins_with_zero(run) and counts_on(run, epoch)


def goes_on(run: RunState, event: Iteration | EpochEnd) -> bool:
    """Returns whether a record after the closing line shows that training goes on."""
    if event.at.rank not in (None, 0):
        return False  # another process, that is not done yet
    if isinstance(event, EpochEnd):
        # Without any epochs it is the figure of the run's only epoch.
        return bool(run.epochs) and event.epoch not in run.epochs
    if event.epoch is not None:
        is_last = event.steps is not None and event.step == event.steps  # a bar's last drawing
        return event.epoch not in run.epochs and not is_last
    last = run.last_iteration
    return last is None or (event.step or 0) > (last.step or 0)


def trained_after(run: RunState, at: Origin) -> bool:
    """Returns whether a record of training follows a line."""
    last = run.last_iteration
    if last is not None and (last.at.file, last.at.line) > (at.file, at.line):
        return True
    return run.open_epoch is not None and run.open_epoch.last_line > at.line


def began_anew(run: RunState, end: Origin) -> bool:
    """Returns whether a program that failed before it trained began again, by a later header.

    What a program printed before its traceback may follow it, as far as its buffer holds it.
    """
    failed = run.problems.failed
    if failed is None or run.started or failed.at.file != end.file:
        return False
    return run.last_header > failed.at.line and end.offset - failed.at.offset > BUFFER


def overcame_failure(run: RunState) -> bool:
    """Returns whether the epochs that do all that was planned came after a fatal problem.

    They did if the program printed its header again after the problem, or if the last line has a
    later time than the line of the problem: a logger stamps a line before any buffer holds it. They
    did as well if the log holds less text before the problem than a buffer does, and epochs are
    named in it: then the program buffers nothing. An epoch with lines on both sides of the problem
    leaves that open.
    """
    failed = run.problems.failed
    if failed is None or failed.kind == "nan_loss":
        return False
    line, failed_us, last_us = failed.at.line, failed.at.time_us, run.clock.last_us
    begins, ends = run.epochs.column("first_line"), run.epochs.column("last_line")
    whole = compress(begins, run.epochs.complete())
    if line >= max(whole, default=0):
        return False
    across = any(begin < line < end for begin, end in zip(begins, ends, strict=True))
    unbuffered = run.problems.epochs_named and failed.at.offset <= BUFFER and not across
    later = failed_us is not None and last_us is not None and last_us > failed_us
    return line < run.last_header or unbuffered or later


def finish_current(run: RunState, *, cut: bool = False) -> None:
    """Finishes the current epoch; with `cut` the run has ended, maybe inside that epoch."""
    last = run.open_epoch
    if last is not None and last.label == run.current and last.complete:
        return
    epoch = None if run.current is None else run.epochs.changing(run.current)
    if epoch is not None:
        epoch.cut = epoch.cut or (cut and not epoch.complete)
        if run.sealed(epoch.label):
            epoch.complete = True  # its figures stay as they were at the freeze
        else:
            epoch.finish()


def end_run(run: RunState, event: RunEnd) -> None:
    """Folds a line by which a run, or a part of it, ends."""
    if event.word:
        if run.epochs and run.part_ended is None:
            run.part_ended = event
        return
    sentence, parts, epochs = event.sentence, run.epochs_of_parts, len(run.epochs)
    if sentence and run.end and run.end.sentence and "resume" not in run.problems.counts:
        # `Early stopping`, and after it: `Training completed in 1887.9s`
        run.end = run.end._replace(duration=run.end.duration or measured(event.duration))
    if sentence and (run.end or not (run.epochs or run.evaluations)):
        if run.after and not run.epochs:
            leave_out_evaluations(run, event.at)
        return
    run.epochs_of_parts = epochs
    if sentence and _of_first_epoch(run):
        run.part_ended, run.went_on = event, True
        return
    if sentence and run.went_on:
        # It may be the last part; a sentence after each epoch ends none.
        run.part_ended = event if epochs > parts + 1 else None
        return
    run.end = event
    if (event.duration, event.throughput, event.epochs) != (None, None, None):  # few have any
        run.end = event._replace(
            duration=measured(event.duration),
            throughput=measured(event.throughput),
            epochs=measured(event.epochs),
        )
    if event.throughput is not None and not run.unit:
        run.set_unit(event.unit, event.scope)
    if not event.midway:
        finish_current(run, cut=True)


def _of_first_epoch(run: RunState) -> bool:
    """Returns whether only the first of several planned epochs was trained.

    A sentence after it (`Finish Train`, before the validation) may stand after each one of them.
    """
    planned = run.facts.count("epochs_planned") or run.facts.count("epochs_set") or 0
    return len(run.epochs) == 1 and max(run.current or 0, 1) < planned


def take_back_end(run: RunState) -> None:
    """Removes the end of a run, since training goes on after it."""
    run.went_on |= run.end is not None and run.end.sentence
    run.end = None


def _ends_run(run: RunState, end: RunEnd) -> bool:
    """Returns whether the input ends after a line that may end the run, or a part of it.

    The first `Done!` of a log must not stand between two epochs or after the first one: then it may
    be a checkpoint that is done.
    """
    enough = not end.word or len(run.epochs) > 1 or not run.has_epochs
    return enough and not trained_after(run, end.at)


def end_input(run: RunState, end: Origin) -> None:
    """Decides at the end of the input whether the run and its last epoch are over."""
    run.ended = True
    part, last, failed = run.part_ended, run.open_epoch, run.problems.failed
    if failed is not None and trained_after(run, failed.at):
        run.problems.survives(end, ended=True)
    if part is not None and run.end is None and _ends_run(run, part):
        run.end = part._replace(duration=None)
    if last is None:
        return
    if run.has_epochs and run.end is None and last.label == run.current:
        last.reopen()
    if run.has_epochs and (last.share() >= 1 or is_as_long(run, last, end)):
        last.finish()  # its last step was read, and no line comes after it
    if lacks_its_end(run, last):
        last.complete = False
    if last.label == run.current and last.only_named():
        # A line that only names an epoch begins none where each other epoch has more lines.
        begins, ends = run.epochs.column("first_line"), run.epochs.column("last_line")
        if len(begins) > 1 and sum(map(eq, begins, ends)) == 1:
            run.epochs.cut(last.label)
