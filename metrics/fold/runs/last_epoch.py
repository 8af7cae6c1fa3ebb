"""All rules by which the last epoch of a run is over, or is not, as no other epoch follows it."""

from collections import Counter
from itertools import pairwise

from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.runs.run_state import RunState
from sixdim.parsers.events import Origin

_NEARLY_ALL = 0.99
"""Share of an epoch's steps from which its last line may be printed."""
_FEWEST_ENDED = 2
"""Epochs of which the log must say that they ended, so that its silence about another counts."""
_ALIKE = 3
"""Whole epochs of equally many lines after which a next one with as many lines is whole."""


def begins_with_zero(run: RunState) -> bool:
    """Returns whether the run's first step has the number 0, and so the last of N has N - 1."""
    return run.epochs[next(iter(run.epochs))].first_step == 0


def counts_on(run: RunState, epoch: Epoch) -> bool:
    """Returns whether an epoch's steps continue those of the epoch before, of the same total."""
    before = run.epochs.get(epoch.label - 1)
    if before is None or before.step is None or epoch.first_step is None:
        return False
    return before.steps == epoch.steps and epoch.first_step > before.step


def is_as_long(run: RunState, epoch: Epoch, end: Origin) -> bool:
    """Returns whether an epoch has the last step of the one before, and no line can follow.

    None can if next to no steps are left, or fewer than there are between two lines. Steps that
    count on from epoch to epoch are compared with those that are planned for the run. If the log
    says that the run is over, it does not matter how many are left.
    """
    before, step = run.epochs.get(epoch.label - 1), epoch.step
    if before is None or run.problems.failed is not None:
        return False
    if step is None:
        return _has_all_lines(run, epoch) or _has_all_text(run, epoch, end)
    planned = run.facts.count("steps_planned")
    if planned is None and epoch.steps and counts_on(run, epoch):
        planned = epoch.steps
    if planned is not None and (epoch.first_step or 0) > (before.step or 0):
        # they count the steps of the run
        return step + begins_with_zero(run) + epoch.lines.gap() > planned
    if not before.complete:
        return False
    if before.step != step:
        return _has_all_its_steps(run, epoch)
    no_more_lines = (epoch.left() or 0) < epoch.lines.gap() and step > 1
    return run.end is not None or no_more_lines or step > max(1, (epoch.steps or 0) * _NEARLY_ALL)


def _latest(run: RunState, epoch: Epoch, count: int) -> list[Epoch]:
    """Returns an epoch and those with the labels before it, `count` in all if none is missing."""
    labels = range(epoch.label - count + 1, epoch.label + 1)
    return [one for label in labels if (one := run.epochs.get(label)) is not None]


def _has_all_lines(run: RunState, epoch: Epoch) -> bool:
    """Returns whether an epoch without steps has as many lines as each of `_ALIKE` before it."""
    epochs = _latest(run, epoch, _ALIKE + 1)
    lines = {one.last_line - one.first_line for one in epochs}
    ended = all(one.complete and one.step is None for one in epochs[:-1])
    return ended and len(epochs) > _ALIKE and len(lines) == 1 and 0 not in lines


def _has_all_its_steps(run: RunState, epoch: Epoch) -> bool:
    """Returns whether an epoch has as many steps as those before it, if steps count on."""
    steps = [one.step for one in _latest(run, epoch, _ALIKE + 2) if one.step is not None]
    made = {after - before for before, after in pairwise(steps)}
    return len(steps) > _ALIKE + 1 and len(made) == 1 and min(made) > 1


def _has_all_text(run: RunState, epoch: Epoch, end: Origin) -> bool:
    """Returns whether an epoch that one line names has as much text as those before it."""
    begins = [one.first_line for one in _latest(run, epoch, _ALIKE + 1) if one.records == 1]
    most = max((after - begin for begin, after in pairwise(begins)), default=0)
    return len(begins) > _ALIKE and most > 1 and end.line - epoch.first_line >= most - 1


def lacks_its_end(run: RunState, epoch: Epoch) -> bool:
    """Returns whether the last epoch is not over, in spite of an evaluation or a closing line.

    The log says of each earlier epoch that it ended, or the one before has later steps. An
    evaluation shows that an epoch is over if no earlier one had more of them. In a log with a
    closing line it is over unless steps are left. An evaluation after step 0 may be a test of the
    program, as icefall makes it, unless the epoch before has no later step either.
    """
    if epoch.ended or epoch.label != run.current or (run.end is not None and epoch.share() >= 1):
        return False
    ended, before = run.epochs.column("ended"), run.epochs.get(epoch.label - 1)
    if epoch.step == 0 and epoch.steps is None and run.end is None:
        first = len(run.epochs) == 1
        if first or (before is not None and before.step):
            return True
    said = len(ended) > _FEWEST_ENDED and sum(map(bool, ended)) == len(ended) - 1
    if run.end is not None:
        return said
    last, step = None if before is None else before.step, epoch.step
    is_short = last is not None and step is not None and step + epoch.lines.gap() < last
    evaluated = Counter(run.evaluations.column("label"))
    fewer = evaluated[epoch.label] < max(evaluated.values(), default=0)
    return fewer and (said or (is_short and evaluated[epoch.label] > 1))
