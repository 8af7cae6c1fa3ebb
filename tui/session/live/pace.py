"""The time to the planned end of a run that is watched, where its log has no clock."""

from collections.abc import Callable
from typing import NamedTuple

from sixdim.metrics.card.snapshot import Progress
from sixdim.metrics.values.remaining import Remaining

LEAST_S = 10.0
"""Least seconds of measurement before a pace is used."""
_NEAR = 1e-6
"""What rounding may add to a share of the plan, in epochs."""
_COARSE = 0.02
"""Share of the time left by which it falls at once while the log is silent."""


class _At(NamedTuple):
    """How many epochs of the plan were trained at a moment."""

    epochs: float
    s: float


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
        self._silence = 0.0  # the longest one before a growth
        self._over: list[_At] = []  # when the first epoch and the last one were seen to end
        self._begun: _At | None = None  # the first growth after that
        self._between = 0.0  # seconds between the training of an epoch and that of the next one

    def remaining(self, progress: Progress, quiet: float) -> Remaining:
        """Returns the time left by the log, else by the pace since the watch saw the log grow.

        A log that times training passes only is corrected by the pace of a whole epoch. While the
        log is silent, the time left falls as long as its silences were so far.

        Args:
            progress: How far the run is.
            quiet: Seconds since the log grew, if it was read so much later.
        """
        left, planned = progress.remaining, progress.epochs_planned or 0
        self._note(left.trained, planned, self._clock() - quiet)
        if left.trained is None or self._first is None:
            return left
        silent = self._clock() - self._last
        if left.seconds is None or left.at_least:
            if (seconds := self._by_epochs(planned, silent)) is not None:
                return Remaining(left.trained, seconds)
            left = self._by_share(left, planned)
        if left.seconds is None:
            return left
        passed = _coarse(min(silent, self._silence), left.seconds)
        return left._replace(seconds=max(0.0, left.seconds - passed))

    def _by_share(self, left: Remaining, planned: int) -> Remaining:
        """Returns the time left by the share of the plan that was trained while watching.

        In the first epoch a log that times its steps has seen no evaluation either.
        """
        assert left.trained is not None and self._first is not None
        trained, seconds = left.trained - self._first[0], self._last - self._first[1]
        in_first = left.trained * planned < 1
        if seconds < LEAST_S or not (left.seconds is None or in_first):
            return left
        return Remaining(left.trained, (1.0 - left.trained) * seconds / trained)

    def _by_epochs(self, planned: int, silent: float) -> float | None:
        """Returns the seconds left by whole epochs, which have their evaluations; None before."""
        if not self._over or self._over[-1].s - self._over[0].s < LEAST_S:
            return None
        first, last = self._over[0], self._over[-1]
        an_epoch, ahead = (last.s - first.s) / (last.epochs - first.epochs), planned - last.epochs
        whole = ahead * an_epoch + self._between
        passed = self._last - last.s + _coarse(silent, whole)
        return max(0.0, whole - min(passed, an_epoch))

    def _note(self, trained: float | None, planned: int, now: float) -> None:
        """Notes the share of the plan that is trained now; the measurement begins anew if it falls.

        It begins at the first growth that is seen: when a line was written that stood in the log
        before is not known.
        """
        before, self._trained = self._trained, trained
        if trained is None or before is None or trained < before:
            self._first, self._begun, self._over = None, None, []
            self._silence = self._between = 0.0
        elif trained > before:
            if self._first is not None:
                self._silence = max(self._silence, now - self._last)
            self._note_epochs(before * planned + _NEAR, _At(trained * planned + _NEAR, now))
            self._last = now
            self._first = self._first or (trained, now)

    def _note_epochs(self, before: float, now: _At) -> None:
        """Notes that an epoch is over, or begins to be trained."""
        over = int(now.epochs)
        if over == int(before):
            if self._begun is None and self._over:
                self._begun = now
            return
        if self._begun is not None:
            # At the pace of its later steps, the first ones of the epoch took a part of that time.
            part = self._begun.epochs % 1
            training = (now.s - self._begun.s) / (1 - part) * part
            self._between = max(0.0, self._begun.s - self._over[-1].s - training)
            self._begun = None
        self._over[1:] = [_At(over, now.s)]


def _coarse(passed: float, left: float) -> float:
    """Returns seconds of silence in steps, so that a screen is not painted for each of them."""
    step = max(1.0, _COARSE * left)
    return passed // step * step
