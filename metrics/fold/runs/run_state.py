"""The state of one run, and what can be computed from it."""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain, compress
from typing import NamedTuple

from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.epochs.epochs import Epochs
from sixdim.metrics.fold.epochs.evaluation import EvaluationRow
from sixdim.metrics.fold.epochs.evaluations import Evaluations
from sixdim.metrics.fold.epochs.windows import IterationWindows
from sixdim.metrics.fold.runs.checks_state import ChecksState
from sixdim.metrics.fold.runs.pauses import Pauses
from sixdim.metrics.fold.sums.record_store import RecordStore
from sixdim.metrics.fold.sums.series_fold import SeriesFold
from sixdim.metrics.values.settings import DEFAULT, Settings
from sixdim.parsers.events import (
    Fact,
    Iteration,
    Metric,
    Origin,
    Problem,
    RunEnd,
    RunInfo,
    Scope,
    TargetReached,
)


class ClockBegin(NamedTuple):
    """Where the clock of time to train begins: its time, where the log has one, and in words."""

    time_us: int | None
    what: str


class RunState:
    """The state of one training; `metrics.fold.runs.run.Run` changes it.

    Args:
        settings: Their target takes precedence over the log's own; their protocol decides which
            records are stored one by one.
        curves: Whether every named number that repeats is held, for a screen.

    Attributes:
        epochs: By label, in the order they began.
        open_epoch: The epoch that further lines may continue.
        has_epochs: Whether any record names its epoch; if not, all iterations are of epoch 0.
        names_zero: Whether a record names epoch 0; if not, epoch 0 has the iterations without a
            label.
        windows: The iterations in windows of equal length, until a record names its epoch.
        current: Label of the epoch being trained.
        part: Label of the first epoch since the run was last resumed, or began.
        part_begins: Whether the next epoch begins such a part.
        evaluations: Whole evaluations during training, oldest first.
        mixed: Whether evaluations of several trainings came that nothing tells apart.
        after: Evaluations after the end of the training, which are only reported.
        facts: Name to (value, line) as the log states them.
        freeze: The evaluation that met the target.
        frozen_size: Number of evaluations up to and including that one; None before it.
        replanned: Whether the record that is folded follows another planned number of epochs.
        named_before_failure: Whether any record named its epoch before the fatal problem.
        survived: The text of the last fatal problem after which training went on.
        checks: Figures for the sanity checks.
        clock_line: The line that `--start` names; None before it.
        records: The records that the protocol needs one by one.
        series: Every named number that repeats; None where no curves are drawn.
    """

    def __init__(self, settings: Settings = DEFAULT, *, curves: bool = False) -> None:
        self.target = settings.target
        self.checks = ChecksState()
        self.from_header = settings.from_header
        self.header_us: int | None = None
        self.records = RecordStore(settings.protocol)
        self.epochs = Epochs()
        self.windows = IterationWindows()
        self.current: int | None = None
        self.part: int | None = None
        self.part_begins = True
        self._evaluated: int | None = None  # the step of an evaluation that no line followed yet
        self.open_epoch: Epoch | None = None
        self._pauses = Pauses()
        self.has_epochs = self.names_zero = False
        self.clock_line: Origin | None = None
        self.evaluations = Evaluations()
        self.mixed = False
        self._format_evaluates = False  # an evaluation was read that is not `BY_NAME`
        self.after: list[EvaluationRow] = []
        self.facts: dict[str, tuple[Fact, int]] = {}
        self._held_facts: list[RunInfo] = []  # they contradict known ones; a record decides
        self.replanned = False
        self.summary: dict[str, tuple[Metric, int]] = {}
        self.claim: TargetReached | None = None
        self.end: RunEnd | None = None
        self._went_on = False  # whether training went on behind a sentence that ended it
        self._part_ended: RunEnd | None = None  # the last such sentence since
        self._epochs_of_parts = 0  # epochs in front of the last sentence that ended a part
        self.freeze: EvaluationRow | None = None
        self.frozen_size: int | None = None
        self.problems: list[Problem] = []
        self.problem_counts: dict[str, int] = {}
        self.failed: Problem | None = None
        self.survived = ""
        self.named_before_failure = False  # whether any record named its epoch
        self.unit = ""
        self.scope = Scope.UNKNOWN
        self.timed_start_us: int | None = None
        self.first_iteration_us: int | None = None
        self.first_line = 0
        self.last_us: int | None = None
        self.last_iteration: Iteration | None = None
        self.ended = False
        self.series = SeriesFold() if curves else None

    @property
    def clock_start(self) -> ClockBegin:
        """Where time to train begins: the log's own start of the clock, or the first iteration."""
        line = self.clock_line
        if line is not None and line.time_us is not None:
            return ClockBegin(line.time_us, f"line {line.line}")
        if self.timed_start_us is not None:
            return ClockBegin(self.timed_start_us, "the log's own start of the clock")
        if self.from_header:
            return ClockBegin(self.header_us, "the header")
        return ClockBegin(self.first_iteration_us, "the first iteration")

    @property
    def clock(self) -> tuple[int, int] | None:
        """First and last moment by the log's own timestamps; None where it has none."""
        starts = (self.header_us, self.timed_start_us, self.first_iteration_us)
        every = chain(starts, self.epochs.column("start_us"))
        known = {start for start in every if start is not None}
        last = self.last_us if self.last_us is not None else max(known, default=None)
        return None if last is None else (min([*known, last]), last)

    def epoch_of(self, evaluation: EvaluationRow) -> int | None:
        """The epoch label that the log gives an evaluation; None where it counts steps alone."""
        return evaluation.epoch if self.has_epochs else evaluation.label

    @property
    def first_label(self) -> int | None:
        """The lowest label that the log gives an epoch; None before the first epoch.

        Lines without a label in front of it are of epoch 0, and do not count.
        """
        named = (label for label in self.epochs.ascending() if label or self.names_zero)
        return next(named, 0 if self.epochs else None)

    @property
    def stepwise(self) -> bool:
        """Whether the log has progress lines and names no epoch."""
        return not self.has_epochs and self.windows.begun

    @property
    def is_over(self) -> bool:
        """Whether the run has ended: a closing line was read, or the input ended."""
        return self.ended or self.end is not None

    @property
    def is_final(self) -> bool:
        """Whether the six figures are final: the run is over, or its target is met."""
        return self.is_over or self.freeze is not None

    @property
    def started(self) -> bool:
        """Whether any record of training was read, or a closing line with its rate."""
        rated = self.end is not None and self.end.throughput is not None
        return bool(self.epochs or self.evaluations or self.last_iteration or rated)

    def completed(self, frozen: bool = False) -> list[int]:
        """Labels of the epochs that are over, in order; with `frozen` those until the freeze."""
        over = compress(self.epochs, self.epochs.complete())
        return [*filter(self._before_freeze, over)] if frozen and self.freeze else [*over]

    def rated(self, labels: Collection[int] | None = None) -> list[Epoch]:
        """The completed epochs, except those after the freeze.

        Args:
            labels: Their labels; by default those of all epochs that may have a throughput.
        """
        epochs = self.epochs.timed() if labels is None else self.epochs.among(labels)
        return [e for e in epochs if e.complete and self._before_freeze(e.label)]

    def _before_freeze(self, label: int) -> bool:
        return self.freeze is None or self.freeze.epoch is None or label <= self.freeze.epoch

    def _sealed(self, label: int) -> bool:
        """Whether the frozen card rests on this epoch."""
        return (
            self.freeze is not None and self.freeze.epoch is not None and label <= self.freeze.epoch
        )
