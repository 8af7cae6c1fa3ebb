"""Folds the events of one run into facts, epochs and evaluations.

It holds one record for each epoch and each evaluation, and no iterations: its size does not grow
with their number.
"""

from __future__ import annotations

from sixdim.metrics.fold.epochs.epoch import measured
from sixdim.metrics.fold.epochs.evaluation import EvaluationRow
from sixdim.metrics.fold.epochs.evaluations import Evaluations
from sixdim.metrics.fold.runs.clocks import of_one_kind
from sixdim.metrics.fold.runs.endings import goes_on, is_as_long, trained_behind
from sixdim.metrics.fold.runs.restarts import evaluates_anew
from sixdim.metrics.fold.runs.run_lines import RunLines, nan_loss
from sixdim.metrics.values.convergence import TargetError, parse_target
from sixdim.parsers.events import (
    BY_NAME,
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
    Summary,
    TargetReached,
)


class Run(RunLines):
    """Folds the events of one training; `RunState` describes its attributes."""

    def apply(self, event: Event) -> None:
        """Folds one event."""
        if type(event) is Iteration:
            self.extend((event,))
            return
        now = event.at.time_us
        if now is not None and type(event) is not EndOfInput:
            if type(event) is not RunEnd:
                problem = self.checks.advance(event.at)
                if problem is not None:
                    self.note(problem)
            if type(event) is not RunInfo:  # it may be of an attempt that never trains
                self._note_moment(now)
        match event:
            case EpochEnd():
                self.replanned = any(one.name == "epochs_planned" for one in self._held_facts)
                if self._held_facts:
                    self._take_held_facts()
                self._epoch_end(event)
                self.replanned = False
                if self.series is not None:
                    self.series.epoch_end(event)
            case Evaluation():
                if self.series is not None:
                    self.series.evaluation(event)
                self.checks.add_evaluation(event)
                self._evaluation(event)
            case RunStart():
                self.part_begins = True
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
            case RunEnd(sentence=True) if self.end or not self._trained:
                if self.after and not self.epochs:
                    self._leave_out_evaluations(event.at)
            case RunEnd(sentence=True) if self._went_on:
                # It may be the last part; a sentence behind each epoch ends none.
                several = len(self.epochs) > self._epochs_of_parts + 1
                self._part_ended = event if several else None
                self._epochs_of_parts = len(self.epochs)
            case RunEnd():
                self._epochs_of_parts = len(self.epochs)
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
                if self.failed is not None and trained_behind(self, self.failed.at):
                    self._forget_survived(event.at)
                part = self._part_ended
                if part is not None and self.end is None and not trained_behind(self, part.at):
                    self.end = part._replace(duration=None)
                epoch = self.open_epoch if self.has_epochs else None
                if epoch is not None and self.end is None and epoch.label == self.current:
                    epoch.reopen()
                if epoch is not None and (epoch.share() >= 1 or is_as_long(self, epoch)):
                    epoch.finish()  # its last step was read, and no line comes behind it
                self._drop_unbegun()
        if self.records.wanted and (self.freeze is None or isinstance(event, Summary)):
            self.records.apply(event)

    def _leave_out_evaluations(self, at: Origin) -> None:
        """Leaves out the evaluations of several trainings without lines of training, as of folds.

        Nothing shows which of them are of which training.
        """
        text = "several trainings end, and none has a line of training: evaluations are left out"
        self.note(Problem(at, "trainings_mixed", text))
        self.evaluations, self.mixed = Evaluations(), True
        self.after.clear()

    def _note_moment(self, now_us: int) -> None:
        """Sets the run's last time to that of a line, if both have the same kind of clock."""
        first_us = self.first_iteration_us
        if first_us is None or of_one_kind(now_us, first_us):
            self.last_us = now_us

    @property
    def _trained(self) -> bool:
        """Whether any training or evaluation was read."""
        return bool(self.epochs or self.evaluations)

    def repeat(self, event: Event) -> None:
        """Stores a record that another rank printed before, for protocols that count every rank."""
        if self.records.wanted and self.freeze is None:
            self.records.apply(event)

    def _epoch_end(self, event: EpochEnd) -> None:
        label = event.epoch if event.epoch is not None else self.current
        if self.end is not None and event.epoch is not None and goes_on(self, event):
            self._take_back_end()
        if self.failed is not None:
            self._forget_survived(event.at)
        self.has_epochs = self.has_epochs or event.epoch is not None
        epoch = None if label is None else self._epoch(label, event)
        if epoch is None:
            return
        epoch.end(event)
        for name, value, _, _ in event.values:
            if value != value and name == "loss":
                self.note(nan_loss(event.at))
                break
        if event.throughput is None:
            return
        if measured(event.throughput) is None:
            text = f"the throughput of epoch {label} is {event.throughput}: left out"
            self.note(Problem(event.at, "nan_throughput", text))
            return
        epoch.stated, epoch.stated_line = event.throughput, event.at.line
        self._set_unit(event.unit, event.scope)

    def _evaluation(self, event: Evaluation) -> None:
        if self.mixed:
            return
        label = event.epoch if event.epoch is not None else self.current
        evaluation = EvaluationRow.of(event, label)
        if event.model != BY_NAME and not self._format_evaluates:
            self._format_evaluates = True
            if self.freeze is None:
                self.evaluations = Evaluations()
        elif event.model == BY_NAME and self._format_evaluates:
            return
        if self._is_late(event) or event.model == "teacher":
            self.after.append(evaluation)
            return
        if self.freeze is None and evaluates_anew(self, event):
            text = f"evaluations begin again with epoch {label}: the later ones count"
            self.note(Problem(event.at, "resume", text))
            labels = enumerate(self.evaluations.column("label"))
            earlier = [at for at, known in labels if known is not None and known < event.epoch]
            self.evaluations = self.evaluations.chosen(earlier)
        self.evaluations.append(evaluation)
        sealed = label is None or (self.freeze is not None and self._sealed(label))
        epoch = None if label is None or sealed else self.epochs.changing(label)
        self._mark_evaluated(epoch, event.step)
        if epoch is not None:
            epoch.last_line = event.at.line
            if not event.midway:
                epoch.finish()
        if self.freeze is None and self.target is not None:
            self.target = self.target.among(evaluation.places)
            if self.target.met(evaluation.values):
                self.freeze, self.frozen_size = evaluation, len(self.evaluations)

    def _is_late(self, event: Evaluation) -> bool:
        """Whether an evaluation was made after the end of the training.

        The first one behind the closing line still counts, and so does the first one with more
        than a loss.
        """
        if event.after_training or self.end is None or not self.evaluations:
            return event.after_training
        only_losses = all(name.endswith("loss") for name in self.evaluations.metrics())
        return not only_losses or all(m.name.endswith("loss") for m in event.metrics)

    def _fact(self, event: RunInfo) -> None:
        """Adds a fact.

        One that contradicts a known fact after training began waits for a record of training: it
        may belong to an attempt that fails before its first step.
        """
        known = self.facts.get(event.name)
        if known is not None and known[0] != event.value and self.epochs:
            self._held_facts.append(event)
            return
        self.facts[event.name] = (event.value, event.at.line)
        if event.name == "target" and self.target is None:
            self._set_target(str(event.value))

    def take_facts(self, before: Run) -> None:
        """Takes the facts of an earlier training of the same program, without its target."""
        self.facts = {name: fact for name, fact in before.facts.items() if name != "target"}

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
