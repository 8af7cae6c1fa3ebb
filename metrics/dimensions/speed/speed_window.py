"""The epochs that a speed is computed from, with their throughputs."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from sixdim.metrics.dimensions.speed.epoch_figures import Sizes
from sixdim.metrics.dimensions.speed.epoch_speed import Method, method_of
from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.protocol import Protocol, Records, Reduced, reduce_window
from sixdim.metrics.values.settings import Settings

_MOST_APART = 1.5
"""Largest ratio of two windows' speeds in one training."""


class Window(NamedTuple):
    """The speed window, as far as it is known.

    Attributes:
        wanted: The labels that the window asks for.
        method: The method of the run's throughputs.
        epochs: Its epochs that are over and have a throughput.
        values: Their throughputs.
        reduced: The result of the protocol for them; None while there are none.
        fallback: True if none of the wanted epochs exists and all others are used.
        full: Whether every wanted epoch is there.
        mixed: Whether it is empty because it may be of several trainings.
        elsewhere: Whether the wanted epochs exist and only others have a throughput.
    """

    wanted: range
    method: Method
    epochs: tuple[Epoch, ...]
    values: tuple[float, ...]
    reduced: Reduced | None
    fallback: bool
    full: bool
    mixed: bool = False
    elsewhere: bool = False

    def labels(self) -> list[int]:
        """Returns the labels of its epochs, or the numbers of its windows of iterations."""
        return [epoch.label for epoch in self.epochs]

    def dropped(self) -> list[int]:
        """Returns the labels of the epochs that trimming leaves out, in order."""
        return sorted(self.epochs[i].label for i in self.reduced.dropped) if self.reduced else []


def by_label(settings: Settings) -> bool:
    """Returns whether the speed is that of a window of epoch labels, not of records."""
    protocol = settings.protocol
    window = settings.window is not None and protocol.records is Records.EPOCH
    return protocol.by_label or (window and protocol.metric == "throughput")


def wanted_labels(protocol: Protocol, window: tuple[int, int] | None, run: Run) -> range:
    """Returns the labels that the speed window asks for."""
    if window is not None:
        return range(window[0], window[1] + 1)
    first = protocol.skip_to or 0
    take = protocol.take if protocol.take is not None else max(len(run.epochs), 1)
    return range(first, first + take)


def speed_window(run: Run, settings: Settings, *, early: bool = False) -> Window:
    """Returns the speed window, as far as it is known.

    If the input is over and no epoch was completed, the progress lines of the unfinished epoch are
    used. If the log has none of the protocol's epochs, all its epochs are used, but not if it has
    them without a throughput; and a window that the user names is never replaced. A log that counts
    steps alone has windows of iterations in the place of epochs. With `early`, all epochs are used
    as soon as the window is empty, as they would be if the input were over.
    """
    sizes = Sizes.of(Facts(run, settings))
    method = method_of(run, sizes)
    fallback = mixed = elsewhere = False
    if run.stepwise:
        wanted = range(1)
        stable = run.windows.stable(lambda one: method.find(one, sizes) is not None)
        chosen = method.throughputs(stable, sizes)
        speeds = [value for _, value in chosen]
        differ = bool(speeds) and max(speeds) > _MOST_APART * min(speeds)
        differ = differ and run.windows.begin_again()
        if mixed := differ or run.windows.alternate:
            chosen = []
    else:
        wanted = wanted_labels(settings.protocol, settings.window, run)
        unfinished = (run.is_final or early) and not run.completed(frozen=True)
        inside = run.rated(wanted, unfinished=unfinished)
        chosen = method.throughputs(inside, sizes)
        if (run.is_final or early) and not chosen and settings.window is None:
            others = method.throughputs(run.rated(unfinished=unfinished), sizes)
            fallback, elsewhere = bool(others) and not inside, bool(others and inside)
            chosen = others if fallback else []
    if _mixes_trainings(run, [epoch for epoch, _ in chosen]):
        chosen, fallback, elsewhere = [], False, False
    values = tuple(value for _, value in chosen)
    return Window(
        wanted,
        method,
        tuple(epoch for epoch, _ in chosen),
        values,
        reduce_window(values, settings.protocol),
        fallback,
        not fallback and not run.stepwise and len(values) == len(wanted),
        mixed,
        elsewhere,
    )


def planned_end(run: Run, facts: Facts) -> float:
    """Returns the label after the last planned epoch; infinite if the plan is unknown.

    For a resumed run, whose first epochs are not in the log, it may be a later one.
    """
    planned = facts.count("epochs_planned")
    return min(run.epochs, default=1) + planned if planned else math.inf


def _mixes_trainings(run: Run, epochs: Sequence[Epoch]) -> bool:
    """Returns whether lines of several trainings that write at once may be in the epochs."""
    if run.interleaved is None:
        return False
    begins, ends = run.interleaved
    return any(epoch.first_line <= ends and epoch.last_line >= begins for epoch in epochs)
