"""Detects logs that stopped growing: for longer than ever before, or after a fatal line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sixdim.metrics.values.card import Status
from sixdim.parsers.text.lines import label

if TYPE_CHECKING:
    from sixdim.metrics.fold.runs.run import Run
    from sixdim.parsers.events import Problem

STALL_LEAST = 60.0
BROKEN_AFTER = 30.0
"""Seconds without a line after a traceback or the last planned epoch, after which a run is over."""
CLOSED_AFTER = 2.0
"""Seconds without a line after a closing line, after which no line of the run is expected."""
PAUSES_AFTER = 2.0
"""Seconds without a line after which the drawing of a bar is read before its line ends."""
EXIT_TAKES = 10.0
"""Seconds in which a program that failed may still draw its bar again, or write its buffer."""


class Silence:
    """Compares the time since the last growth with the longest pause so far.

    Args:
        clock: Monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._last_growth = clock()
        self._longest_gap = 0.0
        self._failed: Problem | None = None  # the fatal line that was read last
        self._failed_at = 0.0  # when the log had grown to it

    @property
    def quiet(self) -> float:
        """The seconds since the log grew."""
        return self._clock() - self._last_growth

    def begin_again(self) -> None:
        """Begins anew for another log."""
        self._longest_gap = 0.0

    def note_growth(self, age: float) -> None:
        """Notes that the log has grown, and that its bytes were written that many seconds ago."""
        now = self._clock()
        self._longest_gap = max(self._longest_gap, now - self._last_growth)
        self._last_growth = now - age

    def long(self, *, closed: bool = False) -> bool:
        """Returns whether the log was silent for so long that a complete run is over.

        Args:
            closed: Whether its closing line was read.
        """
        return self.quiet >= (CLOSED_AFTER if closed else max(BROKEN_AFTER, 2 * self._longest_gap))

    def broken(self, run: Run) -> str:
        """Returns a message if the log has not grown since a line that ends a run."""
        failed, last = run.problems.failed, run.last_iteration
        quiet = self.quiet
        if failed is not self._failed:
            self._failed, self._failed_at = failed, self._last_growth
        if failed is None or run.frozen or run.is_over or quiet < BROKEN_AFTER:
            return ""
        later = last is not None and last.at.line > failed.at.line
        if later and (self._last_growth - self._failed_at > EXIT_TAKES or not self.long()):
            return ""  # the exception was caught, and training goes on
        return f"failed: no line since {label(failed.text, 80)} (line {failed.at.line})"

    def stalled(self, status: Status) -> str:
        """Returns a message if the log has not grown for much longer than ever before."""
        quiet = self.quiet
        usual = max(STALL_LEAST, 3 * self._longest_gap)
        if status is not Status.TRAINING or quiet < usual:
            return ""
        return f"stalled: no new line for {int(quiet // 60)} min"
