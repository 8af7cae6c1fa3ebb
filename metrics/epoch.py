"""What is known of one epoch, folded line by line."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from metrics.exact import ExactSum
from metrics.utilisation import Utilised
from parsers.events import Iteration, Iterations


@dataclass(slots=True)
class Epoch:
    """What is known of one epoch.

    Attributes:
        label: As the log prints it.
        first_line: First line that names it.
        last_line: Last line so far.
        offset: Byte offset of the first line.
        stated: Throughput the log states for the epoch, and its line.
        stated_line: Line of `stated`.
        train_time: Seconds of the training pass, printed.
        epoch_time: Seconds with evaluation, printed.
        records: Progress lines read.
        throughput: Exact sum of the progress lines' throughput.
        durations: Exact sum of their printed iteration times, in seconds.
        loss: Last training loss.
        start_us: Log clock at the first progress line.
        end_us: Log clock at the last line.
        step: Last step.
        first_step: First step.
        complete: Whether it is over.
        utilised: Model FLOPs utilisation, where progress lines print any.
    """

    label: int
    first_line: int
    last_line: int = 0
    offset: int = 0
    stated: float | None = None
    stated_line: int = 0
    train_time: float | None = None
    epoch_time: float | None = None
    records: int = 0
    throughput: ExactSum = field(default_factory=ExactSum)
    durations: ExactSum = field(default_factory=ExactSum)
    loss: float | None = None
    start_us: int | None = None
    end_us: int | None = None
    step: int | None = None
    steps: int | None = None
    first_step: int | None = None
    complete: bool = False
    utilised: Utilised | None = None

    bare: ClassVar[bool] = False

    def add(self, event: Iteration) -> None:
        """Folds one progress line."""
        self.last_line = event.at.line
        self.records += 1
        if event.throughput is not None:
            self.throughput.add(event.throughput)
        if event.duration is not None and event.duration > 0:
            self.durations.add(event.duration)
        if event.values:
            self.utilised = self.utilised or Utilised()
            self.utilised.note(event.values)
        if event.loss is not None:
            self.loss = event.loss
        self.start_us = self.start_us if self.start_us is not None else event.at.time_us
        self.end_us = event.at.time_us if event.at.time_us is not None else self.end_us
        self.step, self.steps = event.step, event.steps or self.steps
        if self.first_step is None:
            self.first_step = event.step

    def add_after(self, event: Iterations) -> None:
        """Folds a stretch of progress lines but its first, which was added."""
        last = event.last
        self.last_line = last.at.line
        self.records += event.records - 1
        if last.throughput is not None:
            self.throughput.add_block(event.units_after, event.records - 1)
        self.durations.add_block(event.duration_units, event.durations)
        if event.gauges:
            self.utilised = self.utilised or Utilised()
            self.utilised.note_block(event.gauges, event.records - 1)
        if last.loss is not None:
            self.loss = last.loss
        if last.at.time_us is not None:
            self.end_us = last.at.time_us
        self.step, self.steps = last.step, last.steps or self.steps

    def absorb(self, later: Epoch) -> None:
        """Takes the progress lines of the stretch that follows this one."""
        self.last_line, self.records = later.last_line, self.records + later.records
        self.throughput.merge(later.throughput)
        self.durations.merge(later.durations)
        if later.utilised is not None:
            self.utilised = self.utilised or Utilised()
            self.utilised.merge(later.utilised)
        self.loss = later.loss if later.loss is not None else self.loss
        self.start_us = self.start_us if self.start_us is not None else later.start_us
        self.end_us = later.end_us if later.end_us is not None else self.end_us
        self.step, self.steps = later.step, later.steps or self.steps
