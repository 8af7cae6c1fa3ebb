"""The throughput of an epoch: printed by the log, or derived and marked as such.

`METHODS` lists every method, the best first. A run has one method, so that its epochs can be
compared: an epoch in which that method finds nothing has no throughput.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from sixdim.metrics.dimensions.times import COARSE_S
from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.protocols.scale import fact

PRINTED = "printed"
PER_DURATION = "samples / printed duration"
_SAMPLE = 20
"""Number of first finished epochs that decide on the method of a run."""
_GROWING = 8
_GROWN = 3.0
"""Printed times are elapsed times if they grow this often, and to this multiple of the first."""
_LESS_S, _MORE_S = 0.5, 1.0
"""Seconds by which a time may be below or above the whole number that a program prints of it."""

_OTHER_WORK = 0.03
"""Part by which the samples of an iteration may differ before they are another number."""
_ROUNDED_S = 0.001
"""What rounding a time to milliseconds may add to that."""


class Sizes(NamedTuple):
    """What turns times into throughputs.

    Attributes:
        epoch: Samples in an epoch, where known.
        batch: Samples in an iteration of the whole job, where known.
        rated: Samples in an iteration by the log's own rates, if these leave out part of its time.
        of_episodes: Whether the steps are episodes, which have many iterations each.
    """

    epoch: int | None = None
    batch: int | None = None
    rated: int | None = None
    of_episodes: bool = False

    @classmethod
    def of(cls, facts: Facts) -> Sizes:
        """Makes the sizes from the facts of a run."""
        batch, rated = fact("global_batch", facts), facts.count("rated_batch")
        episodes = facts.count("steps_are_episodes") is not None
        return cls(facts.count("samples_per_epoch"), batch, rated, episodes)


Find: TypeAlias = Callable[[Epoch, Sizes], float | None]
Seconds: TypeAlias = Callable[[Epoch], float | None]
Work: TypeAlias = Callable[[Epoch, Sizes], int | None]


class Method(NamedTuple):
    """One way to the throughput of an epoch.

    Attributes:
        how: What the card calls it.
        unit: Unit of what it finds; empty for that of the log's own rates.
        find: Gives the throughput, or None where the epoch lacks what it needs.
        coarse: Whether what it finds in an epoch depends on whole seconds that are too few to be
            exact enough.
    """

    how: str
    unit: str
    find: Find
    coarse: Callable[[Epoch], bool] = lambda _: False

    @property
    def printed(self) -> bool:
        """Whether the log states the throughput of an epoch itself."""
        return self.how == PRINTED

    def lines(self, epoch: Epoch) -> tuple[int, ...]:
        """Returns the evidence of a throughput: one line, or the first and last of the epoch."""
        return (epoch.stated_line,) if self.printed else (epoch.first_line, epoch.last_line)

    def throughputs(self, epochs: Iterable[Epoch], sizes: Sizes) -> list[tuple[Epoch, float]]:
        """Returns the epochs in which it finds a throughput, each with that throughput."""
        found = ((epoch, self.find(epoch, sizes)) for epoch in epochs)
        return [(epoch, value) for epoch, value in found if value is not None]


def is_coarse(seconds: float | None) -> bool:
    """Returns whether a printed time of whole seconds is too short to be exact enough."""
    return seconds is not None and seconds < COARSE_S and seconds == int(seconds)


def _per_time(work: Work, seconds: Seconds, *, coarse: bool) -> Find:
    """Returns a function for the work of an epoch / its printed time."""

    def find(epoch: Epoch, sizes: Sizes) -> float | None:
        time = seconds(epoch)
        if not time or is_coarse(time) is not coarse:
            return None
        done = work(epoch, sizes)
        return done / time if done else None

    return find


def _per_iteration(seconds: Seconds, *, sized: bool) -> Find:
    """Returns a function for global batch / seconds of an iteration, or 1 / seconds without one."""

    def find(epoch: Epoch, sizes: Sizes) -> float | None:
        time = seconds(epoch) if (sizes.batch is not None) is sized else None
        return (sizes.batch or 1) / time if time else None

    return find


def _works(epoch: Epoch) -> tuple[float, float, int] | None:
    """Returns the samples of an iteration by the other lines and by the last, and all iterations.

    None where the log prints no means of its own, or an epoch has too few lines.
    """
    mean, seconds, lines = epoch.mean_throughput, epoch.mean_duration, epoch.lines
    rate, each = lines.rate(), lines.seconds()
    count, of_last = lines.totals().iterations, lines.gap()
    if not (mean and seconds and rate and each) or count <= of_last:
        return None
    last = mean * seconds
    return (rate * each * count - last * of_last) / (count - of_last), last, count


def _own_mean(epoch: Epoch, _sizes: Sizes) -> float | None:
    """Returns the log's own mean of the throughput, if its last line speaks for the epoch.

    Some scripts divide the samples of the line's iteration by the mean time. That is no mean if
    this iteration has more or fewer samples than the others, as the last one of an epoch often has.
    """
    mean, seconds, works = epoch.mean_throughput, epoch.mean_duration, _works(epoch)
    if mean and seconds and works:
        others, last, _ = works
        if abs(others - last) > last * _OTHER_WORK + mean * _ROUNDED_S:
            return None
    return mean


def _by_own_time(epoch: Epoch, _sizes: Sizes) -> float | None:
    """Returns the mean samples of the lines / the log's own mean time of one."""
    works = _works(epoch)
    if works is None or not epoch.mean_duration:
        return None
    others, last, count = works  # the last line stands for no other iteration
    return (others * (count - 1) + last) / count / epoch.mean_duration


