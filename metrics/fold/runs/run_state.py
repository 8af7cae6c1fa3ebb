"""The state of one run, and what can be computed from it."""

from __future__ import annotations

from collections.abc import Collection
from itertools import compress
from math import inf
from typing import TYPE_CHECKING

from sixdim.metrics.fold.checks.checks_state import ChecksState
from sixdim.metrics.fold.checks.problems import Problems
from sixdim.metrics.fold.epochs.epoch import Epoch, measured
from sixdim.metrics.fold.epochs.epochs import Epochs
from sixdim.metrics.fold.epochs.evaluation import NOT_FROZEN, EvaluationRow
from sixdim.metrics.fold.epochs.evaluations import Evaluations
from sixdim.metrics.fold.epochs.windows import IterationWindows, Pauses
from sixdim.metrics.fold.runs.logged_facts import LoggedFacts
from sixdim.metrics.fold.runs.run_clock import RunClock
from sixdim.metrics.fold.sums.record_store import RecordStore
from sixdim.metrics.values.settings import DEFAULT, Settings
from sixdim.parsers.events import EpochEnd, Iteration, Metric, Problem, RunEnd, Scope, TargetReached

if TYPE_CHECKING:
    from sixdim.metrics.fold.sums.series_fold import SeriesFold


class RunState:
    """The state of one training; `metrics.fold.runs.run.Run` changes it.

    Args:
        settings: Their target takes precedence over the log's own; their protocol decides which
            records are stored one by one.
        number: Which run of the log it is, from 1.
        curves: Whether every named number that repeats is held, for a screen.

    Attributes:
        epochs: By label, in the order they began.
        open_epoch: The epoch that further lines may continue.
        last_header: Line of the latest header.
        has_epochs: Whether any record names its epoch; if not, all iterations are of epoch 0.
        names_zero: Whether a record names epoch 0; if not, epoch 0 has the iterations without a
            label.
        windows: The iterations in windows of equal length, until a record names its epoch.
        pauses: Finds evaluations that the log does not print.
        current: Label of the epoch being trained.
        part: Label of the first epoch since the run was last resumed, or began.
        part_begins: Whether the next epoch begins such a part.
        repeated: First and last label of the epochs that were trained more than once; None without.
        evaluated_step: The step of an evaluation that no line of training followed yet.
        evaluations: Whole evaluations during training, oldest first.
        mixed: Whether evaluations of several trainings came that nothing tells apart.
        may_be_several: Whether steps began again in a log that names no epoch: of the next epoch,
            or of another training.
        format_evaluates: Whether any evaluation was read that is not `BY_NAME`.
        after: Evaluations after the end of the training, which are only reported.
        facts: What the log states about the run.
        freeze: The evaluation that met the target, and how far the run was then.
        frozen: Whether an evaluation met the target; many lines ask for it.
        fractional_times: The printed durations, as attributes of `Epoch`, that are not cut to whole
            seconds: one of them had a fraction of a second.
        replanned: Whether the record that is folded follows another planned number of epochs.
        went_on: Whether training went on after a sentence that ended it.
        part_ended: The last sentence that ended it after that, if it may be that of the last part;
            else the first word that something is over.
        epochs_of_parts: Number of epochs in front of the last line that ended it.
        checks: Figures for the sanity checks.
        records: The records that the protocol needs one by one.
        series: Every named number that repeats; None where no curves are drawn.
    """

    def __init__(
        self, settings: Settings = DEFAULT, number: int = 1, *, curves: bool = False
    ) -> None:
        self.number = number
        self.target = settings.target
        self.checks = ChecksState()
        self.clock = RunClock(from_header=settings.from_header)
        self.problems = Problems()
        self.records = RecordStore(settings.protocol)
        self.epochs = Epochs()
        self.windows = IterationWindows()
        self.pauses = Pauses()
        self.current: int | None = None
        self.part: int | None = None
        self.part_begins = True
        self.repeated: tuple[int, int] | None = None
        self.evaluated_step: int | None = None
        self.open_epoch: Epoch | None = None
        self.last_header = 0
        self.has_epochs = self.names_zero = False
        self.evaluations = Evaluations()
        self.mixed = self.may_be_several = False
        self.format_evaluates = False
        self.after: list[EvaluationRow] = []
        self.facts = LoggedFacts()
        self.replanned = False
        self.summary: dict[str, tuple[Metric, int]] = {}
        self.claim: TargetReached | None = None
        self.end: RunEnd | None = None
        self.went_on = False
        self.part_ended: RunEnd | None = None
        self.epochs_of_parts = 0
        self.freeze = NOT_FROZEN
        self.frozen = False
        self.fractional_times: frozenset[str] = frozenset()
        self.unit = ""
        self.scope = Scope.UNKNOWN
        self.last_iteration: Iteration | None = None
        self.ended = False
        self.series: SeriesFold | None = None
        if curves:
            from sixdim.metrics.fold.sums.series_fold import SeriesFold  # a card needs none

            self.series = SeriesFold()

    def note(self, problem: Problem) -> None:
        """Adds a problem."""
        self.problems.add(problem, epochs_named=self.has_epochs, epoch=self.current)

    def note_fractions(self, event: EpochEnd) -> None:
        """Notes the durations of an epoch's end that have a fraction of a second."""
        for name, seconds in (("epoch_time", event.epoch_time), ("train_time", event.train_time)):
            if seconds is not None and 0 <= seconds < inf and seconds % 1:
                self.fractional_times |= {name}

    def end_after_freeze(self, epoch: Epoch, event: EpochEnd) -> None:
        """Ends the epoch that met the target: only the durations count, for the time to train."""
        epoch.complete = epoch.ended = True
        for name in ("epoch_time", "train_time"):
            seconds = measured(getattr(event, name))
            if seconds is not None and getattr(epoch, name) is None:
                late_times = {**self.freeze.late_times, name: seconds}
                self.freeze = self.freeze._replace(late_times=late_times)

    def durations(self, name: str) -> list[float | None]:
        """Returns every epoch's printed `epoch_time` or `train_time`; None where it has none."""
        printed: list[float | None] = self.epochs.column(name)
        late, sealed_to = self.freeze.late_times.get(name), self.freeze.sealed_to
        if late is not None:
            printed[[*self.epochs].index(int(sealed_to))] = late
        return printed

    def set_unit(self, unit: str, scope: Scope) -> None:
        """Sets unit and scope of the rates; a line without a scope leaves that of the same unit.

        A frozen run keeps those that it has.
        """
        if self.frozen and self.unit:
            return
        if scope is not Scope.UNKNOWN or unit != self.unit:
            self.scope = scope
        self.unit = unit

    def mark_evaluated(self, epoch: Epoch | None, step: int | None) -> None:
        """Marks an evaluation after the last line of an epoch; see `Epoch.evaluated`."""
        if not self.has_epochs and not self.sealed(0):
            self.windows.evaluated(step)
        self.evaluated_step = step if epoch is None else None
        if epoch is not None:
            epoch.evaluated(step)

    @property
    def clocked(self) -> tuple[int, int] | None:
        """First and last moment by the log's own timestamps; None where it has none."""
        every = (*self.clock.starts(), *self.epochs.column("start_us"))
        known = [start for start in every if start is not None]
        last = self.clock.last_us if self.clock.last_us is not None else max(known, default=None)
        return None if last is None else (min([*known, last]), last)

    def epoch_of(self, evaluation: EvaluationRow) -> int | None:
        """Returns an evaluation's epoch label in the log; None where that counts steps alone."""
        by_epochs = self.has_epochs and not self.freeze.stepwise
        return evaluation.epoch if by_epochs else evaluation.label

    @property
    def first_label(self) -> int | None:
        """The lowest label that the log gives an epoch; None before the first epoch.

        Lines without a label in front of it are of epoch 0, and do not count.
        """
        named = (label for label in self.epochs.ascending() if label or self.names_zero)
        return next(named, 0 if self.epochs else None)

    @property
    def stepwise(self) -> bool:
        """Whether the log has progress lines and names no epoch, or named none up to the freeze."""
        return (self.freeze.stepwise or not self.has_epochs) and self.windows.begun

    @property
    def interleaved(self) -> tuple[int, int] | None:
        """First and last line where several trainings write at the same time; None without any."""
        lines = self.checks.interleaving
        return (lines.begins, lines.ends) if lines.found else None

    @property
    def is_over(self) -> bool:
        """Whether the run has ended: a closing line was read, or the input ended."""
        return self.ended or self.end is not None

    @property
    def is_final(self) -> bool:
        """Whether the six figures are final: the run is over, or its target is met."""
        return self.is_over or self.frozen

    @property
    def started(self) -> bool:
        """Whether any record of training was read, or a closing line with its rate."""
        rated = self.end is not None and self.end.throughput is not None
        return bool(self.epochs or self.evaluations or self.last_iteration or rated)

    def completed(self, frozen: bool = False) -> list[int]:
        """Returns the labels of the epochs that are over; with `frozen` those until the freeze."""
        over = compress(self.epochs, self.epochs.complete())
        return [label for label in over if not frozen or label <= self.freeze.over_to]

    def evaluated(self, until: int | None = None) -> int | None:
        """Returns how many epochs evaluations alone name; None if they skip some or count steps.

        Args:
            until: The number of evaluations that count; None for all.
        """
        labels = {*self.evaluations.column("label")[:until]}
        whole = labels in ({*range(len(labels))}, {*range(1, len(labels) + 1)})
        stepless = {*self.evaluations.column("step")} == {None}
        alone = len(labels) > len(self.epochs) and not self.completed()
        return len(labels) if alone and whole and stepless else None

    def rated(
        self, labels: Collection[int] | None = None, *, unfinished: bool = False
    ) -> list[Epoch]:
        """Returns the completed epochs of the labels until the freeze; by default all with a time.

        Args:
            labels: The labels; None for all.
            unfinished: Whether epochs that are not over count, too; before a freeze not those of
                which the first iteration alone was printed.
        """
        epochs = self.epochs.timed() if labels is None else self.epochs.among(labels)
        if unfinished:
            last = max(self.freeze.over_to, self.freeze.sealed_to)
            timed = [epoch for epoch in epochs if epoch.label <= last]
            return timed if self.frozen else [one for one in timed if not one.has_first_alone]
        return [epoch for epoch in epochs if epoch.complete and epoch.label <= self.freeze.over_to]

    def sealed(self, label: int) -> bool:
        """Returns whether an epoch stands before the freeze, so that no line may change it."""
        return label <= self.freeze.sealed_to
