"""The methods for the throughput of an epoch: printed by the log, or derived and marked as such.

`METHODS` lists every method, the best first. A run has one method, so that its epochs can be
compared: an epoch in which that method finds nothing has no throughput.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain, islice
from typing import NamedTuple, TypeAlias

from sixdim.metrics.dimensions.speed.epoch_figures import (
    Sizes,
    is_coarse,
    is_smoothed,
    iterations_by_clock,
    lines_exceed,
    own_mean,
    own_mean_seconds,
    own_steps,
    rate_by_rated_batch,
    samples_by_clock,
    since_start,
    train_lines,
)
from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.runs.run import Run

PRINTED = "printed"
PER_DURATION = "samples / printed duration"
_SAMPLE = 20
"""Number of first finished epochs that decide on the method of a run."""
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

    @property
    def since_start(self) -> bool:
        """Whether it takes the difference of two means since the start of the program."""
        return SINCE_START in self.how

    def lines(self, epoch: Epoch) -> tuple[int, ...]:
        """Returns the evidence of a throughput: one line, or the first and last of the epoch."""
        passed = epoch.means.passed() if self.since_start and epoch.means is not None else None
        if passed is not None:
            return tuple(line for line in (passed.first_line, passed.last_line) if line)
        return (epoch.stated_line,) if self.printed else (epoch.first_line, epoch.last_line)

    def throughputs(self, epochs: Iterable[Epoch], sizes: Sizes) -> list[tuple[Epoch, float]]:
        """Returns the epochs in which it finds a throughput, each with that throughput."""
        found = ((epoch, self.find(epoch, sizes)) for epoch in epochs)
        return [(epoch, value) for epoch, value in found if value is not None]


def _per_time(epoch: Epoch, sizes: Sizes, *, work: Work, name: str, coarse: bool) -> float | None:
    """Returns the work of an epoch / its printed time of that name.

    Only with `coarse` does it take times that are cut to few whole seconds, and then all others,
    too: the longest ones alone are no mean of a run.
    """
    time: float | None = getattr(epoch, name)
    exact = coarse or name in sizes.fractional_times or not is_coarse(time)
    if not time or not exact:
        return None
    done = work(epoch, sizes)
    return done / time if done else None


def _per_iteration(epoch: Epoch, sizes: Sizes, *, seconds: Seconds, sized: bool) -> float | None:
    """Returns global batch / seconds of an iteration, or 1 / seconds without one."""
    time = seconds(epoch) if (sizes.batch is not None) is sized else None
    return (sizes.batch or 1) / time if time else None


def _timed(
    name: str, seconds: Seconds, coarse: Callable[[Epoch], bool] = lambda _: False
) -> tuple[Method, Method]:
    find = partial(_per_iteration, seconds=seconds)
    return (
        Method(f"global batch / {name}", "samples/s", partial(find, sized=True), coarse),
        Method(f"1 / {name}", "it/s", partial(find, sized=False), coarse),
    )


_WHOLE = ", evaluation included"
OF_LINES = "mean iteration time, lines weighted by iterations"
SINCE_START = "between two lines, by the log's means since the start"
_PER_TIME: tuple[tuple[str, str, Work], ...] = (
    (PER_DURATION, "samples/s", lambda _, sizes: sizes.epoch),
    (
        "iterations / printed duration",
        "it/s",
        lambda epoch, sizes: None if sizes.not_iterations else own_steps(epoch),
    ),
)


def _by_epoch_times(*, coarse: bool) -> tuple[list[Method], list[Method], list[Method]]:
    """Returns the methods by the time of an epoch: samples / it, iterations / it, the log's clock.

    The printed time is that of the training pass, else of the whole epoch. Steps that accumulate
    several batches are common: the log's batch may be a part of one.
    """

    def method(how: str, unit: str, find: Callable[..., float | None]) -> Method:
        return Method(how, unit, partial(find, coarse=coarse), lambda _: coarse)

    samples, iterations = (
        [
            method(how + end, unit, partial(_per_time, work=work, name=name))
            for end, name in (("", "train_time"), (_WHOLE, "epoch_time"))
        ]
        for how, unit, work in _PER_TIME
    )
    clock = [
        method("samples / time by the log's clock", "samples/s", samples_by_clock),
        method("iterations / time by the log's clock", "it/s", iterations_by_clock),
    ]
    return samples, iterations, clock


_SAMPLES, _ITERATIONS, _CLOCK = _by_epoch_times(coarse=False)
_COARSE = _by_epoch_times(coarse=True)
_BY_CLOCK = (*_CLOCK, *_COARSE[-1])
_SINCE_START = _timed("mean iteration time " + SINCE_START, partial(since_start, is_rate=False))
_OWN_MEAN = _timed("the log's own mean iteration time", partial(own_mean_seconds, whole=False))
_WHOLE_MEAN = _timed(
    "the log's own mean iteration time" + _WHOLE, partial(own_mean_seconds, whole=True)
)
METHODS = (
    Method(PRINTED, "", lambda epoch, _: epoch.stated),
    *_SAMPLES,
    Method("the log's own mean of the epoch", "", own_mean),
    Method("rate " + SINCE_START, "", lambda epoch, _: since_start(epoch, is_rate=True)),
    _SINCE_START[0],
    _OWN_MEAN[0],
    _WHOLE_MEAN[0],
    Method(
        "samples of an iteration by the log's rates / its whole time",
        "",
        rate_by_rated_batch,
        is_smoothed,
    ),
    # Rates in the log's unit precede iterations per second.
    Method(
        "work / time of the progress lines, weighted by iterations",
        "",
        lambda epoch, _: epoch.lines.rate(),
    ),
    _SINCE_START[1],
    _OWN_MEAN[1],
    _WHOLE_MEAN[1],
    *_timed(OF_LINES, train_lines, lines_exceed),
    *_ITERATIONS,
    *_CLOCK,
    *chain(*_COARSE),
)


def method_of(run: Run, sizes: Sizes) -> Method:
    """Returns the method of a run: the best one that works in more than half of its first epochs.

    If no epoch is over, the current one decides; in a log without epochs, its windows do. Epochs
    after the freeze decide nothing.
    """
    if run.stepwise:
        return best_method(run.windows.stable(), sizes)
    known = (epoch for epoch in run.epochs.values() if epoch.label <= run.freeze.over_to)
    over = [*islice((epoch for epoch in known if epoch.complete), _SAMPLE)]
    return best_method(over or run.rated(unfinished=True), sizes)


def best_method(epochs: Sequence[Epoch], sizes: Sizes) -> Method:
    """Returns the first method that works in more than half of the epochs, else in most."""
    printed = [m for m in METHODS if m not in _BY_CLOCK]
    best, most = METHODS[0], 0
    known = [e for e in epochs if any(m.find(e, sizes) is not None for m in printed)]
    epochs = known or epochs
    for method in METHODS:
        found = sum(method.find(epoch, sizes) is not None for epoch in epochs)
        if 2 * found > len(epochs):
            return method
        if found > most:
            best, most = method, found
    return best