def _rated(epoch: Epoch, sizes: Sizes) -> float | None:
    """Returns the samples of an iteration by the log's rates / its whole time."""
    if sizes.rated is None or epoch.whole_mean:
        return None
    seconds = epoch.mean_duration or _line_seconds(epoch)
    return sizes.rated / seconds if seconds else None


def _line_seconds(epoch: Epoch) -> float | None:
    """Returns seconds of an iteration by the lines, limited by an epoch of few whole seconds.

    They exceed the limits if the time on a line is a mean over earlier iterations, too, so that a
    slow beginning counts repeatedly.
    """
    seconds, time, steps = epoch.lines.seconds(), epoch.train_time, epoch.steps
    if seconds is None or time is None or not steps or not _exceeds(epoch):
        return seconds
    return (time + (0.75 * _MORE_S if seconds * steps > time else 0)) / steps or seconds


def _exceeds(epoch: Epoch) -> bool:
    """Returns whether the lines do not fit the few whole seconds that the epoch took."""
    seconds, time, steps = epoch.lines.seconds(), epoch.train_time, epoch.steps
    if seconds is None or time is None or not steps or not is_coarse(time):
        return False
    return not time - _LESS_S <= seconds * steps <= time + _MORE_S


def _smoothed(epoch: Epoch) -> bool:
    """Returns whether smoothed times of lines say more of an epoch than its few whole seconds do.

    Even times that fit those seconds are no more exact than these.
    """
    return epoch.mean_duration is None and is_coarse(epoch.train_time)


def _train_mean(epoch: Epoch) -> float | None:
    return None if epoch.whole_mean else epoch.mean_duration


def _whole_mean(epoch: Epoch) -> float | None:
    return epoch.mean_duration if epoch.whole_mean else None


def _train_lines(epoch: Epoch) -> float | None:
    """Returns seconds of an iteration by the lines, unless these include the evaluation."""
    return None if epoch.whole_mean else _line_seconds(epoch)


def _samples_of_clock(epoch: Epoch, sizes: Sizes) -> float | None:
    """Returns what `_of_clock` returns, if the log's steps count samples."""
    return _of_clock(epoch, sizes) if epoch.steps and epoch.steps == sizes.epoch else None


def _of_clock(epoch: Epoch, sizes: Sizes) -> float | None:
    """Returns iterations per second by the log's clock, if that is exact enough."""
    found = epoch.clocked()
    if found is None or is_coarse(found[0]) or sizes.of_episodes:
        return None
    return found[1] / found[0]


def _timed(
    name: str, seconds: Seconds, coarse: Callable[[Epoch], bool] = lambda _: False
) -> tuple[Method, Method]:
    return (
        Method(f"global batch / {name}", "samples/s", _per_iteration(seconds, sized=True), coarse),
        Method(f"1 / {name}", "it/s", _per_iteration(seconds, sized=False), coarse),
    )


_TRAIN_TIME: Seconds = attrgetter("train_time")
_EPOCH_TIME: Seconds = attrgetter("epoch_time")
_WHOLE = ", evaluation included"


def _by_printed_time(how: str, unit: str, work: Work, *, coarse: bool) -> tuple[Method, Method]:
    """Returns the method by the time of the training pass, and that by the whole epoch's time."""
    return (
        Method(how, unit, _per_time(work, _TRAIN_TIME, coarse=coarse), lambda _: coarse),
        Method(how + _WHOLE, unit, _per_time(work, _EPOCH_TIME, coarse=coarse), lambda _: coarse),
    )


_samples = partial(_by_printed_time, PER_DURATION, "samples/s", lambda _, sizes: sizes.epoch)
_iterations = partial(
    _by_printed_time, "iterations / printed duration", "it/s", lambda epoch, _: epoch.own_steps()
)
_MEAN = "the log's own mean iteration time"
_LINES = "mean iteration time, lines weighted by iterations"
_HARMONIC = "weighted harmonic mean of the progress lines"

