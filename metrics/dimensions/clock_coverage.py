"""What the clock of a log does not show: its beginning, its end, a resume, missing epochs."""

from collections.abc import Collection, Sequence
from itertools import islice, pairwise

from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.fold.runs.run_clock import FIRST_ITERATION

_MOST_OUTSIDE = 0.05
"""The largest share of the iterations before its first moment, or after the last, of a run time."""
_AT_ONCE = 0.01
"""Lines about one epoch stand within this share of the time between two epochs."""
_A_SECOND_US = 1_000_000


def begins_late(run: Run) -> bool:
    """Returns whether the first epochs of the training are not in the log."""
    labels = [*run.epochs]
    return bool(labels) and min(labels) > 1 and gapless(labels)


def gapless(labels: Collection[int]) -> bool:
    """Returns whether no epoch between the first and the last is missing: an excerpt is no run."""
    return max(labels) - min(labels) < len(labels)


def evenly_apart(labels: Sequence[int]) -> bool:
    """Returns whether the log prints every n-th epoch from the start: `5 10 15` or `1 5 10 15`."""
    first, *others = labels
    apart = {after - before for before, after in pairwise(others)}
    return len(apart) == 1 and max(first, others[0] - first) <= min(apart)


def part_begin(run: Run, part: int | None) -> int:
    """Returns the number of the run's epochs before a part of it, by the label of its first one."""
    return [*run.epochs].index(part) if part in run.epochs else 0


def spans_a_resume(run: Run, begin_us: int) -> bool:
    """Returns whether the run was resumed between a moment and the evaluation that met the target.

    A target that the log names late may be met in an earlier part than the one that is trained.
    """
    part = run.freeze.part
    place = part_begin(run, part)
    if not place or part is None or not run.sealed(part):
        return False
    resumed_us: int | None = run.epochs.column("start_us")[place]
    return resumed_us is None or begin_us < resumed_us


def named_when_over(run: Run) -> bool:
    """Returns whether each of the first epochs is named only when it is over.

    Then the first line of the first epoch, where the clock would start, is the end of that epoch;
    or the clock starts in a later epoch, which has the log's first progress line.
    """
    first = [*islice(run.epochs, 2)]
    start_us = run.clock.start.time_us
    if start_us is None or start_us != run.clock.first_iteration_us or len(first) < 2:
        return False
    begins: list[int] = []
    over: list[int | None] = []
    for epoch in run.epochs.among(first):
        if epoch.ended and epoch.end_us is not None and epoch.end_us < start_us:
            return True
        if epoch.step is not None or epoch.start_us is None:
            return False
        begins.append(epoch.start_us)
        one_line = epoch.records == 1 and not epoch.only_named()
        over.append(epoch.end_us if epoch.ended or one_line else _evaluated_us(run, epoch.label))
    apart = begins[1] - begins[0]
    most = max(_AT_ONCE * apart, min(_A_SECOND_US, apart / 10))
    return all(
        end is not None and end - begin <= most for begin, end in zip(begins, over, strict=True)
    )


def _evaluated_us(run: Run, label: int) -> int | None:
    """Returns the time of the evaluation of one of the first epochs, by the log's clock."""
    first = (row for row in islice(run.evaluations, 2) if row.label == label)
    return next((row.at.time_us for row in first), None)


def starts_late(run: Run, epochs: int, step: int | None = None) -> bool:
    """Returns whether the clock starts at a line after more than a twentieth of the iterations.

    A progress line comes when its iterations are done: the first one does not show when they began.
    The iterations are those of so many epochs, or up to a step, by default that of the last line.
    """
    first, last = next(iter(run.epochs.values()), None), run.last_iteration
    if first is None or last is None or run.clock.start.what != FIRST_ITERATION:
        return False
    of_epochs = (first.steps or first.step or 0) * epochs
    iterations = step if step and run.stepwise else max(step or last.step or 0, of_epochs)
    return (run.clock.first_step or 0) - 1 > _MOST_OUTSIDE * iterations


def ends_early(run: Run) -> bool:
    """Returns whether more than a twentieth of the progress lines follow the last clock."""
    untimed = run.clock.untimed_at_the_end()
    return untimed > 0 and untimed > _MOST_OUTSIDE * sum(
        epoch.records for epoch in run.epochs.values()
    )
