"""Folds the events of one run into facts, epochs and evaluations.

It holds one record for each epoch and each evaluation, and no iterations: its size does not grow
with their number.
"""

from collections.abc import Iterable
from itertools import islice

from sixdim.metrics.fold.epochs.epoch import measured
from sixdim.metrics.fold.runs.endings import end_input, end_run, goes_on, take_back_end
from sixdim.metrics.fold.runs.restarts import covers_other_data, falls_back, goes_far_back, paused
from sixdim.metrics.fold.runs.run_epochs import epoch_of, resume
from sixdim.metrics.fold.runs.run_evaluations import evaluate, set_target
from sixdim.metrics.fold.runs.run_state import RunState
from sixdim.parsers.events import (
    ClockStart,
    EndOfInput,
    EpochEnd,
    EpochTime,
    Evaluation,
    Event,
    Iteration,
    Problem,
    RunEnd,
    RunInfo,
    RunStart,
    Scope,
    Summary,
    TargetReached,
)

_UNKNOWN = Scope.UNKNOWN
_FAR = 3
"""A step below the one before by this factor may be of another attempt."""

_NAN_LOSS = "nan_loss", "the training loss is nan"


class Run(RunState):
    """Folds the events of one training; `RunState` describes its attributes."""

    def extend(self, lines: Iterable[Iteration]) -> None:
        """Folds progress lines that follow each other in the log."""
        checks, clock, series = self.checks, self.clock, self.series
        store = self.records.apply if self.records.wanted and not self.frozen else None
        if self.facts.held and self.facts.take_held(frozen=self.frozen):
            lines = iter(lines)
            self.replanned = True
            self.extend(islice(lines, 1))
            self.replanned = False
        unrepeated, in_windows = not checks.repeats, self.freeze.sealed_to < 0
        for line in lines:
            at, label, step, steps, rate, unit, scope, loss, time, _, _, _ = line
            before = self.last_iteration
            if series is not None:
                series.iteration(line)
            for problem in checks.add(line):
                self._note_of_line(problem)
            now = at.time_us
            if now is not None:
                clock.last_us = now
            elif clock.last_us is not None:
                clock.add_untimed(1)
            if before is None or (now is not None and clock.first_iteration_us is None):
                clock.iterate(at, step)
            if self.end is not None or self.problems.failed is not None:
                self._train_on(line)
            self.last_iteration = line
            if rate is not None and (
                unit != self.unit or (scope is not self.scope and scope is not _UNKNOWN)
            ):
                self.set_unit(unit, scope)
            if loss is not None and loss != loss:
                self.note(Problem(at, *_NAN_LOSS))
            begins_naming = label is not None and not self.has_epochs
            if begins_naming:
                self.has_epochs = True
            elif (
                label is None
                and (rate is not None or time is not None)
                and before is not None
                and self.pauses.regular(before, line)
            ):
                self.mark_evaluated(self.open_epoch, step)
            epoch = self.open_epoch
            # A line that continues the open epoch needs no look-up.
            continues = (
                epoch is not None
                and epoch.records > 1
                and epoch.label == (label or 0)
                and epoch.steps == steps
                and not self.part_begins
                and not begins_naming
                and not (epoch.complete and not epoch.begins_before(step))
            )
            if step is not None and before is not None and step * _FAR < (before.step or 0):
                continues = not self._begins_again(before, line) and continues
            if not continues or (unrepeated and checks.repeats):
                if epoch and before is not None and covers_other_data(epoch, before, line):
                    epoch.finish()
                    continue
                epoch = epoch_of(self, label or 0, line)
                unrepeated = not checks.repeats
            if epoch is not None:
                epoch.add(line)
                if label is None and in_windows and not self.has_epochs:
                    self.windows.add(line)
            if store is not None:
                store(line)

    def _note_of_line(self, problem: Problem) -> None:
        """Adds a problem of a progress line; where the clock jumps, the epoch has no time."""
        self.note(problem)
        if problem.kind in ("clock_back", "clock_leap") and self.open_epoch is not None:
            self.open_epoch.forget_clock()

    def _train_on(self, line: Iteration) -> None:
        """Takes back that the run has ended, or has failed, if a line shows that training goes on.

        `last_iteration` is still the line before.
        """
        if self.end is not None and goes_on(self, line):
            take_back_end(self)
        if self.problems.failed is not None:
            resumed = falls_back(self, line)
            if self.problems.survives(line.at, resumed=resumed, ended=self.ended):
                self.part_begins |= resumed

    def _begins_again(self, before: Iteration, line: Iteration) -> bool:
        """Returns whether a far lower step is of another attempt: then the run resumes."""
        epoch = self.open_epoch
        if epoch is None or self.frozen or line.epoch != before.epoch:
            return False
        if not paused(epoch, line):
            epoch.forget_clock()
            self.may_be_several |= line.epoch is None and line.step == epoch.first_step
            return False
        resume(self, line.epoch or 0, line)
        if line.epoch is None:
            text = "the steps begin again after a pause: the later ones count"
            self.note(Problem(line.at, "resume", text))
        return True

    def apply(self, event: Event) -> None:
        """Folds one event."""
        if type(event) is Iteration:
            self.extend((event,))
            return
        kind, at = type(event), event.at
        now = at.time_us
        if now is not None and kind is not EndOfInput:
            if kind is not RunEnd:
                problem = self.checks.clocks.advance(at)
                if problem is not None:
                    self.note(problem)
            if kind is not RunInfo:  # it may be of an attempt that never trains
                self.clock.advance(now)
        match event:
            case EpochEnd():
                self.replanned = bool(self.facts.held) and self.facts.take_held(frozen=self.frozen)
                self._epoch_end(event)
                self.replanned = False
                if self.series is not None:
                    self.series.epoch_end(event)
            case EpochTime(_, label, seconds):
                timed = None if self.sealed(label) else self.epochs.changing(label)
                if timed is not None and timed.epoch_time is None:
                    timed.epoch_time = measured(seconds)
            case Evaluation():
                if self.series is not None:
                    self.series.evaluation(event)
                self.checks.add_evaluation(event)
                evaluate(self, event)
            case RunStart():
                self.part_begins, self.last_header = True, event.at.line
                if not self.frozen:
                    self.clock.begin(event)
                    self.windows.begin_program()
            case ClockStart():
                if not self.frozen:
                    self.clock.line = self.clock.line or event.at
            case RunInfo():
                self._fact(event)
            case TargetReached():
                self.claim = event
                if event.condition is not None:
                    set_target(self, event.condition)
            case Summary():
                for metric in event.metrics:
                    self.summary[metric.name] = (metric, event.at.line)
            case RunEnd():
                end_run(self, event)
            case Problem():
                self.note(event)
            case EndOfInput():
                end_input(self, event.at)
        if self.records.wanted and (not self.frozen or kind is Summary):
            self.records.apply(event)

    def repeat(self, event: Event) -> None:
        """Stores a record that another rank printed before, for protocols that count every rank."""
        if not self.frozen:
            self.records.apply(event)

    def _epoch_end(self, event: EpochEnd) -> None:
        at, named, rate, unit, scope, train_time, epoch_time, values, _ = event
        label = named if named is not None else self.current
        if self.end is not None and named is not None and goes_on(self, event):
            take_back_end(self)
        if self.problems.failed is not None:
            again = goes_far_back(self.current, event)
            self.problems.survives(at, resumed=again, ended=self.ended)
        self.has_epochs = self.has_epochs or named is not None
        if label is not None:
            self.checks.add_epoch_end(label, at.line)
        epoch = None if label is None else epoch_of(self, label, event)
        if epoch is None:
            return
        if self.frozen and self.sealed(epoch.label) and not self._is_of_freeze(event):
            self.end_after_freeze(epoch, event)
            return
        epoch.end(event)
        timed = train_time is not None or epoch_time is not None
        if timed and (not self.frozen or self._is_of_freeze(event)):
            self.note_fractions(event)
        for name, value, _, _ in values:
            if value != value and name == "loss":
                self.note(Problem(at, *_NAN_LOSS))
                break
        if rate is None:
            return
        if measured(rate) is None:
            text = f"the throughput of epoch {label} is {rate}: left out"
            self.note(Problem(at, "nan_throughput", text))
            return
        epoch.stated, epoch.stated_line = rate, at.line
        self.set_unit(unit, scope)

    def _is_of_freeze(self, event: Event) -> bool:
        """Returns whether a record stands on the line of the evaluation that met the target."""
        met = self.freeze.met
        return met is not None and event.at[:2] == met.at[:2]

    def _fact(self, event: RunInfo) -> None:
        if event.name == "means_since":
            if not self.frozen:
                since = int(event.value)
                self.windows.count_means_from(since if since >= 0 else None)
            return
        if event.name == "times_have_fractions":
            if not self.frozen:
                self.fractional_times = frozenset(("epoch_time", "train_time"))
            return
        if not self.facts.add(event, trained=bool(self.epochs)):
            return
        if event.name == "training_starts" and not self.frozen:
            # After epochs it begins another attempt, whose failure would end this one's time.
            self.clock.announced_us = None if self.epochs else event.at.time_us
        if event.name == "target":
            set_target(self, str(event.value))
