"""Time to train and run time, each under its own name and clock.

Time to train runs from the first training iteration to the first evaluation that meets the
target; run time to the last record. Run time is the printed total; else the sum of the epochs'
durations, if all are printed with their evaluations; else the time by the log's own timestamps;
else the sum of the training passes. The figure says which.
"""

import math
from collections.abc import Sequence
from itertools import compress, islice, pairwise
from typing import NamedTuple

from sixdim.metrics.dimensions.clock_coverage import (
    begins_late,
    ends_early,
    gapless,
    named_when_over,
    part_begin,
    spans_a_resume,
    starts_late,
)
from sixdim.metrics.fold.checks.interleaving import INTERLEAVED
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
_USUAL = 20
"""Number of latest epochs whose median duration is the usual one."""

NO_TIME = Time(None, "no time was read from the log")
LEAPT = Time(None, "the log's clock leaps ahead: how long was trained it does not show")
BACKWARDS = Time(None, "the log's clock runs backwards")
AGAIN = Time(
    None, "the steps begin again and no line names an epoch: the clock may be of several trainings"
)
BEGUN_BEFORE = Time(None, "the log does not begin with the first epoch")
PARALLEL = Time(None, INTERLEAVED)
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
    met = run.freeze.met
    if met is None:
        return NO_TIME
    if run.interleaved is not None:
        return PARALLEL
    if run.clock.start.what in (FIRST_ITERATION, ANNOUNCED) and begins_late(run):
        return BEGUN_BEFORE
    last, met_us = met.epoch, met.at.time_us
    summed = NO_TIME
    if last is not None and last <= run.freeze.over_to:  # else a part of its last epoch is left out
        summed = _summed(run, [label <= last for label in run.epochs])
    begin_us = run.clock.start.time_us
    if summed.clock != SUMMED and met_us is not None and begin_us is not None:
        if named_when_over(run):
            return NO_START
        if spans_a_resume(run, begin_us):
            return RESUMED
        late = starts_late(run, sum(map(run.sealed, run.epochs)), met.step)
        return STARTS_LATE if late else _between(run, begin_us, met_us, until=met.line)
    return summed


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


def elapsed(run: Run) -> Time:
    """Returns seconds from the first iteration to the last record.

    The clock of a resumed run goes on while nothing is trained: its time counts from the resume.
    """
    if run.interleaved is not None:
        return PARALLEL
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
        if named_when_over(run):
            return NO_START
        if run.is_over and starts_late(run, len(run.epochs)):
            return STARTS_LATE
        if run.is_over and ends_early(run):
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


def of_more_epochs(run: Run, time: Time) -> bool:
    """Returns whether a printed total may be that of more epochs than the log holds."""
    if time.clock != PRINTED_TOTAL or time.seconds is None or not begins_late(run):
        return False
    held, usual = _summed(run, run.epochs.complete()).seconds, usual_epoch_time(run)
    return held is None or usual is None or time.seconds >= held + usual.seconds


def _summed(run: Run, chosen: Sequence[bool]) -> Time:
    """Returns the sum of the printed durations of the chosen epochs, where none is missing.

    There is none if all are whole seconds and too short to be exact.
    """
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
            total = math.fsum(known)
            if total < COARSE_S * len(known) and all(second == int(second) for second in known):
                return Time(None, "epochs of a few whole seconds each: their sum is too rough")
            return Time(total, clock)
        timed = timed or bool(known)
    return Time(None, "not every epoch has a printed time") if timed else NO_TIME


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
    over = [] if named_when_over(run) else [epoch for epoch in latest if epoch.complete][:_USUAL]
    whole = [epoch.epoch_time for epoch in over if epoch.epoch_time is not None]
    spans = (epoch.span_s if epoch.train_time is None else epoch.train_time for epoch in over)
    passes = [seconds for seconds in spans if seconds is not None]
    if whole or passes:
        return EpochTime(_median(whole or passes), evaluated=bool(whole))
    return None


def _median(seconds: Sequence[float]) -> float:
    """Returns the median; of two middle ones the lower, as the first epoch has the warm-up."""
    return sorted(seconds)[(len(seconds) - 1) // 2]
