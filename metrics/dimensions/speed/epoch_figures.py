"""Figures of one epoch from which its throughput is computed: times, samples, means."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from sixdim.metrics.dimensions.times import COARSE_S
from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.protocols.scale import fact

_MOST_BETWEEN_LINES = 100
_LEAST_BATCH = 16
_LESS_S, _MORE_S = 0.5, 1.0
"""Seconds by which a time may be below or above the whole number that a program prints of it."""

_OTHER_WORK = 0.03
"""Part by which the samples of an iteration may differ before they are another number."""
_LEAST_CLOCKED_S = 10
"""Whole seconds by the log's clock below which an epoch's speed is uncertain by more than 10 %."""
_ROUNDED_S = 0.001
"""What rounding a time to milliseconds may add to that."""


class Sizes(NamedTuple):
    """What turns times into throughputs.

    Attributes:
        epoch: Samples in an epoch, where known.
        batch: Samples in an iteration of the whole job, where known.
        rated: Samples in an iteration by the log's own rates, if these leave out part of its time.
        not_iterations: Whether the steps may not be iterations: episodes have many of them each.
        fractional_times: As `RunState.fractional_times`.
    """

    epoch: int | None = None
    batch: int | None = None
    rated: int | None = None
    not_iterations: bool = False
    fractional_times: frozenset[str] = frozenset()

    @classmethod
    def of(cls, facts: Facts) -> Sizes:
        """Makes the sizes from the facts of a run."""
        batch, rated = fact("global_batch", facts), facts.count("rated_batch")
        uncertain = facts.count("steps_not_iterations") is not None
        samples = facts.count("samples_per_epoch")
        return cls(samples, batch, rated, uncertain, facts.run.fractional_times)


def own_steps(epoch: Epoch) -> int | None:
    """Counts the iterations of an epoch, by lines that go from its beginning to its end.

    Returns:
        None where they may count the whole run's iterations, or samples, or the epoch is not at
        its end.
    """
    first, left, gap = epoch.first_step, epoch.left(), _between_lines(epoch)
    whole = first is not None and first <= gap and left is not None and left <= gap
    return epoch.steps if whole and epoch.records > 1 and not may_count_samples(epoch) else None


def steps_before(later: Epoch, epoch: Epoch) -> int | None:
    """Counts the iterations of an epoch, by its last line and by the steps of a later epoch.

    Returns:
        None where they may count the whole run's iterations, as those of the later epoch do not
        begin again, or samples, or the epoch is not at its end.
    """
    begins_again = later.first_step is not None and later.begins_before(epoch.step)
    whole = epoch.steps is not None and epoch.step == epoch.steps
    return epoch.steps if begins_again and whole and not may_count_samples(epoch) else None


def may_count_samples(epoch: Epoch) -> bool:
    """Returns whether steps may count samples: they grow by many, or by multiples of a batch."""
    gap = _between_lines(epoch)
    return gap > _MOST_BETWEEN_LINES or gap % _LEAST_BATCH == 0


def _between_lines(epoch: Epoch) -> int:
    """Returns the iterations between two lines; the last line of an epoch may come after fewer."""
    first, last, before = epoch.first_step or 0, epoch.step or 0, epoch.records - 1
    from_its_beginning = before > 1 and first * before < last
    return max(epoch.lines.gap(), first) if from_its_beginning else epoch.lines.gap()


def is_coarse(seconds: float | None) -> bool:
    """Returns whether a printed time of whole seconds is too short to be exact enough."""
    return seconds is not None and seconds < COARSE_S and seconds == int(seconds)


def own_mean(epoch: Epoch, _sizes: Sizes) -> float | None:
    """Returns the log's own mean of the throughput.

    Some scripts divide the samples of the line's iteration by the mean time. That is no mean if
    this iteration has more or fewer samples than the others, as the last one of an epoch often has:
    then the samples of all iterations are divided by that time.
    """
    mean, seconds, lines = epoch.mean_throughput, epoch.mean_duration, epoch.lines
    count, others = lines.read().sums.timed, lines.work_before_last()
    if mean and seconds and others is not None:
        last = mean * seconds
        if abs(others - last) > last * _OTHER_WORK + mean * _ROUNDED_S:
            return (others * (count - 1) + last) / (count * seconds)
    return mean


def rate_by_rated_batch(epoch: Epoch, sizes: Sizes) -> float | None:
    """Returns the samples of an iteration by the log's rates / its whole time."""
    if sizes.rated is None or epoch.whole_mean:
        return None
    seconds = epoch.mean_duration or train_lines(epoch)
    return sizes.rated / seconds if seconds else None


