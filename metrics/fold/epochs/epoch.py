"""One epoch, folded line by line."""

from __future__ import annotations

from math import inf

from sixdim.metrics.fold.epochs.step_clock import StepClock
from sixdim.metrics.fold.epochs.utilisation import UtilisationSums
from sixdim.metrics.fold.sums.line_sums import LineSums
from sixdim.metrics.fold.sums.since_start import SinceStart
from sixdim.parsers.events import EpochEnd, Iteration
from sixdim.parsers.spans import LineSpan

_BUFFERED = 256
"""Number of progress lines whose figures are added to the sums at once."""
_FEW = 32
"""Most lines of an epoch that is over that are added to no sums unless they are needed."""
_NOTHING = (None,) * 6
"""All times and rates of an epoch for which the log prints none."""


def measured(figure: float | None) -> float | None:
    """Returns a printed time, rate or count; None if it is negative, infinite or nan."""
    return figure if figure is not None and 0 <= figure < inf else None


class Epoch(StepClock):
    """One epoch of a run.

    Attributes:
        label: As the log prints it.
        first_line: First line that names it.
        last_line: Last line so far.
        offset: Byte offset of the first line.
        stated: Throughput that the log states for the epoch, in the unit of the run.
        stated_line: Line of `stated`.
        train_time: Seconds of the training pass, printed.
        epoch_time: Seconds with evaluation, printed.
        mean_throughput: The log's own mean of the epoch's throughput up to its last line.
        mean_duration: The log's own mean of the seconds of an iteration up to its last line.
        whole_mean: Whether `mean_duration` includes the epoch's evaluation.
        means: The log's means of the last window of lines, if they count from the program's start.
        lines: Sums over the progress lines.
        records: Progress lines read.
        loss: Last training loss.
        steps: Steps of the epoch, where a line says so.
        first_step: First step.
        complete: Whether it is over.
        ended: Whether the log says that it is over.
        cut: Whether it is over only because the run ended.
        over_at: The step at which it was last found to be over.
        utilisation: Model FLOPs utilisation, where progress lines print any.
    """

    label: int
    first_line: int
    last_line: int
    offset: int
    stated: float | None = None
    stated_line: int = 0
    train_time: float | None = None
    epoch_time: float | None = None
    mean_throughput: float | None = None
    mean_duration: float | None = None
    whole_mean: bool = False
    means: SinceStart | None = None
    records: int = 0
    loss: float | None = None
    steps: int | None = None
    first_step: int | None = None
    complete: bool = False
    ended: bool = False
    cut: bool = False
    over_at: int | None = None
    utilisation: UtilisationSums | None = None

    def __init__(self, label: int, first_line: int, offset: int = 0) -> None:
        self.label = label
        self.first_line = self.last_line = first_line
        self.offset = offset
        self.lines = LineSums()
        # Attributes of the object are read in a fifth of the time that those of the class take.
        self.paused, self.is_left, self.complete, self.records = None, False, False, 0
        self.clock_step = self.step = self.steps = self.first_step = self.end_us = None

    def add(self, line: Iteration, is_window: bool = False) -> None:
        """Folds a progress line; `is_window` says that the log's own means are of a longer part."""
        at, _, step, steps, rate, _, _, loss, time, values, mean_rate, mean_time = line
        now = at.time_us
        if step is None:
            self._pause_clock()
        else:
            if now is None:
                if self.clock_step is not None:
                    self._pause_clock()
            elif self.paused is not None:
                self.resume_clock(now, step)
            self.step = step
            if self.first_step is None:
                self.first_step = step
        # A line that only names its epoch stands for no iteration.
        if step is not None or rate is not None or time is not None:
            buffer = self.lines.buffer
            buffer.append((step, rate, time))
            if len(buffer) == _BUFFERED:
                self.lines.flush()
        if now is not None:
            self.end_us = now
            if self.clock_step is None and not (self.is_left and self.start_us is not None):
                self.start_clock(now, step)
        self.records += 1
        self.last_line = at.line
        if loss is not None:
            self.loss = loss
        if steps:
            self.steps = steps
        if values:
            self.utilisation = self.utilisation or UtilisationSums()
            self.utilisation.add(values)
        if mean_rate is not None or mean_time is not None:
            if is_window:
                if self.means is not None:
                    self.means.add(step, mean_rate, mean_time, at.line)
                return
            if mean_rate is not None:
                self.mean_throughput = mean_rate if 0 <= mean_rate < inf else None
            if mean_time is not None:
                self.mean_duration = mean_time if 0 <= mean_time < inf else None

    def add_span(self, span: LineSpan, *, is_window: bool = False) -> None:
        """Does what `add` does, for a span of lines that follow the last (`LineSums.follows`)."""
        last = span.last
        self.last_line = last.at.line
        self.records += span.lines
        self.lines.add_span(span)
        if last.loss is not None:
            self.loss = last.loss
        if span.figures is not None and last.values:
            if self.utilisation is None:
                self.utilisation = UtilisationSums()
            self.utilisation.add_span(last.values, span.lines, span.figures)
        if last.at.time_us is not None:
            self.end_us = last.at.time_us
        self.step = last.step
        rate, seconds = last.mean_throughput, last.mean_duration
        if is_window:
            if self.means is not None:
                self.means.add(last.step, rate, seconds, last.at.line)
            return
        if rate is not None:
            self.mean_throughput = measured(rate)
        if seconds is not None:
            self.mean_duration = measured(seconds)

    def end(self, event: EpochEnd) -> None:
        """Folds a line that ends the epoch, without its throughput."""
        at, _, _, _, _, train_time, epoch_time, values, iteration_time = event
        if self.clock_us is not None:
            self.stop_clock()
        self.finish()
        self.ended = True
        self.last_line = at.line
        if at.time_us is not None:
            self.end_us = at.time_us
        for name, value, _, _ in values:
            if name == "loss":
                self.loss = value
                break
        if train_time is not None:
            self.train_time = measured(train_time)
        if epoch_time is not None:
            self.epoch_time = measured(epoch_time)
        if iteration_time is not None and measured(iteration_time):
            self.mean_duration = iteration_time
            self.whole_mean = train_time is None and epoch_time is not None

    def evaluated(self, step: int | None) -> None:
        """Marks an evaluation after the last line, with its step if the log prints one."""
        if self.clock_us is not None:
            self.stop_clock()
        self.lines.evaluated(step)

    def finish(self) -> None:
        """Marks the epoch as over; a few lines stay in the buffer until a figure is asked for.

        The rate and the time of its first iteration, which often waits for the data, are not those
        of the others: if no other one of them is printed, the epoch has none.
        """
        self.over_at = self.step
        if self.utilisation is not None:
            self.utilisation.flush()
        if not self.complete:
            self.complete = True
            if self.paused is not None:
                self.stop_clock()
            if not self.records:
                return
            if self.has_first_alone:
                self.mean_throughput = self.mean_duration = None
                self.lines = LineSums()
            elif self.lines.buffer:
                self.lines.alone |= self._has_one_line
                if len(self.lines.buffer) > _FEW:
                    self.lines.flush()

    @property
    def _has_one_line(self) -> bool:
        return len(self.lines.buffer) == 1 and not self.lines.weight

    @property
    def has_first_alone(self) -> bool:
        """Whether the first of several iterations is the only one that was printed so far."""
        return self.step in (0, 1) and self._has_one_line and (self.steps or 0) > 1

    def reopen(self) -> None:
        """Takes back that the epoch is over, if steps followed an evaluation inside it."""
        if self.over_at is not None and self.step is not None and self.step > self.over_at:
            self.complete = self.ended

    @property
    def timed(self) -> bool:
        """Whether it may have a throughput: whether the log gives it any rate or time."""
        printed = self.stated, self.train_time, self.epoch_time
        means = self.mean_throughput, self.mean_duration, self.clock_us
        return bool(self.clocked_us or self.lines.timed or (*printed, *means) != _NOTHING)

    def begins_before(self, step: int | None) -> bool:
        """Returns whether a line of this step follows the first line of the epoch."""
        return step is None or (self.first_step is not None and self.first_step < step)

    def share(self) -> float:
        """Returns the share of the epoch that was trained: below 1 where the run ended inside it.

        Only some steps are printed: an epoch counts as whole if fewer steps are left than there are
        between two lines.
        """
        if self.ended or (self.complete and not self.cut):
            return 1.0
        left = self.left()
        if left is None or not self.steps:
            return 1.0 if self.complete else 0.0
        whole = left < self.lines.gap() if self.complete else left <= 0
        return 1.0 if whole else max(self.steps - left, 0) / self.steps

    def left(self) -> int | None:
        """Returns how many of its steps come after the last line; None where that is unknown."""
        if self.step is None or not self.steps:
            return None
        return self.steps - self.step - (self.first_step == 0)

    def abandoned_for(self, steps: int | None) -> bool:
        """Returns whether a line of this label, whose epoch has so many steps, is of another run.

        A loop of another length, such as an evaluation, would follow only when the epoch is over.
        """
        left = self.left()
        if not steps or left is None or steps == self.steps:
            return False
        return self.records > 1 and left > self.lines.gap()

    def named_again(self, event: Iteration | EpochEnd) -> bool:
        """Returns whether a line only names this epoch, and its only line so far did the same.

        An evaluation before the training may stand between them.
        """
        return self.only_named() and event == Iteration(event.at, self.label, None)

    def only_named(self) -> bool:
        """Returns whether its only progress line gives no more than its label."""
        counted = self.ended or self.lines.buffer or self.lines.weight
        return self.records == 1 and self.step is None and self.loss is None and not counted

    def absorb(self, later: Epoch) -> None:
        """Adds the progress lines of the window that follows this one."""
        self.last_line, self.records = later.last_line, self.records + later.records
        self.lines.absorb(later.lines)
        if self.means is not None and later.means is not None:
            self.means.absorb(later.means)
        if later.utilisation is not None:
            self.utilisation = self.utilisation or UtilisationSums()
            self.utilisation.merge(later.utilisation)
        self.loss = later.loss if later.loss is not None else self.loss
        self.start_us = self.start_us if self.start_us is not None else later.start_us
        self.absorb_clock(later)
        self.end_us = later.end_us if later.end_us is not None else self.end_us
        self.step = later.step if later.step is not None else self.step
        self.steps = later.steps or self.steps
