"""The fold of one run: events in, facts and figures per epoch out.

The only mutable thing in `metrics`. It keeps what the panels draw (one small record an
epoch, one an evaluation), never the iterations themselves, so its size does not grow with
the length of the log.
"""

from __future__ import annotations

from sixdim.metrics.fold.epoch import Epoch, measured
from sixdim.metrics.fold.evaluation import EvaluationRow
from sixdim.metrics.fold.evaluations import Evaluations
from sixdim.metrics.fold.run_epochs import RunEpochs
from sixdim.metrics.values.convergence import TargetError, parse_target
from sixdim.parsers.events import (
    ClockStart,
    EndOfInput,
    EpochEnd,
    Evaluation,
    Event,
    Iteration,
    Origin,
    Problem,
    RunEnd,
    RunInfo,
    RunStart,
    Scope,
    Span,
    Summary,
    TargetReached,
)

_SURVIVED = ("traceback", "exception", "interrupted", "out_of_memory")
"""Troubles that a program may survive, and did where training goes on behind them."""
_BUFFER = 8192
"""Bytes that Python's standard output may hold back: so many may stand behind the traceback of a
program that it ended."""
_UNKNOWN = Scope.UNKNOWN


class Run(RunEpochs):
    """Folds the events of one training; see `RunState` for what is known of it."""

    __slots__ = ()

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
                if self.series is not None:
                    self.series.epoch_end(event)
            case Evaluation():
                if self.series is not None:
                    self.series.evaluation(event)
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
            case RunEnd(sentence=True) if self.end or self._went_on or not self._trained:
                pass  # a part is over, or nothing was trained
            case RunEnd():
                self.end = event._replace(
                    duration=measured(event.duration),
                    throughput=measured(event.throughput),
                    epochs=measured(event.epochs),
                )
                if event.throughput is not None and not self.unit:
                    self._set_unit(event.unit, event.scope)
                if not event.midway:
                    self._finish_current(cut=True)
            case Problem():
                self.note(event)
            case EndOfInput():
                self.ended = True
                if self.failed is not None and self._trained_behind(self.failed.at):
                    self._forget_survived(event.at)
                epoch = self._open if self.has_epochs else None
                if epoch is not None and (epoch.share() >= 1 or self._is_as_long(epoch)):
                    epoch.finish()  # its last step was read, and no line comes behind it
        if self.records.wanted and (self.freeze is None or isinstance(event, Summary)):
            self.records.apply(event)

    @property
    def _trained(self) -> bool:
        """Whether any training or evaluation was read."""
        return bool(self.epochs or self.evaluations)

    def repeat(self, event: Event) -> None:
        """Keeps a record that repeats one of another rank for protocols that count every rank."""
        if self.records.wanted and self.freeze is None:
            self.records.apply(event)

    def _iteration(self, event: Iteration) -> None:
        if self.series is not None:
            self.series.iteration(event)
        at, label, _, _, throughput, unit, scope, loss, _, _, rate, time = event
        problems = self.checks.add(event)
        if problems:
            for problem in problems:
                self.note(problem)
        time_us = at.time_us
        if time_us is not None:
            self.last_us = time_us
            if self.first_iteration_us is None:
                self.first_iteration_us = time_us
        if self.end is not None and self._goes_on(event):
            self._take_back_end()
        before, self.last_iteration = self.last_iteration, event
        if before is not None and label is None and self._pauses.regular(before, event):
            self._mark_evaluated(self._open, event.step)
        if self.failed is not None:
            self._forget_survived(at)
        if throughput is not None and (unit != self.unit or scope is not self.scope):
            self._set_unit(unit, scope)
        if loss is not None and loss != loss:
            self.note(Problem(at, "nan_loss", "the training loss is nan"))
        epoch = self._open
        if label is not None:
            self.has_epochs = True
        if (
            epoch is None or epoch.complete or epoch.label != (label or 0) or self._part_begins
        ):  # else the line goes on with the epoch at hand
            epoch = self._epoch(label or 0, event)
        if epoch is not None:
            epoch.add(event)
            if rate is not None or time is not None:
                epoch.means(rate, time)
            if label is None:
                self.windows.open(at.line).add(event)
        if self.records.wanted and self.freeze is None:
            self.records.apply(event)

    def add(self, span: Span) -> bool:
        """Folds a span of progress lines, if each of them does no more than add to the sums.

        Returns:
            Whether it did; else nothing was changed.
        """
        last = span.last
        epoch, step = self._open, last.step
        before = None if step is None else step - span.iterations
        if epoch is None or epoch.label != (last.epoch or 0):
            return False
        if epoch.complete and not self._goes_on_with(epoch, before):
            return False
        if self.end is not None or self.failed is not None or last.steps != epoch.steps:
            return False
        if self.records.wanted and self.freeze is None:
            return False  # each line counts by itself
        if span.figures is None and (last.values or self.series is not None):
            return False
        if not self.checks.fits(span):
            return False
        if not epoch.lines.follows(before):
            return False
        window = None
        if last.epoch is None:
            window = self.windows.last(span.lines)
            if window is None or not window.lines.follows(before):
                return False
        self.checks.add_span(span)
        if self.series is not None:
            self.series.extend(span)
        self.last_us = self.last_us if last.at.time_us is None else last.at.time_us
        self.last_iteration = last
        for changed in (epoch,) if window is None else (epoch, window):
            changed.add_span(span)
        epoch.means(last.mean_throughput, last.mean_duration)
        self.epochs.changing(epoch.label)
        return True

    def _goes_on_with(self, epoch: Epoch, step: int | None) -> bool:
        """Whether lines behind one of that step only go on with an epoch that was over."""
        if epoch.label != self.current:
            return False
        return step is None or (epoch.first_step is not None and epoch.first_step <= step)

    def _forget_survived(self, at: Origin) -> None:
        """Forgets a trouble behind which training went on, and this line is far, or ends a log.

        At the end the same trouble must have been survived before, if the end is not as far.
        """
        failed = self.failed
        if failed is None or failed.kind not in _SURVIVED:
            return
        far = at.file != failed.at.file or at.offset - failed.at.offset > _BUFFER
        if far or (self.ended and failed.text == self.survived):
            self.failed, self.survived = None, failed.text

    def _is_as_long(self, epoch: Epoch) -> bool:
        """Whether an epoch of unknown length came as far as the one before it."""
        before = self.epochs.get(epoch.label - 1)
        if before is None or before.step is None or epoch.step is None or epoch.steps:
            return False
        return before.complete and epoch.step == before.step > 1

    def _trained_behind(self, at: Origin) -> bool:
        """Whether a record of training stands behind a line."""
        last = self.last_iteration
        if last is not None and (last.at.file, last.at.line) > (at.file, at.line):
            return True
        return self._open is not None and self._open.last_line > at.line

    def _set_unit(self, unit: str, scope: Scope) -> None:
        """Sets unit and scope of the rates; a line without a scope changes none."""
        if scope is not _UNKNOWN or unit != self.unit:
            self.scope = scope
        self.unit = unit

    def _epoch_end(self, event: EpochEnd) -> None:
        label = event.epoch if event.epoch is not None else self.current
        if self.end is not None and event.epoch is not None and self._goes_on(event):
            self._take_back_end()
        self._forget_survived(event.at)
        self.has_epochs = self.has_epochs or event.epoch is not None
        epoch = None if label is None else self._epoch(label, event)
        if epoch is None:
            return
        epoch.end(event)
        if event.throughput is None:
            return
        if measured(event.throughput) is None:
            text = f"the throughput of epoch {label} is {event.throughput}: left out"
            self.note(Problem(event.at, "nan_throughput", text))
            return
        epoch.stated, epoch.stated_line = event.throughput, event.at.line
        self._set_unit(event.unit, event.scope)

    def _evaluation(self, event: Evaluation) -> None:
        label = event.epoch if event.epoch is not None else self.current
        evaluation = EvaluationRow.of(event, label)
        late = event.after_training or (self.end is not None and bool(self.evaluations))
        if late or event.model == "teacher":
            self.after.append(evaluation)
            return
        if self.freeze is None and self._evaluates_anew(event):
            text = f"evaluations begin again with epoch {label}: the later ones count"
            self.note(Problem(event.at, "resume", text))
            self.evaluations = Evaluations()
        self.evaluations.append(evaluation)
        epoch = None if label is None or self._sealed(label) else self.epochs.changing(label)
        self._mark_evaluated(epoch, event.step)
        if epoch is not None:
            epoch.last_line = event.at.line
            if not event.midway:
                epoch.finish()
        if self.freeze is None and self.target is not None:
            self.target = self.target.among(evaluation.places)
            if self.target.met(evaluation.values):
                self.freeze, self.frozen_size = evaluation, len(self.evaluations)

    def _mark_evaluated(self, epoch: Epoch | None, step: int | None) -> None:
        """Says that an evaluation was made here; see `Epoch.evaluated`."""
        self.windows.evaluated(step)
        self._evaluated = step if epoch is None else None
        if epoch is not None:
            epoch.evaluated(step)

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
