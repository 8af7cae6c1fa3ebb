"""The fold of one run: events in, facts and figures per epoch out.

The only mutable thing in `metrics`. It keeps what the panels draw (one small record an
epoch, one an evaluation), never the iterations themselves, so its size does not grow with
the length of the log.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import chain, islice, repeat

from metrics.convergence import Target, TargetError, canonical, parse_target
from metrics.epoch import Epoch
from metrics.epoch_pages import PagedEpochs
from metrics.evaluation_pages import PagedEvaluations
from metrics.exact import ExactSum
from metrics.observed import Observed
from metrics.protocol import DEEPSPARK, Protocol
from metrics.records import Kept
from metrics.settled import AnyEpoch, AnyJudged, Judged
from metrics.windows import IterationWindows
from parsers.events import (
    Column,
    EndOfInput,
    EpochEnd,
    Epochs,
    Evaluation,
    Evaluations,
    Event,
    Fact,
    Iteration,
    Iterations,
    Metric,
    Problem,
    RunEnd,
    RunInfo,
    RunStart,
    Scope,
    Summary,
    TargetReached,
)
from parsers.whole_epochs import WholeEpochs

MOST_PROBLEMS = 200
"""Problems kept in full; beyond that they are counted by kind."""


class Run:
    """Everything known of one training.

    Args:
        target: A target given from outside; it wins over the log's own.
        protocol: Which records the speed will need one by one.
        from_header: Count times from the run's header instead of its first iteration.

    Attributes:
        epochs: By label, in the order they began.
        windows: The iterations of a run without epochs, in windows of equal length.
        current: Label of the epoch being trained.
        evaluations: Whole evaluations during training, oldest first.
        after: Evaluations after training was over: reported, and decide nothing.
        facts: Name to (value, line) as the log states them.
        freeze: The evaluation that met the target.
        judged: How many evaluations there are up to and with that one.
        observed: What the sanity checks rest on.
        kept: Records one by one, where the protocol reads them so.
    """

    def __init__(
        self,
        target: Target | None = None,
        protocol: Protocol = DEEPSPARK,
        from_header: bool = False,
    ) -> None:
        self.target = target
        self.observed = Observed()
        self.from_header = from_header
        self.header_us: int | None = None
        self.kept = Kept(protocol)
        self.epochs = PagedEpochs()
        self.windows = IterationWindows()
        self.current: int | None = None
        self._labelled = False
        self.evaluations = PagedEvaluations()
        self.after: list[Judged] = []
        self.facts: dict[str, tuple[Fact, int]] = {}
        self.summary: dict[str, tuple[Metric, int]] = {}
        self.claim: TargetReached | None = None
        self.end: RunEnd | None = None
        self.freeze: AnyJudged | None = None
        self.judged: int | None = None
        self.problems: list[Problem] = []
        self.problem_counts: dict[str, int] = {}
        self.failed: Problem | None = None
        self.unit = ""
        self.scope = Scope.UNKNOWN
        self.timed_start_us: int | None = None
        self.first_iteration_us: int | None = None
        self.last_us: int | None = None
        self.last_iteration: Iteration | None = None
        self.ended = False

    @property
    def clock_start_us(self) -> int | None:
        """Where time to train begins: the log's own start of the clock, or the first iteration."""
        if self.timed_start_us is not None:
            return self.timed_start_us
        if self.from_header:
            return self.header_us
        return self.first_iteration_us

    @property
    def clock(self) -> tuple[int, int] | None:
        """First and last moment that the log's own stamps tell; None where it has none."""
        starts = (self.header_us, self.timed_start_us, self.first_iteration_us)
        every = chain(starts, (epoch.start_us for epoch in self.epochs.each()))
        known = {start for start in every if start is not None}
        last = self.last_us if self.last_us is not None else max(known, default=None)
        return None if last is None else (min([*known, last]), last)

    @property
    def clock_start(self) -> str:
        """The name of that moment."""
        if self.timed_start_us is not None:
            return "the log's own start of the clock"
        return "the header" if self.from_header else "the first iteration"

    @property
    def has_epochs(self) -> bool:
        """Whether the log counts in epochs; else all its iterations stand under label 0."""
        return self._labelled

    @property
    def labelled(self) -> bool:
        """Whether any record named its epoch."""
        return self._labelled

    def epoch_of(self, judged: AnyJudged) -> int | None:
        """The epoch label that the log gives an evaluation; None where it counts in steps."""
        return judged.epoch if self._labelled else judged.label

    @property
    def stepwise(self) -> bool:
        """Whether the log has shown iterations, and no epoch that they belong to."""
        return not self._labelled and self.windows.begun

    @property
    def started(self) -> bool:
        """Whether any record of training was read."""
        return bool(self.epochs or self.evaluations or self.last_iteration)

    def apply(self, event: Event) -> None:
        """Folds one event."""
        if isinstance(event, Iterations):
            self._iterations(event)
            return
        if isinstance(event, Epochs):
            self._epochs(event)
            return
        if isinstance(event, Evaluations):
            self._evaluations(event)
            return
        if isinstance(event, WholeEpochs):
            self._whole_epochs(event)
            return
        for problem in self.observed.apply(event):
            self.note(problem)
        if event.at.time_us is not None:
            self.last_us = event.at.time_us
        match event:
            case RunStart():
                if event.timed:
                    self.timed_start_us = event.at.time_us
                if self.first_iteration_us is None and event.at.time_us is not None:
                    self.header_us = event.at.time_us
            case Iteration():
                self._iteration(event)
            case EpochEnd():
                self._epoch_end(event)
            case Evaluation():
                self._evaluation(event)
            case RunInfo():
                self._fact(event)
            case TargetReached():
                self._claim(event)
            case Summary():
                for metric in event.metrics:
                    self.summary[metric.name] = (metric, event.at.line)
            case RunEnd():
                self.end = event
                self._complete_current()
            case Problem():
                self.note(event)
            case EndOfInput():
                self.ended = True
        if self.freeze is None or isinstance(event, Summary):
            self.kept.apply(event)

    def note(self, problem: Problem) -> None:
        """Keeps a problem (counts it once there are too many)."""
        self.problem_counts[problem.kind] = self.problem_counts.get(problem.kind, 0) + 1
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)
        if problem.fatal:
            self.failed = problem

    def over(self, frozen: bool = False) -> Iterator[int]:
        """Labels of the epochs that are over, in order; only until the freeze, if asked."""
        over = self.epochs.over()
        return filter(self._before_freeze, over) if frozen else over

    def completed(self, labels: range | set[int] | None = None) -> Iterator[AnyEpoch]:
        """The epochs that are over, in order; only those with one of the labels, if given."""
        epochs = self.epochs.each() if labels is None else self.epochs.among(labels)
        return (epoch for epoch in epochs if epoch.complete)

    def rated(self, labels: range | set[int] | None = None) -> Iterator[AnyEpoch]:
        """The completed epochs that the speed of a frozen card rests on: none after the freeze.

        A log may hold half a million bare epochs: those are left out.
        """
        epochs = self.epochs.each(bare=False) if labels is None else self.epochs.among(labels)
        return (
            epoch
            for epoch in epochs
            if not epoch.bare and epoch.complete and self._before_freeze(epoch.label)
        )

    def _before_freeze(self, label: int) -> bool:
        return self.freeze is None or self.freeze.epoch is None or label <= self.freeze.epoch

    def _trains(self, event: Iteration) -> None:
        """Takes over what any progress line tells of the run."""
        if self.first_iteration_us is None:
            self.first_iteration_us = event.at.time_us
        self.last_iteration = event
        if self.failed is not None and self.failed.kind == "traceback":
            self.failed = None  # training went on: the traceback was caught
        if event.throughput is not None:
            self._rated(event)

    def _iteration(self, event: Iteration) -> None:
        self._trains(event)
        if event.loss is not None and event.loss != event.loss:
            self.note(Problem(event.at, "nan_loss", "the training loss is nan"))
        self._labelled = self._labelled or event.epoch is not None
        epoch = self._epoch(0 if event.epoch is None else event.epoch, event)
        if epoch is None:
            return
        epoch.add(event)
        if event.epoch is None:
            self.windows.add(event)

    def _rated(self, event: Iteration | EpochEnd) -> None:
        """Takes over unit and scope; lines that do not say whose rate it is change no scope."""
        if event.scope is not Scope.UNKNOWN or event.unit != self.unit:
            self.scope = event.scope
        self.unit = event.unit

    def _iterations(self, event: Iterations) -> None:
        """Folds many as one where, after the first of them, none can change more than sums."""
        first, last = event.first, event.last
        self.apply(first)
        if event.records == 1:
            return
        epoch = self.epochs.changing(first.epoch or 0)
        if epoch is None or not self._go_on(epoch, event) or not self.observed.smooth(event):
            for single in event.after():
                self.apply(single)
            return
        self.observed.pass_over(event)
        self.last_iteration = last
        epoch.add_after(event)
        if self.kept.wanted and self.freeze is None:
            for single in event.after():
                self.kept.apply(single)
        if first.epoch is None:
            self.windows.add_after(event)
        if last.at.time_us is not None:
            self.last_us = last.at.time_us

    def _epochs(self, event: Epochs) -> None:
        """Folds many epochs, each told by one line, as one where none of them was seen before."""
        columns = [*chain.from_iterable(columns for _model, columns in event.evaluated)]
        judges = self._judges(columns) or self.kept.wanted
        if judges or self.epochs.any_of(event.labels):
            for single in event.each():
                self.apply(single)
            return
        self._complete_current()
        self._labelled, self.current = True, event.labels[-1]
        self.observed.evaluated(columns)
        self.epochs.add_told(event)
        told = [(next(event.evaluations(*one)), one[1]) for one in event.evaluated]
        self.evaluations.add_told(event, told)

    def _whole_epochs(self, event: WholeEpochs) -> None:
        """Folds whole epochs as one where none was seen before and none can end the run."""
        ends = [e for e in event.endings if isinstance(e.example, EpochEnd)]
        judged = [e for e in event.endings if isinstance(e.example, Evaluation)]
        decide = self.kept.wanted or any(self._judges(ending.figures) for ending in judged)
        known = self.freeze is not None or self.epochs.any_of(event.labels)
        if decide or known or not self.observed.smooth_epochs(event):
            for single in event.each():
                self.apply(single)
            return
        for problem in self.observed.apply(event.first):
            self.note(problem)
        self.observed.pass_epochs(event)
        self._trains(event.first)
        self._complete_current()
        self.last_iteration = event.last
        self._labelled, self.current = True, event.labels[-1]
        for ending in ends:
            if isinstance(ending.example, EpochEnd) and ending.example.throughput is not None:
                self._rated(ending.example)
        times = [event.ends, *(ending.times for ending in event.endings)]
        self.last_us = next((t[-1] for t in reversed(times) if t is not None), self.last_us)
        self.epochs.add_whole(event)
        self.evaluations.add_ended(judged, event.labels)

    def _judges(self, columns: Iterable[Column]) -> bool:
        """Whether one of many evaluations may end the run, or comes after its end."""
        if self.freeze is not None or self.target is None:
            return self.freeze is not None
        return self.target.near(
            (canonical(one.name), one.higher_is_better, one.values) for one in columns
        )

    def _evaluations(self, event: Evaluations) -> None:
        """Folds many evaluations, each told by one line, as one where none can end the run."""
        first = next(event.each())
        if self._judges(event.columns):
            for single in event.each():
                self.apply(single)
            return
        for problem in self.observed.apply(first):
            self.note(problem)
        self.observed.evaluated(event.columns)
        if event.records > 1:
            self.observed.pass_time(event.last)
        if event.times:
            self.last_us = event.times[-1]
        self.evaluations.add_told(event, [(first, event.columns)], self.current)
        lines = dict(zip(event.labels or repeat(self.current), event.lines, strict=False))
        for label in lines:
            epoch = None if label is None else self.epochs.changing(label)
            if epoch is not None:
                epoch.complete, epoch.last_line = True, lines[label]

    def _go_on(self, epoch: Epoch, event: Iterations) -> bool:
        """Whether those after the first only go on with its epoch, which it was taken into."""
        if epoch.last_line != event.first.at.line:
            return False
        if (epoch.label == self.current and not epoch.complete) or epoch.first_step is None:
            return True
        # Stragglers: their steps rise, so the lowest tells whether any begins the epoch anew.
        second = next(event.after(), event.last)
        return second.step is None or second.step > epoch.first_step

    def _epoch(self, label: int, event: Iteration | EpochEnd) -> Epoch | None:
        """The record for `label`; None where a frozen epoch must not change any more."""
        known = self.epochs.changing(label)
        resumes = known is not None and self._resumes(known, event)
        if self._sealed(label) and (resumes or label != self.current):
            text = f"epoch {label} again after the freeze: it changes nothing"
            self.note(Problem(event.at, "after_freeze", text))
            return None
        if resumes:
            self.note(
                Problem(event.at, "resume", f"epoch {label} begins again: the later one counts")
            )
            again = range(label, max(self.epochs) + 1)
            self.kept.cut(min(epoch.first_line for epoch in self.epochs.among(again)))
            self._forget(label)
            known = None
        if known is None:
            self._complete_current()
            known = Epoch(label, event.at.line, event.at.line, event.at.offset)
            self.epochs.add(known)
            self.current = label
        return known

    def _forget(self, label: int) -> None:
        """Leaves out all that was told of the epochs from a label on."""
        if self.judged is not None and self.freeze is not None:
            before = islice(self.evaluations, self.judged)
            stays = (self.freeze.epoch or 0) < label
            self.judged = sum((j.epoch or 0) < label for j in before) if stays else None
        self.epochs.cut(label)
        self.evaluations.cut(label)

    def _sealed(self, label: int) -> bool:
        """Whether the frozen card rests on this epoch."""
        return (
            self.freeze is not None and self.freeze.epoch is not None and label <= self.freeze.epoch
        )

    def _resumes(self, known: Epoch, event: Iteration | EpochEnd) -> bool:
        """Whether an earlier epoch starts over (a straggling line of it does not count)."""
        # Where an epoch is a single line, as in sinks of steps, ranks that write at once repeat it.
        if known.first_step == known.step and known.label >= (self.current or 0) - 1:
            return False
        return (
            isinstance(event, Iteration)
            and (known.label != self.current or known.complete)
            and event.step is not None
            and known.first_step is not None
            and event.step <= known.first_step
        )

    def _epoch_end(self, event: EpochEnd) -> None:
        label = event.epoch if event.epoch is not None else self.current
        self._labelled = self._labelled or event.epoch is not None
        epoch = None if label is None else self._epoch(label, event)
        if epoch is None:
            return
        epoch.last_line = event.at.line
        epoch.end_us = event.at.time_us if event.at.time_us is not None else epoch.end_us
        epoch.complete = True
        if event.throughput is not None and not math.isfinite(event.throughput):
            text = f"the throughput of epoch {label} is {event.throughput}: left out"
            self.note(Problem(event.at, "nan_throughput", text))
        elif event.throughput is not None:
            epoch.stated, epoch.stated_line = event.throughput, event.at.line
            self._rated(event)
        if event.train_time is not None:
            epoch.train_time = event.train_time
        if event.epoch_time is not None:
            epoch.epoch_time = event.epoch_time
        if event.iteration_time is not None and event.iteration_time > 0:
            epoch.durations = ExactSum()
            epoch.durations.add(event.iteration_time)

    def _complete_current(self) -> None:
        if self.current is not None:
            self.epochs.finish(self.current)

    def _evaluation(self, event: Evaluation) -> None:
        label = event.epoch if event.epoch is not None else self.current
        judged = Judged.of(event, label)
        if event.after_training or event.model == "teacher":
            self.after.append(judged)
            return
        self.evaluations.append(judged)
        epoch = None if label is None or self._sealed(label) else self.epochs.changing(label)
        if epoch is not None:
            epoch.complete, epoch.last_line = True, event.at.line
        if self.freeze is None and self.target is not None and self.target.met(judged.values):
            self.freeze, self.judged = judged, len(self.evaluations)

    def _fact(self, event: RunInfo) -> None:
        self.facts[event.name] = (event.value, event.at.line)
        if event.name == "target" and self.target is None:
            self._set_target(str(event.value))

    def _claim(self, event: TargetReached) -> None:
        self.claim = event
        if self.target is None and event.condition is not None:
            self._set_target(event.condition)

    def _set_target(self, condition: str) -> None:
        try:
            self.target = parse_target(condition, "log")
        except TargetError:
            return
        for count, judged in enumerate(self.evaluations, 1):
            if self.freeze is None and self.target.met(judged.values):
                self.freeze, self.judged = judged, count
