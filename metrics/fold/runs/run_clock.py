"""Where the time of a run begins and ends by the log's own clock."""

from typing import NamedTuple

from sixdim.metrics.fold.epochs.step_clock import of_one_kind
from sixdim.parsers.events import EpochEnd, Iteration, Origin, RunStart

_CLOSE = 100
"""Most lines from the first iteration to the first clock that still counts as its time."""


FIRST_ITERATION = "the first iteration"
ANNOUNCED = "the line that says that the training starts"


class ClockBegin(NamedTuple):
    """Where the clock of time to train begins: its time, where the log has one, and in words."""

    time_us: int | None
    what: str


class RunClock:
    """The moments of a run, in microseconds since 1970; None where the log has none.

    Args:
        from_header: Whether the time counts from the header instead of the first iteration.

    Attributes:
        header_us: Of the header.
        line: The line that `--start` names; None before it.
        announced_us: Of the line that says that the training starts.
        first_iteration_us: Of the first progress line.
        first_step: Step of that line; None if it only names an epoch.
        last_us: Of the last line that has a clock.
    """

    def __init__(self, *, from_header: bool) -> None:
        self.header_us: int | None = None
        self.line: Origin | None = None
        self.announced_us: int | None = None
        self.first_iteration_us: int | None = None
        self.first_step: int | None = None
        self.last_us: int | None = None
        self._untimed = 0  # progress lines without a clock after that moment
        self._untimed_after_us: int | None = None
        self._from_header = from_header
        self._timed_start_us: int | None = None
        self._first_line: int | None = None
        self._untimed_us: int | None = None  # the last moment before a first line without a clock

    @property
    def start(self) -> ClockBegin:
        """Where time to train begins: the log's own start of the clock, or the first iteration.

        Where the first progress line has no step, a line that announces the training is better.
        """
        if self.line is not None and self.line.time_us is not None:
            return ClockBegin(self.line.time_us, f"line {self.line.line}")
        if self._timed_start_us is not None:
            return ClockBegin(self._timed_start_us, "the log's own start of the clock")
        if self._from_header:
            return ClockBegin(self.header_us, "the header")
        if self._is_announced():
            return ClockBegin(self.announced_us, ANNOUNCED)  # the first line may end an epoch
        return ClockBegin(self.first_iteration_us, FIRST_ITERATION)

    def _is_announced(self) -> bool:
        """Returns whether a line announces the training, and the first progress line has no step.

        Bars without a clock after the last moment of the log do not show how long they lasted.
        """
        begin_us, then_us = self.announced_us, self.first_iteration_us or self.last_us
        if begin_us is None or then_us is None or self.first_step is not None:
            return False
        if self.first_iteration_us is None and self.last_us == self._untimed_us:
            return False
        return begin_us <= then_us and of_one_kind(begin_us, then_us)

    def starts(self) -> tuple[int | None, ...]:
        """Returns the moments at which the run may have begun."""
        return self.header_us, self._timed_start_us, self.first_iteration_us

    def begin(self, header: RunStart) -> None:
        """Sets the moments of a header."""
        now = header.at.time_us
        if header.timed:
            self._timed_start_us = now
        if self.first_iteration_us is None and now is not None:
            self.header_us = now

    def iterate(self, at: Origin, step: int | None) -> None:
        """Sets the moments of the first progress line that has a clock; it may come a bit late."""
        if self._first_line is None:
            self._first_line, self._untimed_us = at.line, self.last_us
        if at.time_us is not None and at.line - self._first_line <= _CLOSE:
            self.first_iteration_us, self.first_step = at.time_us, step

    def iterate_again(self, event: Iteration | EpochEnd) -> None:
        """Sets the moments of the first record of a training that begins anew in the same run."""
        self.first_iteration_us = self.first_step = self.announced_us = None
        self._first_line = event.at.line
        if isinstance(event, Iteration):
            self.iterate(event.at, event.step)

    def add_untimed(self, lines: int) -> None:
        """Counts progress lines without a clock after the last line that has one."""
        if self._untimed_after_us != self.last_us:
            self._untimed_after_us, self._untimed = self.last_us, 0
        self._untimed += lines

    def untimed_at_the_end(self) -> int:
        """Returns the number of progress lines after the last line that has a clock."""
        return self._untimed if self._untimed_after_us == self.last_us else 0

    def advance(self, now_us: int) -> None:
        """Sets the last moment to that of a line, if both have the same kind of clock."""
        if self.first_iteration_us is None or of_one_kind(now_us, self.first_iteration_us):
            self.last_us = now_us