def train_lines(epoch: Epoch) -> float | None:
    """Returns seconds of an iteration by the lines, limited by an epoch of few whole seconds.

    There are none if the lines include the evaluation. They exceed the limits if the time on a line
    is a mean over earlier iterations, too, so that a slow beginning counts repeatedly.
    """
    if epoch.whole_mean:
        return None
    seconds, time, steps = epoch.lines.seconds(), epoch.train_time, epoch.steps
    if seconds is None or time is None or not steps or not lines_exceed(epoch):
        return seconds
    return (time + (0.75 * _MORE_S if seconds * steps > time else 0)) / steps or seconds


def lines_exceed(epoch: Epoch) -> bool:
    """Returns whether the lines do not fit the few whole seconds that the epoch took."""
    seconds, time, steps = epoch.lines.seconds(), epoch.train_time, epoch.steps
    if seconds is None or time is None or not steps or not is_coarse(time):
        return False
    return not time - _LESS_S <= seconds * steps <= time + _MORE_S


def is_smoothed(epoch: Epoch) -> bool:
    """Returns whether smoothed times of lines say more of an epoch than its few whole seconds do.

    Even times that fit those seconds are no more exact than these.
    """
    return epoch.mean_duration is None and is_coarse(epoch.train_time)


def since_start(epoch: Epoch, *, is_rate: bool) -> float | None:
    """Returns the rate, or seconds of an iteration, between two means since the program's start."""
    if epoch.means is None or epoch.means.is_rate is not is_rate:
        return None
    passed = epoch.means.passed()
    if passed is None:
        return None
    seconds, iterations = passed.seconds, passed.iterations
    return iterations / seconds if is_rate else seconds / iterations


def own_mean_seconds(epoch: Epoch, *, whole: bool) -> float | None:
    """Returns the log's own mean seconds of an iteration; `whole` asks for evaluations in it."""
    return epoch.mean_duration if epoch.whole_mean is whole else None


def samples_by_clock(epoch: Epoch, sizes: Sizes, *, coarse: bool) -> float | None:
    """Returns what `iterations_by_clock` returns, if the log's steps count samples."""
    of_samples = epoch.steps and epoch.steps == sizes.epoch
    return iterations_by_clock(epoch, sizes, coarse=coarse) if of_samples else None


def iterations_by_clock(epoch: Epoch, sizes: Sizes, *, coarse: bool) -> float | None:
    """Returns iterations per second by the log's clock, if that is exact enough.

    Only with `coarse` does it take times of few whole seconds.
    """
    found = epoch.clocked()
    if found is None or sizes.not_iterations:
        return None
    seconds, iterations = found
    if is_coarse(seconds) and not (coarse and seconds >= _LEAST_CLOCKED_S):
        return None
    return iterations / seconds


def whole_seconds(epoch: Epoch) -> float | None:
    """Returns the time of an epoch: the printed one, else that of the log's clock."""
    clocked = epoch.clocked()
    return epoch.train_time or epoch.epoch_time or (clocked[0] if clocked else None)


def iteration_seconds(epoch: Epoch) -> float | None:
    """Returns mean seconds of an iteration: by the log's own means, else that of its lines."""
    if epoch.means is not None:
        return since_start(epoch, is_rate=False)
    return epoch.lines.seconds() if epoch.mean_duration is None else epoch.mean_duration


def evaluation_share(epochs: Iterable[Epoch]) -> float | None:
    """Returns the time of an iteration without evaluations / with them; None without any."""
    read = [epoch.lines.read() for epoch in epochs]
    iterations = sum(one.sums.timed for one in read)
    evaluations = sum(one.evaluations for one in read)
    evaluating = math.fsum(one.evaluations_s for one in read)
    if not iterations or evaluating <= 0:
        return None
    each = math.fsum(one.sums.seconds() for one in read) / iterations
    iterations += sum(one.unprinted for one in read)
    return each * (iterations + evaluations) / (each * iterations + evaluating)
