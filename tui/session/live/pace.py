"""The time to the planned end of a run that is watched, where its log has no clock."""

from __future__ import annotations

from collections.abc import Callable

from sixdim.metrics.card.snapshot import Progress
from sixdim.metrics.values.remaining import Remaining

LEAST_S = 30.0
"""Least seconds of measurement before a pace is used."""


class Pace:
    """Measures how fast a run trains, by the moments at which its log grows.

    Args:
        clock: Monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._trained: float | None = None
        self._first: tuple[float, float] | None = None
        self._last = 0.0

    def remaining(self, progress: Progress) -> Remaining:
        """Returns the time left by the log, else by the pace since the watch saw the log grow.

        A log that times training passes only is corrected by the pace of a whole epoch.
        """
        left = progress.remaining
        self._note(left.trained)
        if left.trained is None or self._first is None:
            return left
        trained, seconds = left.trained - self._first[0], self._last - self._first[1]
        if seconds < LEAST_S:
            return left
        an_epoch = round(trained * (progress.epochs_planned or 0), 6) >= 1
        if left.seconds is None or (left.at_least and an_epoch):
            return Remaining(left.trained, (1.0 - left.trained) * seconds / trained)
        return left

    def _note(self, trained: float | None) -> None:
        """Notes the share of the plan that is trained now; the measurement begins anew if it falls.

        It begins at the first growth that is seen: when a line was written that stood in the log
        before is not known.
        """
        before, self._trained = self._trained, trained
        if trained is None or before is None or trained < before:
            self._first = None
        elif trained > before:
            self._last = self._clock()
            self._first = self._first or (trained, self._last)
