"""What is known of one epoch, folded line by line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sixdim.metrics.fold.utilisation import UtilisationSums
from sixdim.metrics.values.exact import ExactSum
from sixdim.parsers.events import EpochEnd, Metric

if TYPE_CHECKING:
    from sixdim.metrics.values.points import EpochPoint

_BUFFERED = 256
"""Progress lines after which their figures are added to the sums (a power of two)."""


@dataclass(slots=True)
class Epoch:
    """What is known of one epoch.

    Attributes:
        label: As the log prints it.
        first_line: First line that names it.
        last_line: Last line so far.
        offset: Byte offset of the first line.
        stated: Throughput the log states for the epoch.
        stated_line: Line of `stated`.
        train_time: Seconds of the training pass, printed.
        epoch_time: Seconds with evaluation, printed.
        records: Progress lines read.
        loss: Last training loss.
        start_us: Log clock at the first progress line.
        end_us: Log clock at the last line.
        step: Last step.
        steps: Steps of the epoch, where a line says so.
        first_step: First step.
        complete: Whether it is over.
        utilisation: Model FLOPs utilisation, where progress lines print any.
        point: Cache of `metrics.card.view`; None until that needs it, and after every change.
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
    loss: float | None = None
    start_us: int | None = None
    end_us: int | None = None
    step: int | None = None
    steps: int | None = None
    first_step: int | None = None
    complete: bool = False
    utilisation: UtilisationSums | None = None
    point: EpochPoint | None = None
    _rates: list[float] = field(default_factory=list)
    _rate_sum: ExactSum | None = None
    _times: list[float] = field(default_factory=list)
    _time_sum: ExactSum | None = None

    def add(
        self,
        line: int,
        time_us: int | None,
        step: int | None,
        steps: int | None,
        throughput: float | None,
        loss: float | None,
        duration: float | None,
        values: Iterable[Metric],
    ) -> None:
        """Folds one progress line; the arguments are the fields of its `Iteration`."""
        self.last_line = line
        self.records += 1
        if throughput is not None:
            self._rates.append(throughput)
        if duration is not None and duration > 0:
            self._times.append(duration)
        if values:
            self._add_utilisation(values)
        if loss is not None:
            self.loss = loss
        if time_us is not None:
            self.end_us = time_us
            if self.start_us is None:
                self.start_us = time_us
        self.step = step
        if steps:
            self.steps = steps
        if self.first_step is None:
            self.first_step = step
        if not self.records % _BUFFERED:
            self._flush()

    def end(self, event: EpochEnd) -> None:
        """Folds what the log says when the epoch is over, but for its throughput."""
        self.last_line = event.at.line
        if event.at.time_us is not None:
            self.end_us = event.at.time_us
        if event.train_time is not None:
            self.train_time = event.train_time
        if event.epoch_time is not None:
            self.epoch_time = event.epoch_time
        if event.iteration_time is not None and event.iteration_time > 0:
            self._times, self._time_sum = [event.iteration_time], None
        self.finish()

    def finish(self) -> None:
        """Marks the epoch as over; its buffers need no memory from here on."""
        self.complete = True
        self._flush()

    @property
    def throughput(self) -> ExactSum:
        """Exact sum of the progress lines' throughput."""
        self._flush()
        return self._rate_sum or ExactSum()

    @property
    def durations(self) -> ExactSum:
        """Exact sum of the progress lines' printed iteration times, in seconds."""
        self._flush()
        return self._time_sum or ExactSum()

    def absorb(self, later: Epoch) -> None:
        """Adds the progress lines of the window that follows this one."""
        self.last_line, self.records = later.last_line, self.records + later.records
        self._rate_sum, self._time_sum = self.throughput, self.durations
        self._rate_sum.merge(later.throughput)
        self._time_sum.merge(later.durations)
        if later.utilisation is not None:
            self.utilisation = self.utilisation or UtilisationSums()
            self.utilisation.merge(later.utilisation)
        self.loss = later.loss if later.loss is not None else self.loss
        self.start_us = self.start_us if self.start_us is not None else later.start_us
        self.end_us = later.end_us if later.end_us is not None else self.end_us
        self.step, self.steps = later.step, later.steps or self.steps

    def _add_utilisation(self, values: Iterable[Metric]) -> None:
        if self.utilisation is None:
            self.utilisation = UtilisationSums()
        self.utilisation.add(values)

    def _flush(self) -> None:
        """Adds the buffered figures to the exact sums."""
        if self._rates:
            self._rate_sum = self._rate_sum or ExactSum()
            self._rate_sum.extend(self._rates)
            self._rates.clear()
        if self._times:
            self._time_sum = self._time_sum or ExactSum()
            self._time_sum.extend(self._times)
            self._times.clear()
