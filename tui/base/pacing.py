"""From any thread to the screen: the newest frame wins, and paints keep their distance."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

T = TypeVar("T")

PERIOD = 0.1
"""Seconds between two paints."""
LOW_BANDWIDTH_PERIOD = 0.5
"""The same with `--low-bandwidth`."""
FLOOD_LINES = 100
"""More new lines than anybody reads between two paints."""
FLOOD_PERIOD = 0.5
"""Seconds between two paints while a log brings that many."""


def period_for(lines: int) -> float:
    """Seconds from one paint to the next that brings so many new lines."""
    return FLOOD_PERIOD if lines >= FLOOD_LINES else PERIOD


class Mailbox(Generic[T]):
    """Holds one frame. The first after a rest is due at once, later ones once a period.

    Args:
        period: Least seconds between two paints.
    """

    def __init__(self, period: float) -> None:
        self._period = period
        self._lock = threading.Lock()
        self._pending: T | None = None
        self._awake = False
        self._painted_at = float("-inf")

    def put(self, frame: T) -> bool:
        """Leaves a frame, replacing one not yet consumed.

        Returns:
            True where the reader sleeps and has to be woken.
        """
        with self._lock:
            self._pending = frame
            if self._awake:
                return False
            self._awake = True
            return True

    def delay(self, now: float) -> float:
        """Seconds until the pending frame may be painted."""
        return max(0.0, self._painted_at + self._period - now)

    def take(self, now: float) -> T | None:
        """Takes the frame to paint; the reader sleeps again until the next `put`."""
        with self._lock:
            frame, self._pending = self._pending, None
            self._awake = False
            if frame is not None:
                self._painted_at = now
            return frame
