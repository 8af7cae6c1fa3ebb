"""Converts a run to named series over iterations and epochs, for experiment trackers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import NamedTuple

from sixdim.metrics.fold.sums.run_steps import RunSteps
from sixdim.parsers.events import EpochEnd, Evaluation, Event, Iteration
from sixdim.parsers.input.source import LogFile
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.statements.format import Reader
from sixdim.tui.export.tracking.wall_time import ORDERED, WallTime
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


def series(run: Scored, clock: WallTime) -> Iterator[Sample]:
    """Yields every figure of the progress lines and evaluations, and of each epoch.

    The log is read a second time for this, so that the values need not be stored.
    """
    if run.snapshot is None:
        return
    samples = _Samples(clock, run.snapshot.metric)
    for sample in _read_again(run, clock, samples):
        if math.isfinite(sample.value):
            yield sample
    for epoch in run.snapshot.epochs:
        if not epoch.complete:
            continue
        at = samples.ends.get(epoch.label) or clock.at(None, epoch.last_line, epoch.label)
        for name, value in (
            ("throughput", epoch.throughput),
            ("duration_s", epoch.duration),
            ("loss", epoch.loss),
        ):
            if value is not None and math.isfinite(value):
                yield Sample(f"epoch/{name}", epoch.label, value, at)
    yield from _of_target(run, clock, samples.evaluations)


def _of_target(run: Scored, clock: WallTime, times: dict[int, float]) -> Iterator[Sample]:
    """Yields the evaluations of the target metric; `times` has those of lines, as far as known."""
    assert run.snapshot is not None
    metric = plain(run.snapshot.metric) or "metric"
    for position, found in enumerate(run.snapshot.evaluations):
        step = next(s for s in (found.epoch, found.step, position) if s is not None)
        at = times.get(found.line) or clock.at(None, found.line, found.epoch)
        if math.isfinite(found.value):
            yield Sample(f"eval/{metric}", step, found.value, at)


def _read_again(run: Scored, clock: WallTime, samples: _Samples) -> Iterator[Sample]:
    """Yields the figures of progress lines and evaluations, without the target metric."""
    assert run.snapshot is not None
    forced = next((one for one in formats() if one.name == run.snapshot.format), None)
    averages = (*run.snapshot.epochs, *run.snapshot.windows)
    if {"", "-"} & {run.path, *run.earlier} or forced is None or not averages:
        return
    first = min(one.first_line for one in averages)
    last = max(one.last_line for one in averages)
    lines = range(first, last + 1)
    if clock.source == ORDERED:
        for event in _by_one_writer(_events(run, forced), lines):
            if isinstance(event, Iteration):
                clock.add(event)
        clock.by_steps()
    for event in _by_one_writer(_events(run, forced), lines):
        yield from samples.of(event)


def _by_one_writer(events: Iterable[Event], lines: range) -> Iterator[Event]:
    """Yields the events of these lines, without the progress lines that other ranks print, too."""
    writer = None
    for event in events:
        at = event.at
        if at.line not in lines:
            continue
        if isinstance(event, Iteration):
            writer = writer or (at.host, at.rank)
            if (at.host, at.rank) != writer:
                continue
        yield event


class _Samples:
    """Converts the events of a run, one after the other, and notes their times.

    Args:
        clock: When a line was written.
        target_metric: The metric that is left out.

    Attributes:
        ends: The time of the last line of each epoch.
        evaluations: The times of evaluations, by their lines.
    """

    def __init__(self, clock: WallTime, target_metric: str) -> None:
        self.ends: dict[int | None, float] = {}
        self.evaluations: dict[int, float] = {}
        self._clock = clock
        self._target_metric = target_metric
        self._steps = RunSteps()
        self._step = 0
        self._epoch: int | None = None

    def of(self, event: Event) -> Iterator[Sample]:
        """Yields the samples of the next event."""
        if isinstance(event, Iteration):
            yield from self._of_iteration(event)
        elif isinstance(event, EpochEnd) and event.epoch is not None:
            self.ends[event.epoch] = self._when(event, event.epoch)
        elif isinstance(event, Evaluation) and not event.after_training:
            yield from self._of_evaluation(event)

    def _of_iteration(self, event: Iteration) -> Iterator[Sample]:
        self._clock.add(event)
        counted = self._steps.count(event)
        self._step = self._step + 1 if counted is None else counted
        self._epoch = self._epoch if event.epoch is None else event.epoch
        done = (event.step or 0) / event.steps if event.steps else 1.0
        seconds = self._when(event, self._epoch, min(max(done, 0.0), 1.0))
        self.ends[self._epoch] = seconds
        for name, value in _figures(event):
            yield Sample(f"train/{name}", self._step, value, seconds)

    def _of_evaluation(self, event: Evaluation) -> Iterator[Sample]:
        epoch = self._epoch if event.epoch is None else event.epoch
        seconds = self._when(event, epoch)
        self.ends[epoch] = self.evaluations[event.at.line] = seconds
        place = next(n for n in (epoch, event.step, self._step) if n is not None)
        for metric in event.metrics:
            name = plain(metric.name)
            if name and name.lower() != self._target_metric:
                yield Sample(f"eval/{name}", place, metric.value, seconds)

    def _when(self, event: Event, epoch: int | None, done: float = 1.0) -> float:
        return self._clock.at(event.at.time_us, event.at.line, epoch, done)


def _events(run: Scored, forced: type[Reader]) -> Iterator[Event]:
    """Yields the events of the bytes of a log that were scored, with all figures."""
    interpreter = Interpreter(formats(), forced)
    left = run.card.provenance["bytes"]
    with closing(LogFile(*run.earlier, run.path)) as log:
        while left and (block := log.read()[:left]):
            left -= len(block)
            yield from interpreter.read(block)
    yield from interpreter.end()


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
