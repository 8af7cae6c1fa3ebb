"""Time to train and run time, each under its own name and clock.

Time to train runs from the first training iteration to the first evaluation that meets the
target; run time to the last record. Run time is the printed total; else the sum of the epochs'
durations, if all are printed with their evaluations; else the time by the log's own timestamps;
else the sum of the training passes. The figure says which.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import compress, islice, pairwise
from typing import NamedTuple

from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.epochs.step_clock import of_one_kind
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.fold.runs.run_clock import ANNOUNCED, FIRST_ITERATION


class Time(NamedTuple):
    """A duration and the clock it was read from.

    Attributes:
        seconds: None where the log carries no time for it.
        clock: `log timestamps`, `printed total`, `summed epoch durations`, ….
    """

    seconds: float | None
    clock: str


class EpochTime(NamedTuple):
    """The usual duration of an epoch.

    Attributes:
        seconds: The median of the latest epochs.
        evaluated: Whether it is known to include the evaluation.
    """

    seconds: float
    evaluated: bool


PRINTED_TOTAL = "printed total"
PRINTED_PART = "printed total since the run was resumed"
TIMESTAMPS = "log timestamps"
STAMPED_PART = "log timestamps since the run was resumed"
SUMMED = "summed epoch durations"
COARSE_S = 20
"""A shorter time without decimals is uncertain by more than 2.5 %."""
_AT_ONCE = 0.01
"""Lines about one epoch stand within this share of the time between two epochs."""
_A_SECOND_US = 1_000_000
_MOST_OUTSIDE = 0.05
"""The largest share of the iterations before its first moment, or after the last, of a run time."""
_USUAL = 20
"""Number of latest epochs whose median duration is the usual one."""

NO_TIME = Time(None, "no time was read from the log")
LEAPT = Time(None, "the log's clock leaps ahead: how long was trained it does not show")
BACKWARDS = Time(None, "the log's clock runs backwards")
AGAIN = Time(
    None, "the steps begin again and no line names an epoch: the clock may be of several trainings"
)
BEGUN_BEFORE = Time(None, "the log does not begin with the first epoch")
NO_START = Time(None, "the log's clock does not show when the training began")
RESUMED = Time(None, "the run was resumed: the log's clock goes on while nothing is trained")
STARTS_LATE = Time(
    None, "more than 5 % of the iterations come before the first line that shows the log's clock"
)

ENDS_EARLY = Time(
    None, "more than 5 % of the progress lines come after the last line that shows the log's clock"
)
TWO_KINDS = Time(
    None, "the log's clock has a year at one end of the training, and none at the other"
)


def time_to_train(run: Run) -> Time:
    """Returns seconds from the first iteration to the evaluation that met the target."""
    if run.freeze is None:
        return NO_TIME
    if run.clock.start.what in (FIRST_ITERATION, ANNOUNCED) and begins_late(run):
        return BEGUN_BEFORE
    last, met_us = run.freeze.epoch, run.freeze.at.time_us
    summed = NO_TIME
    if last is not None and last <= run.frozen_to:  # else a part of its last epoch is left out
        summed = _summed(run, [label <= last for label in run.epochs])
    begin_us = run.clock.start.time_us
    if summed.clock != SUMMED and met_us is not None and begin_us is not None:
        if _named_when_over(run):
            return NO_START
        if _spans_a_resume(run, begin_us):
            return RESUMED
        late = _starts_late(run, sum(map(run.sealed, run.epochs)), run.freeze.step)
        return STARTS_LATE if late else _between(run, begin_us, met_us, until=run.freeze.line)
    return summed


def _spans_a_resume(run: Run, begin_us: int) -> bool:
    """Returns whether the run was resumed between a moment and the evaluation that met the target.

    A target that the log names late may be met in an earlier part than the one that is trained.
    """
    place, part = part_begin(run, run.frozen_part), run.frozen_part
    if not place or part is None or part > run.sealed_to:
        return False
    resumed_us: int | None = run.epochs.column("start_us")[place]
    return resumed_us is None or begin_us < resumed_us


def run_time(run: Run) -> Time:
    """Returns seconds of the whole training."""
    if run.end is not None and run.end.duration is not None:
        return Time(run.end.duration, PRINTED_PART if _is_part(run) else PRINTED_TOTAL)
    return elapsed(run)


def _is_part(run: Run) -> bool:
    """Returns whether a printed total counts only since the run was last resumed."""
    last = run.last_iteration
    counts_steps = last is not None and last.epoch is None
    return part_begin(run, run.part) > 0 or (counts_steps and "resume" in run.problems.counts)


def part_begin(run: Run, part: int | None) -> int:
    """Returns the number of the run's epochs before a part of it, by the label of its first one."""
    return [*run.epochs].index(part) if part in run.epochs else 0


def elapsed(run: Run) -> Time:
    """Returns seconds from the first iteration to the last record.

    The clock of a resumed run goes on while nothing is trained: its time counts from the resume.
    """
    summed = _summed(run, run.epochs.complete())
    if summed.clock == SUMMED:
        return summed
    if run.clock.last_us is not None and (resumed := part_begin(run, run.part)):
        begin_us = run.epochs.column("start_us")[resumed]
        if begin_us is None:
            return NO_START
        return _between(run, begin_us, run.clock.last_us, resumed=resumed)
    begin_us = run.clock.start.time_us
    if begin_us is not None and run.clock.last_us is not None:
        if run.stepwise and run.checks.falls:
            return AGAIN
        if _named_when_over(run):
            return NO_START
        if run.is_over and _starts_late(run, len(run.epochs)):
            return STARTS_LATE
        if run.is_over and _ends_early(run):
            return ENDS_EARLY
        return _between(run, begin_us, run.clock.last_us)
    return NO_START if summed is NO_TIME and run.clock.last_us is not None else summed