_STATED = (
    Method(PRINTED, "", lambda epoch, _: epoch.stated),
    *_samples(coarse=False),
    Method("the log's own mean of the epoch", "", _own_mean),
    Method("mean samples of the lines / the log's own mean time", "", _by_own_time),
    _timed(_MEAN, _train_mean)[0],
    _timed(_MEAN + _WHOLE, _whole_mean)[0],
    Method("samples of an iteration by the log's rates / its whole time", "", _rated, _smoothed),
)
_RATED = Method(
    "work / time of the progress lines, weighted by iterations",
    "",
    lambda epoch, _: epoch.lines.rate(),
)
_RATED_ALONE = Method(_HARMONIC, "", lambda epoch, _: epoch.lines.rate(timed=False))
_UNSIZED = (_timed(_MEAN, _train_mean)[1], _timed(_MEAN + _WHOLE, _whole_mean)[1])
_LAST = (
    # Steps that accumulate several batches are common: the log's batch may be a part of one.
    Method("samples / time by the log's clock", "samples/s", _samples_of_clock),
    Method("iterations / time by the log's clock", "it/s", _of_clock),
    *_samples(coarse=True),
    *_iterations(coarse=True),
)


def _methods(rated: Method, timed: Sequence[Method]) -> tuple[Method, ...]:
    """Returns all methods in order: rates in the log's unit precede iterations per second."""
    return (*_STATED, rated, *_UNSIZED, *timed, *_iterations(coarse=False), *_LAST)


METHODS = _methods(_RATED, _timed(_LINES, _train_lines, _exceeds))
_OF_GROWING_TIMES = _methods(
    _RATED_ALONE,
    _timed(
        "iteration time by the elapsed time of the lines",
        lambda epoch: epoch.lines.elapsed_seconds(),
    ),
)


def method_of(run: Run, sizes: Sizes) -> Method:
    """Returns the method of a run: the best one that works in more than half of its first epochs.

    If no epoch is over, the current one decides; in a log without epochs, its windows do. Epochs
    after the freeze decide nothing.
    """
    if run.stepwise:
        return best_method(run.windows.stable(), sizes)
    known = (epoch for epoch in run.epochs.values() if epoch.label <= run.frozen_to)
    over = [*islice((epoch for epoch in known if epoch.complete), _SAMPLE)]
    return best_method(over or run.rated(unfinished=True), sizes)


def best_method(epochs: Sequence[Epoch], sizes: Sizes) -> Method:
    """Returns the first method that works in more than half of the epochs, else in most."""
    methods = _OF_GROWING_TIMES if _only_grow(epochs) else METHODS
    printed = [m for m in methods if m not in _LAST]
    best, most = methods[0], 0
    known = [e for e in epochs if any(m.find(e, sizes) is not None for m in printed)]
    epochs = known or epochs
    for method in methods:
        found = sum(method.find(epoch, sizes) is not None for epoch in epochs)
        if 2 * found > len(epochs):
            return method
        if found > most:
            best, most = method, found
    return best


def iteration_seconds(epoch: Epoch) -> float | None:
    """Returns mean seconds of an iteration: the log's own mean, else that of its lines."""
    if epoch.mean_duration is not None:
        return epoch.mean_duration
    lines = epoch.lines
    return lines.elapsed_seconds() if _only_grow([epoch]) else lines.seconds()


def evaluation_share(epochs: Iterable[Epoch]) -> float | None:
    """Returns the time of an iteration without evaluations / with them; None without any."""
    totals = [epoch.lines.totals() for epoch in epochs]
    iterations = sum(one.iterations for one in totals)
    evaluations = sum(one.evaluations for one in totals)
    evaluating = math.fsum(one.evaluations_s for one in totals)
    if not iterations or evaluating <= 0:
        return None
    each = math.fsum(one.seconds for one in totals) / iterations
    iterations += sum(one.unprinted for one in totals)
    return each * (iterations + evaluations) / (each * iterations + evaluating)


def _only_grow(epochs: Iterable[Epoch]) -> bool:
    """Returns whether the printed times only grow: then they are elapsed times, not durations."""
    growth, grown = 0, 1.0
    before: float | None = None
    for epoch in epochs:
        found = epoch.lines.growth
        first, last, steps = found.first, found.last, found.steps
        if first is None or last is None:
            continue
        if steps is None:
            return False
        growth += steps + (before is not None and first > before)
        grown = max(grown, last / first)
        before = last
    return growth >= _GROWING and grown >= _GROWN
