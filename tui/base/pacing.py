"""Limits how often frames are made, and how often the screen paints the newest of them."""

import threading
from typing import Generic, TypeVar

T = TypeVar("T")

PERIOD = 0.1
"""Seconds between two paints."""
LOW_BANDWIDTH_PERIOD = 0.5
"""The same with `--low-bandwidth`."""
FLOOD_LINES = 100
"""New lines between two paints from which on the screen is painted less often."""
FLOOD_PERIOD = 0.5
"""Seconds between two paints while a log has that many new lines."""
STORM_LINES = 1_000
"""As `FLOOD_LINES`, where painting costs far more than reading."""
STORM_PERIOD = 2.0
"""Seconds between two paints while a log has that many new lines."""

SHARE = 0.2
"""Largest share of the time that making frames may take."""
MOST_PERIOD = 10.0
"""Longest time between two frames: a frame that took long may just have been stopped (Ctrl-Z)."""


def period_for(lines: int) -> float:
    """Returns the seconds between two paints if there are that many new lines."""
    if lines >= STORM_LINES:
        return STORM_PERIOD
    return FLOOD_PERIOD if lines >= FLOOD_LINES else PERIOD


class FramePace:
    """Says when the next frame of a log is to be made.

    Attributes:
        poll: Seconds after which the log is looked at, at the latest.
    """

    def __init__(self) -> None:
        self.poll = PERIOD
        self._begun = -PERIOD
        self._period = PERIOD
        self._lines = 0

    def wait(self, now: float, lines: int) -> float | None:
        """Returns the seconds until the next frame of a log of so many lines; None if it is due."""
        least = self._least(lines)
        return None if now - self._begun >= least else self._begun + least - now

    def note(self, begun: float, done: float, lines: int) -> None:
        """Notes when a frame was begun and done, and how many lines the log had."""
        self.poll = self._least(lines)
        self._begun, self._lines = begun, lines
        self._period = min(max(PERIOD, (done - begun) / SHARE), MOST_PERIOD)

    def _least(self, lines: int) -> float:
        return max(self._period, period_for(lines - self._lines))


class Mailbox(Generic[T]):
    """Holds the newest frame. It is due at once after a pause, and otherwise once per period."""

    def __init__(self, period: float) -> None:
        self._period = period
        self._lock = threading.Lock()
        self._pending: T | None = None
        self._awake = False
        self._painted_at = float("-inf")

    def put(self, frame: T) -> bool:
        """Stores a frame, replacing one that was not painted yet.

        Returns:
            True if the reader is asleep and has to be woken.
        """
        with self._lock:
            self._pending = frame
            if self._awake:
                return False
            self._awake = True
            return True

    def delay(self, now: float) -> float:
        """Returns the seconds until the pending frame may be painted."""
        return max(0.0, self._painted_at + self._period - now)

    def take(self, now: float) -> T | None:
        """Returns the frame to paint. The reader is asleep again until the next `put`."""
        with self._lock:
            frame, self._pending = self._pending, None
            self._awake = False
            if frame is not None:
                self._painted_at = now
            return frame