def _between(
    run: Run, begin_us: int, end_us: int, *, resumed: int = 0, until: float = math.inf
) -> Time:
    """Returns the time between two moments; unknown where the clock jumps between them.

    `resumed` epochs stand before the first moment if the run was resumed there, and `until` is the
    line of the second one.
    """
    if not of_one_kind(begin_us, end_us):
        return TWO_KINDS
    first_line = min(run.epochs.column("first_line")[resumed:], default=math.inf)
    back = (problem.at.line for problem in run.problems.of_kind("clock_back"))
    if end_us < begin_us or any(first_line < line <= until for line in back):
        return BACKWARDS
    leaps = (problem.at.time_us for problem in run.problems.of_kind("clock_leap"))
    if any(leap is not None and begin_us < leap <= end_us for leap in leaps):
        return LEAPT
    if end_us == begin_us:
        return NO_START  # one moment, such as that of one line with many redrawn bars
    return Time((end_us - begin_us) / 1e6, STAMPED_PART if resumed else TIMESTAMPS)


def _named_when_over(run: Run) -> bool:
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


def _starts_late(run: Run, epochs: int, step: int | None = None) -> bool:
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


def _ends_early(run: Run) -> bool:
    """Returns whether more than a twentieth of the progress lines follow the last clock."""
    untimed = run.clock.untimed_at_the_end()
    return untimed > 0 and untimed > _MOST_OUTSIDE * sum(
        epoch.records for epoch in run.epochs.values()
    )


def _evaluated_us(run: Run, label: int) -> int | None:
    """Returns the time of the evaluation of one of the first epochs, by the log's clock."""
    first = (row for row in islice(run.evaluations, 2) if row.label == label)
    return next((row.at.time_us for row in first), None)


def of_more_epochs(run: Run, time: Time) -> bool:
    """Returns whether a printed total may be that of more epochs than the log holds."""
    if time.clock != PRINTED_TOTAL or time.seconds is None or not begins_late(run):
        return False
    held, usual = _summed(run, run.epochs.complete()).seconds, usual_epoch_time(run)
    return held is None or usual is None or time.seconds >= held + usual.seconds


def begins_late(run: Run) -> bool:
    """Returns whether the first epochs of the training are not in the log."""
    labels = [*run.epochs]
    return bool(labels) and min(labels) > 1 and gapless(labels)


def gapless(labels: Collection[int]) -> bool:
    """Returns whether no epoch between the first and the last is missing: an excerpt is no run."""
    return max(labels) - min(labels) < len(labels)


def _summed(run: Run, chosen: Sequence[bool]) -> Time:
    """Returns the sum of the printed durations of the chosen epochs, where none is missing."""
    labels = [*compress(run.epochs, chosen)]
    if not labels:
        return NO_TIME
    if not gapless(labels):
        return Time(None, "epochs are missing in the log")
    timed = False
    for clock, name in (
        (SUMMED, "epoch_time"),
        ("summed training passes, evaluations not included", "train_time"),
    ):
        seconds = compress(run.durations(name), chosen)
        known = [second for second in seconds if second is not None]
        if len(known) == len(labels):
            return _sum(known, clock)
        timed = timed or bool(known)
    return Time(None, "not every epoch has a printed time") if timed else NO_TIME


def _sum(seconds: Sequence[float], clock: str) -> Time:
    """Returns the sum of durations, unless all are whole seconds and too short to be exact."""
    total = math.fsum(seconds)
    if total < COARSE_S * len(seconds) and all(second == int(second) for second in seconds):
        return Time(None, "epochs of a few whole seconds each: their sum is too rough")
    return Time(total, clock)


def usual_epoch_time(run: Run) -> EpochTime | None:
    """Returns the usual duration of an epoch, for projections; None where the log has none.

    The time from the beginning of an epoch to that of the next includes all that is done between
    them. Without a clock the printed durations of epochs that are over are used.
    """
    latest = [*islice(run.epochs.latest(), _USUAL + 1)]
    apart = [
        (later.start_us - earlier.start_us) / 1e6
        for later, earlier in pairwise(latest)
        if later.start_us is not None
        and earlier.start_us is not None
        and later.label == earlier.label + 1
        and later.start_us > earlier.start_us
        and of_one_kind(earlier.start_us, later.start_us)
    ]
    if apart:
        return EpochTime(_median(apart), evaluated=True)
    over = [] if _named_when_over(run) else [epoch for epoch in latest if epoch.complete][:_USUAL]
    whole = [epoch.epoch_time for epoch in over if epoch.epoch_time is not None]
    passes = [seconds for epoch in over if (seconds := _pass_seconds(epoch)) is not None]
    if whole or passes:
        return EpochTime(_median(whole or passes), evaluated=bool(whole))
    return None


def _median(seconds: Sequence[float]) -> float:
    """Returns the median; of two middle ones the lower, as the first epoch has the warm-up."""
    return sorted(seconds)[(len(seconds) - 1) // 2]


def _pass_seconds(epoch: Epoch) -> float | None:
    """Returns the seconds of the training pass of an epoch."""
    if epoch.train_time is not None:
        return epoch.train_time
    if epoch.start_us is not None and epoch.end_us is not None and epoch.end_us > epoch.start_us:
        return (epoch.end_us - epoch.start_us) / 1e6
    return None
