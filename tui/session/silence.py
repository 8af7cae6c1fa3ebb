"""A log that is silent: for longer than it ever was, or behind a line that ends a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sixdim.metrics.values.card import Status
from sixdim.parsers.text.lines import label

if TYPE_CHECKING:
    from sixdim.metrics.fold.run import Run

STALL_LEAST = 60.0
BROKEN_AFTER = 30.0
"""Seconds of silence after a traceback or the like: had it been caught, training would go on."""
_OPEN = (Status.WAITING, Status.TRAINING)


class Silence:
    """How long nothing has come, against the longest pause so far.

    Args:
        clock: Monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._last_growth = clock()
        self._longest_gap = 0.0

    def begin_again(self) -> None:
        """Another log lies there now."""
        self._longest_gap = 0.0

    def note_growth(self, age: float) -> None:
        """Notes that something came, written that many seconds ago."""
        now = self._clock()
        self._longest_gap = max(self._longest_gap, now - self._last_growth)
        self._last_growth = now - age

    def broken(self, run: Run, status: Status) -> str:
        """Says that nothing came after a line that ends a run; the card waits for the end."""
        failed, last = run.failed, run.last_iteration
        quiet = self._clock() - self._last_growth
        if failed is None or status not in _OPEN or quiet < BROKEN_AFTER:
            return ""
        if last is not None and last.at.line > failed.at.line:
            return ""  # it was caught: training went on
        return f"failed: no line since {label(failed.text, 80)} (line {failed.at.line})"

    def stalled(self, status: Status) -> str:
        """Says that the log is silent for much longer than it ever was, in whole minutes."""
        quiet = self._clock() - self._last_growth
        usual = max(STALL_LEAST, 3 * self._longest_gap)
        if status is not Status.TRAINING or quiet < usual:
            return ""
        return f"stalled: no new line for {int(quiet // 60)} min"
