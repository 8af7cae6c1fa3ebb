"""The fold of one run: events in, facts and figures per epoch out.

The only mutable thing in `metrics`. It keeps what the panels draw (one small record an
epoch, one an evaluation), never the iterations themselves, so its size does not grow with
the length of the log.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import chain, compress

from sixdim.metrics.fold.checks_state import ChecksState
from sixdim.metrics.fold.columns import Columns, is_empty, last_known
from sixdim.metrics.fold.epoch import Epoch
from sixdim.metrics.fold.evaluation import EvaluationRow
from sixdim.metrics.fold.record_store import RecordStore
from sixdim.metrics.fold.windows import IterationWindows
from sixdim.metrics.values.convergence import Target, TargetError, parse_target
from sixdim.metrics.values.protocol import DEEPSPARK, Protocol
from sixdim.parsers.events import (
    ClockStart,
    EndOfInput,
    EpochEnd,
    Evaluation,
    Event,
    Fact,
    Iteration,
    Metric,
    Origin,
    Problem,
    RunEnd,
    RunInfo,
    RunStart,
    Scope,
    Summary,
    TargetReached,
)

MOST_PROBLEMS = 200
"""Problems kept in full; beyond that they are counted by kind."""
_SURVIVED = ("traceback", "exception", "interrupted", "out_of_memory")
"""Troubles that a program may survive, and did where training goes on behind them."""
_BUFFER = 8192
"""Bytes that Python's standard output may hold back: so many may stand behind the traceback of a
program that it ended."""
_UNKNOWN = Scope.UNKNOWN


class Run:
    """Everything known of one training.

    Args:
        target: A target given from outside; it wins over the log's own.
        protocol: Which records the speed will need one by one.
        from_header: Count times from the run's header instead of its first iteration.

    Attributes:
        epochs: By label, in the order they began.
        points_by: What the `point` of each epoch was made with; see `metrics.card.view`.
        has_epochs: Whether any record named its epoch; else all iterations are of epoch 0.
        windows: The iterations of a run without epochs, in windows of equal length.
        current: Label of the epoch being trained.
        part: Label of the first epoch since the run was last resumed, or began.
        evaluations: Whole evaluations during training, oldest first.
        after: Evaluations after training was over: reported, and decide nothing.
        facts: Name to (value, line) as the log states them.
        freeze: The evaluation that met the target.
        frozen_size: How many evaluations there are up to and with that one; None before it.
        checks: What the sanity checks rest on.
        clock_line: The line with which a person says that the clock starts; None before it.
        records: Records one by one, where the protocol reads them so.
    """

    __slots__ = (
        *("target", "checks", "from_header", "header_us", "records", "epochs", "points_by"),
        *("windows", "current", "evaluations", "after", "facts", "summary", "claim", "end"),
        *("freeze", "frozen_size", "problems", "problem_counts", "failed", "unit", "scope"),
        *("timed_start_us", "first_iteration_us", "last_us", "last_iteration", "ended"),
        *("has_epochs", "part", "_part_begins", "_evaluated", "clock_line", "_open", "_rising"),
    )

    def __init__(
        self,
        target: Target | None = None,
        protocol: Protocol = DEEPSPARK,
        from_header: bool = False,
    ) -> None:
        self.target = target
        self.checks = ChecksState()
        self.from_header = from_header
        self.header_us: int | None = None
        self.records = RecordStore(protocol)
        self.epochs: dict[int, Epoch] = {}
        self.points_by: object = None
        self.windows = IterationWindows()
        self.current: int | None = None
        self.part: int | None = None
        self._part_begins = True
        self._evaluated: int | None = None  # the step of an evaluation that no line followed yet
        self._open: Epoch | None = None
        self._rising = True  # whether the labels of the epochs rise in the order they began
        self.has_epochs = False
        self.clock_line: Origin | None = None
        self.evaluations: list[EvaluationRow] = []
        self.after: list[EvaluationRow] = []
        self.facts: dict[str, tuple[Fact, int]] = {}
        self.summary: dict[str, tuple[Metric, int]] = {}
        self.claim: TargetReached | None = None
        self.end: RunEnd | None = None
        self.freeze: EvaluationRow | None = None
        self.frozen_size: int | None = None
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
        if self.clock_line is not None and self.clock_line.time_us is not None:
            return self.clock_line.time_us
        if self.timed_start_us is not None:
            return self.timed_start_us
        if self.from_header:
            return self.header_us
        return self.first_iteration_us

    @property
    def clock(self) -> tuple[int, int] | None:
        """First and last moment by the log's own timestamps; None where it has none."""
        starts = (self.header_us, self.timed_start_us, self.first_iteration_us)
        every = chain(starts, (epoch.start_us for epoch in self.epochs.values()))
        known = {start for start in every if start is not None}
        last = self.last_us if self.last_us is not None else max(known, default=None)
        return None if last is None else (min([*known, last]), last)

    @property
    def clock_start(self) -> str:
        """The name of that moment."""
        if self.clock_line is not None and self.clock_line.time_us is not None:
            return f"line {self.clock_line.line}"
        if self.timed_start_us is not None:
            return "the log's own start of the clock"
        return "the header" if self.from_header else "the first iteration"

    def epoch_of(self, evaluation: EvaluationRow) -> int | None:
        """The epoch label that the log gives an evaluation; None where it counts in steps."""
        return evaluation.epoch if self.has_epochs else evaluation.label

    @property
    def stepwise(self) -> bool:
        """Whether the log has shown iterations, and no epoch that they belong to."""
        return not self.has_epochs and self.windows.begun

    @property
    def started(self) -> bool:
        """Whether any record of training was read."""
        return bool(self.epochs or self.evaluations or self.last_iteration)

    def apply(self, event: Event) -> None:
        """Folds one event."""
        if type(event) is Iteration:
            self._iteration(event)
            return
        if event.at.time_us is not None and not isinstance(event, EndOfInput):
            if not isinstance(event, RunEnd):
                problem = self.checks.advance(event.at)
                if problem is not None:
                    self.note(problem)
            self.last_us = event.at.time_us
        match event:
            case EpochEnd():
                self._epoch_end(event)
            case Evaluation():
                self.checks.add_evaluation(event)
                self._evaluation(event)
            case RunStart():
                self._part_begins = True
                if event.timed:
                    self.timed_start_us = event.at.time_us
                if self.first_iteration_us is None and event.at.time_us is not None:
                    self.header_us = event.at.time_us
            case ClockStart():
                self.clock_line = self.clock_line or event.at
            case RunInfo():
                self._fact(event)
            case TargetReached():
                self._claim(event)
            case Summary():
                for metric in event.metrics:
                    self.summary[metric.name] = (metric, event.at.line)
            case RunEnd():
                self.end = event
                if event.throughput is not None and not self.unit:
                    self._set_unit(event.unit, event.scope)
                if not event.midway:
                    self._finish_current(cut=True)
            case Problem():
                self.note(event)
            case EndOfInput():
                self.ended = True
                epoch = self._open if self.has_epochs else None
                if epoch is not None and epoch.share() >= 1:
                    epoch.finish()  # its last step was read, and no line comes behind it
        if self.records.wanted and (self.freeze is None or isinstance(event, Summary)):
            self.records.apply(event)

    def repeat(self, event: Event) -> None:
        """Keeps a record that repeats one of another rank for protocols that count every rank."""
        if self.records.wanted and self.freeze is None:
            self.records.apply(event)

    def note(self, problem: Problem) -> None:
        """Keeps a problem; of too many, those after the first of their kind are only counted."""
        same = self.problem_counts.get(problem.kind, 0)
        self.problem_counts[problem.kind] = same + 1
        if len(self.problems) < MOST_PROBLEMS or not same:
            self.problems.append(problem)
        if problem.fatal:
            self.failed = problem

    def over(self, frozen: bool = False) -> list[int]:
        """Labels of the epochs that are over, in order; only until the freeze, if asked."""
        over = [label for label, epoch in self.epochs.items() if epoch.complete]
        return [*filter(self._before_freeze, over)] if frozen and self.freeze else over

    def among(self, labels: Collection[int]) -> list[Epoch]:
        """The epochs with one of the labels, in the order they began."""
        if self._rising and len(labels) < len(self.epochs):
            return [self.epochs[label] for label in sorted(labels) if label in self.epochs]
        return [epoch for label, epoch in self.epochs.items() if label in labels]

    def rated(self, labels: Collection[int] | None = None) -> list[Epoch]:
        """The completed epochs that the speed of a frozen card rests on: none after the freeze.

        Args:
            labels: Only those with one of these labels; all by default.
        """
        epochs = self.epochs.values() if labels is None else self.among(labels)
        return [e for e in epochs if e.complete and self._before_freeze(e.label)]

    def _before_freeze(self, label: int) -> bool:
        return self.freeze is None or self.freeze.epoch is None or label <= self.freeze.epoch

    def _iteration(self, event: Iteration) -> None:
        at, label, step, steps, throughput, unit, scope, loss, duration, values, rate, time = event
        line, _offset, time_us, _rank, _host, _file = at
        for problem in self.checks.add(event):
            self.note(problem)
        if time_us is not None:
            self.last_us = time_us
            if self.first_iteration_us is None:
                self.first_iteration_us = time_us
        if self.end is not None and self._goes_on(event):
            self.end = None
        self.last_iteration = event
        if self.failed is not None:
            self._forget_survived(at)
        if throughput is not None and (unit != self.unit or scope is not self.scope):
            self._set_unit(unit, scope)
        if loss is not None and loss != loss:
            self.note(Problem(at, "nan_loss", "the training loss is nan"))
        epoch = self._open
        if label is not None:
            self.has_epochs = True
        if epoch is None or epoch.complete or epoch.label != (label or 0):
            epoch = self._epoch(label or 0, event)
        if epoch is not None:
            epoch.add(line, time_us, step, steps, throughput, loss, duration, values)
            if rate is not None or time is not None:
                epoch.means(rate, time)
            if label is None:
                window = self.windows.open(line)
                window.add(line, time_us, step, steps, throughput, loss, duration, values)
        if self.records.wanted and self.freeze is None:
            self.records.apply(event)

    def extend(self, records: Sequence[Iteration], columns: Columns) -> None:
        """Folds progress lines that follow each other; as `apply` on each, and faster.

        Args:
            records: The lines.
            columns: The same as columns.
        """
        self._iteration(records[0])
        rest, columns = records[1:], columns.part(1, len(records))
        epoch = self._going_on(columns)
        if epoch is None:
            for record in rest:
                self._iteration(record)
            return
        for problem in self.checks.extend(rest, columns):
            self.note(problem)
        self.last_us = last_known(columns.times_us, self.last_us)
        if self.first_iteration_us is None:
            self.first_iteration_us = next((us for us in columns.times_us if us is not None), None)
        self.last_iteration = rest[-1]
        self._forget_survived(rest[-1].at)
        if not is_empty(columns.rates):
            self._set_unit(columns.unit, columns.scope)
        epoch.point = None
        epoch.extend(columns)
        epoch.means(last_known(columns.mean_rates), last_known(columns.mean_durations))
        if columns.epoch is None:
            self.windows.extend(columns)
        if self.records.wanted and self.freeze is None:
            for record in rest:
                self.records.apply(record)

    def _going_on(self, columns: Columns) -> Epoch | None:
        """The current epoch, if these lines are of it and say nothing but figures."""
        epoch, label = self._open, columns.epoch or 0
        if self.end is not None or epoch is None or not label == epoch.label == self.current:
            return None
        if any(loss is not None and loss != loss for loss in columns.losses):
            return None
        first = epoch.first_step
        if epoch.complete and first is not None:
            again = (step for step in columns.steps if step is not None and step <= first)
            return None if any(True for _ in again) else epoch
        return epoch

    def _forget_survived(self, at: Origin) -> None:
        """Forgets a trouble if a progress line stands so far behind it that training went on."""
        failed = self.failed
        if failed is None or failed.kind not in _SURVIVED:
            return
        if at.file != failed.at.file or at.offset - failed.at.offset > _BUFFER:
            self.failed = None

    def _goes_on(self, event: Iteration) -> bool:
        """Whether a progress line behind the closing line shows that training was resumed."""
        if event.at.rank not in (None, 0):
            return False  # another process, that is not done yet
        if event.epoch is not None:
            last_step = (
                event.steps is not None and event.step == event.steps
            )  # a bar's last drawing
            return event.epoch not in self.epochs and not last_step
        last = self.last_iteration
        return last is None or (event.step or 0) > (last.step or 0)

    def _set_unit(self, unit: str, scope: Scope) -> None:
        """Sets unit and scope of the rates; a line without a scope changes none."""
        if scope is not _UNKNOWN or unit != self.unit:
            self.scope = scope
        self.unit = unit

    def _changing(self, label: int) -> Epoch | None:
        """The epoch of a label, which is about to change; None where there is none."""
        epoch = self.epochs.get(label)
        if epoch is not None:
            epoch.point = None
        return epoch

    def _epoch(self, label: int, event: Iteration | EpochEnd) -> Epoch | None:
        """The epoch of a label; None where a frozen epoch must not change any more."""
        known = self._changing(label)
        resumes = known is not None and self._resumes(known, event)
        if self._sealed(label) and (resumes or label != self.current):
            text = f"epoch {label} again after the freeze: it changes nothing"
            self.note(Problem(event.at, "after_freeze", text))
            return None
        if resumes:
            self._resume(label, event)
            known = None
        if known is None:
            self._finish_current()
            self._rising = self._rising and label > next(reversed(self.epochs), label - 1)
            known = Epoch(label, event.at.line, event.at.line, event.at.offset)
            self.epochs[label] = self._open = known
            self.current = label
            if self._evaluated is not None:
                known.evaluated(self._evaluated)
                self._evaluated = None
            if self._part_begins:
                self.part, self._part_begins = label, False
        return known

    def _resume(self, label: int, event: Iteration | EpochEnd) -> None:
        """Forgets the epochs from a label on, with their records and evaluations."""
        self._part_begins, self.end = True, None
        text = f"epoch {label} begins again: the later one counts"
        self.note(Problem(event.at, "resume", text))
        again = (epoch for known, epoch in self.epochs.items() if known >= label)
        self.records.cut(min(epoch.first_line for epoch in again))
        before = [(evaluation.epoch or 0) < label for evaluation in self.evaluations]
        if self.frozen_size is not None and self.freeze is not None:
            stays = (self.freeze.epoch or 0) < label
            self.frozen_size = sum(before[: self.frozen_size]) if stays else None
        self.epochs = {known: epoch for known, epoch in self.epochs.items() if known < label}
        self.evaluations = [*compress(self.evaluations, before)]

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
        self.has_epochs = self.has_epochs or event.epoch is not None
        epoch = None if label is None else self._epoch(label, event)
        if epoch is None:
            return
        epoch.end(event)
        if event.throughput is None:
            return
        if not math.isfinite(event.throughput):
            text = f"the throughput of epoch {label} is {event.throughput}: left out"
            self.note(Problem(event.at, "nan_throughput", text))
            return
        epoch.stated, epoch.stated_line = event.throughput, event.at.line
        self._set_unit(event.unit, event.scope)

    def _finish_current(self, *, cut: bool = False) -> None:
        """Finishes the epoch being trained, which the end of the run may have cut short."""
        epoch = None if self.current is None else self.epochs.get(self.current)
        if epoch is not None:
            epoch.cut = epoch.cut or (cut and not epoch.complete)
            epoch.finish()

    def _evaluation(self, event: Evaluation) -> None:
        label = event.epoch if event.epoch is not None else self.current
        evaluation = EvaluationRow.of(event, label)
        if event.after_training or event.model == "teacher":
            self.after.append(evaluation)
            return
        self.evaluations.append(evaluation)
        epoch = None if label is None or self._sealed(label) else self._changing(label)
        self.windows.evaluated(event.step)
        self._evaluated = event.step if epoch is None else None
        if epoch is not None:
            epoch.last_line = event.at.line
            epoch.evaluated(event.step)
            if not event.midway:
                epoch.finish()
        if self.freeze is None and self.target is not None:
            self.target = self.target.among(evaluation.places)
            if self.target.met(evaluation.values):
                self.freeze, self.frozen_size = evaluation, len(self.evaluations)

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
        for count, evaluation in enumerate(self.evaluations, 1):
            self.target = self.target.among(evaluation.places)
            if self.freeze is None and self.target.met(evaluation.values):
                self.freeze, self.frozen_size = evaluation, count
