"""Converts a run to named series over iterations and epochs, for experiment trackers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

from sixdim.metrics.fold.sums.run_steps import RunSteps
from sixdim.parsers.events import EpochEnd, Evaluation, Event, Iteration
from sixdim.parsers.input.source import LogFile
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.statements.format import Reader
from sixdim.tui.base.unique_names import unique_names
from sixdim.tui.export.tracking.wall_time import WallTime
from sixdim.tui.session.cards import Scored

_NOT_A_NAME = re.compile(r"[^\w.@-]++")


class Sample(NamedTuple):
    """One value of one series.

    Attributes:
        name: `train/loss` by iteration, `epoch/throughput` and `eval/acc1` by epoch, ….
        step: Iteration since the run began, or epoch label; of an evaluation without an epoch its
            own step.
        value: Finite.
        seconds: When, since 1970; see `WallTime`.
    """

    name: str
    step: int
    value: float
    seconds: float


class Times:
    """The times of epochs and evaluations, found when the log is read again."""

    def __init__(self) -> None:
        self.ends: dict[int | None, float] = {}
        self.evaluations: dict[int, float] = {}


def series(run: Scored, clock: WallTime) -> Iterator[Sample]:
    """Yields every figure of the progress lines and evaluations, and of each epoch.

    The log is read a second time for this, so that the values need not be stored.
    """
    if run.snapshot is None:
        return
    times = Times()
    for sample in _read_again(run, clock, times):
        if math.isfinite(sample.value):
            yield sample
    for epoch in run.snapshot.epochs:
        if not epoch.complete:
            continue
        at = times.ends.get(epoch.label) or clock.at(None, epoch.last_line, epoch.label)
        for name, value in (
            ("throughput", epoch.throughput),
            ("duration_s", epoch.duration),
            ("loss", epoch.loss),
        ):
            if value is not None and math.isfinite(value):
                yield Sample(f"epoch/{name}", epoch.label, value, at)
    yield from _of_target(run, clock, times)


def _of_target(run: Scored, clock: WallTime, times: Times) -> Iterator[Sample]:
    """Yields the evaluations of the target metric."""
    assert run.snapshot is not None
    metric = plain(run.snapshot.metric) or "metric"
    for position, found in enumerate(run.snapshot.evaluations):
        step = next(s for s in (found.epoch, found.step, position) if s is not None)
        at = times.evaluations.get(found.line) or clock.at(None, found.line, found.epoch)
        if math.isfinite(found.value):
            yield Sample(f"eval/{metric}", step, found.value, at)


def _read_again(run: Scored, clock: WallTime, times: Times) -> Iterator[Sample]:
    """Yields the figures of progress lines and evaluations, without the target metric."""
    assert run.snapshot is not None
    forced = next((one for one in formats() if one.name == run.snapshot.format), None)
    averages = (*run.snapshot.epochs, *run.snapshot.windows)
    if {"", "-"} & {run.path, *run.earlier} or forced is None or not averages:
        return
    first = min(one.first_line for one in averages)
    last = max(one.last_line for one in averages)
    if clock.is_ordered:
        clock.by_steps(sum(_durations(_events(run, forced), first, last)))
    durations = _Durations()
    target_metric = run.snapshot.metric
    label, step, steps, writer = None, 0, RunSteps(), None
    for event in _events(run, forced):
        at = event.at
        if not first <= at.line <= last:
            continue
        writer = (at.host, at.rank) if writer is None else writer
        if (at.host, at.rank) != writer and isinstance(event, Iteration):
            continue  # another rank prints the same records
        if isinstance(event, Iteration):
            clock.step(durations.add(event))
            counted = steps.count(event)
            step = step + 1 if counted is None else counted
            label = event.epoch if event.epoch is not None else label
            done = (event.step or 0) / event.steps if event.steps else 1.0
            seconds = clock.at(at.time_us, at.line, label, min(max(done, 0.0), 1.0))
            times.ends[label] = seconds
            for name, value in _figures(event):
                yield Sample(f"train/{name}", step, value, seconds)
        elif isinstance(event, EpochEnd) and event.epoch is not None:
            times.ends[event.epoch] = clock.at(at.time_us, at.line, event.epoch)
        elif isinstance(event, Evaluation) and not event.after_training:
            epoch = event.epoch if event.epoch is not None else label
            seconds = clock.at(at.time_us, at.line, epoch)
            times.ends[epoch] = times.evaluations[at.line] = seconds
            place = next(n for n in (epoch, event.step, step) if n is not None)
            for metric in event.metrics:
                name = plain(metric.name)
                if name and name.lower() != target_metric:
                    yield Sample(f"eval/{name}", place, metric.value, seconds)


def _events(run: Scored, forced: type[Reader]) -> Iterator[Event]:
    """Yields the events of the bytes of a log that were scored, with all figures."""
    interpreter = Interpreter(formats(), forced)
    left = run.card.provenance["bytes"]
    with closing(LogFile(*run.earlier, run.path)) as log:
        while left and (block := log.read()[:left]):
            left -= len(block)
            yield from interpreter.read(block)
    yield from interpreter.end()


class _Durations:
    """The seconds of progress lines."""

    def __init__(self) -> None:
        self._step = 0

    def add(self, event: Iteration) -> float:
        """Returns the seconds of the next line: its time of a step, times the steps it covers."""
        before, self._step = self._step, event.step or 0
        steps = self._step - before if self._step > before else self._step
        return (event.duration or 0.0) * max(1, steps)


def _durations(events: Iterable[Event], first: int, last: int) -> Iterator[float]:
    """Yields the seconds of the progress lines between two lines, by the writer of the first."""
    durations, writer = _Durations(), None
    for event in events:
        at = event.at
        if isinstance(event, Iteration) and first <= at.line <= last:
            writer = (at.host, at.rank) if writer is None else writer
            if (at.host, at.rank) == writer:
                yield durations.add(event)


def _figures(event: Iteration) -> Iterator[tuple[str, float]]:
    for name, value in (
        ("loss", event.loss),
        ("throughput", event.throughput),
        ("step_time_s", event.duration),
        *((plain(metric.name), metric.value) for metric in event.values),
    ):
        if value is not None and name:
            yield name, value


def plain(name: str) -> str:
    """Returns an untrusted name as trackers and folders accept it: no path, not hidden."""
    return _NOT_A_NAME.sub("_", name)[:100].strip("._")


def folder_names(runs: Sequence[Scored]) -> list[str]:
    """Returns a distinct folder name for each run."""
    return unique_names([plain(run.name) or "run" for run in runs], "-")
