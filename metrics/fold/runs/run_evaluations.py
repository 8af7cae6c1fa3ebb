"""Folds the evaluations of a run, and freezes it at the one that meets the target."""

from math import inf

from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.epochs.evaluation import EvaluationRow, Freeze
from sixdim.metrics.fold.epochs.evaluations import Evaluations
from sixdim.metrics.fold.runs.restarts import evaluates_anew, steps_fall
from sixdim.metrics.fold.runs.run_state import RunState
from sixdim.metrics.values.convergence import TargetError, parse_target
from sixdim.parsers.events import BY_NAME, Evaluation, Origin, Problem

_new = tuple.__new__  # an epoch may be a single line: this takes half the time of the class


def evaluate(run: RunState, event: Evaluation) -> None:
    """Folds an evaluation."""
    if run.mixed:
        return
    at, metrics, named, step, model, after, midway, data = event
    label = named if named is not None else run.current
    epoch = run.open_epoch
    if epoch is None or epoch.label != label:
        epoch = None if label is None else run.epochs.changing(label)
    if epoch is not None and run.sealed(epoch.label):
        epoch = None
    if not metrics:
        run.mark_evaluated(epoch, step)
        return
    evaluation = _new(EvaluationRow, (at, label, named, step, model, data, metrics))
    if model == BY_NAME:
        if run.format_evaluates:
            return
    elif not run.format_evaluates:
        run.format_evaluates = True
        if not run.frozen:
            run.evaluations = Evaluations()
    late = after if run.end is None else _is_late(run, event)
    if late or model == "teacher":
        run.after.append(evaluation)
        return
    if epoch is None and named is not None and not run.epochs:
        run.problems.survives(at)  # without lines of training they show that it goes on
    if not run.frozen and evaluates_anew(run, event):
        text = f"evaluations begin again with epoch {label}: the later ones count"
        run.note(Problem(at, "resume", text))
        labels = enumerate(run.evaluations.column("label"))
        earlier = [place for place, known in labels if known is not None and known < named]
        run.evaluations = run.evaluations.chosen(earlier)
    if step is not None:
        run.may_be_several |= steps_fall(run, event)
    run.evaluations.append(evaluation)
    run.mark_evaluated(epoch, step)
    if epoch is not None:
        epoch.last_line = at.line
        if not midway and not _has_planned_steps_left(run, epoch):
            epoch.finish()
    if run.target is not None:
        _freeze(run, evaluation, len(run.evaluations))


def _has_planned_steps_left(run: RunState, epoch: Epoch) -> bool:
    """Returns whether the epoch must have another line, by the planned steps and epochs.

    An evaluation in the middle of the run's first epoch looks like one at its end otherwise.
    """
    if epoch.step is None or (steps := run.facts.count("steps_planned")) is None:
        return False
    epochs = run.facts.count("epochs_planned") or run.facts.count("epochs_set")
    return epochs is not None and (epoch.step + 1 + epoch.lines.gap()) * epochs < steps


def _is_late(run: RunState, event: Evaluation) -> bool:
    """Returns whether an evaluation was made after the end of the training.

    The first one after the closing line still counts, and so does the first one with more
    than a loss, one of later steps than the evaluation before it, and one of the last epoch if
    that has none yet: a program that buffers its output may print it there.
    """
    if event.after_training or not run.evaluations:
        return event.after_training
    last = run.evaluations[-1]
    later = last.step is not None and last.step < (event.step or 0)
    of_last = event.epoch is not None and event.epoch == run.current and event.epoch != last.label
    if (later or of_last) and event.data == last.data:
        return False
    only_losses = all(name.endswith("loss") for name in run.evaluations.metrics())
    return not only_losses or all(m.name.endswith("loss") for m in event.metrics)


def _freeze(run: RunState, evaluation: EvaluationRow, size: int) -> None:
    """Freezes the run where its evaluation number `size` is the first that meets the target."""
    if run.frozen or run.target is None:
        return
    run.target = run.target.among(evaluation.places)
    if not run.target.met(evaluation.values):
        return
    sealed_to, over_to, label = -inf, inf, evaluation.epoch
    if label is not None:
        epoch, sealed_to = run.epochs.get(label), label
        over_to = label if epoch is None or epoch.complete else label - 1
    run.frozen = True
    run.freeze = Freeze(evaluation, size, sealed_to, over_to, run.part, run.stepwise)
    run.checks.interleaving.is_over = True
    if run.has_epochs:
        run.open_epoch = None


def set_target(run: RunState, condition: str) -> None:
    """Sets the target that the log names, where none is set."""
    if run.target is None:
        try:
            run.target = parse_target(condition, "log")
        except TargetError:
            return
        for size, evaluation in enumerate(run.evaluations, 1):
            _freeze(run, evaluation, size)


def leave_out_evaluations(run: RunState, at: Origin) -> None:
    """Leaves out the evaluations of several trainings without lines of training, as of folds.

    Nothing shows which of them are of which training.
    """
    text = "several trainings end, and none has a line of training: evaluations are left out"
    run.note(Problem(at, "trainings_mixed", text))
    run.evaluations, run.mixed = Evaluations(), True
    run.after.clear()
