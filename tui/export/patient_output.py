"""Output that may be read late: a pipe that nobody reads, a terminal after Ctrl-S."""

from __future__ import annotations

import queue
import select
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sixdim.tui.session.live.feed import Frame

LOOK_S = 0.5
"""Seconds between two looks at whether the output is to end."""
GRACE_S = 2.0
"""Seconds that a reader gets for the rest once the output is to end."""
MOST = 100
"""Frames that wait; if there are more, the newest replaces the one before it."""


class PatientOutput:
    """Prints texts one after the other, and waits for the reader; drops them if it has to end.

    Args:
        ending: Whether the command was asked to end, for example by a signal.
    """

    def __init__(self, ending: Callable[[], bool]) -> None:
        self._ending = ending
        self._until: float | None = None
        self._given_up = False

    def print(self, text: str) -> None:
        """Prints a text of several lines, each of them once its reader is ready."""
        for row in text.split("\n"):
            while not (self._given_up or _ready()):
                self._given_up = self._ending() and self._is_late()
            if self._given_up:
                return
            print(row, flush=True)

    def _is_late(self) -> bool:
        """Returns whether the reader had its time since the output was to end."""
        now = time.monotonic()
        self._until = self._until or now + GRACE_S
        return now >= self._until


def _ready() -> bool:
    """Waits for a moment; returns whether a text can be written without blocking."""
    try:
        return bool(select.select([], [sys.stdout.fileno()], [], LOOK_S)[1])
    except (OSError, ValueError):  # no descriptor, or one that cannot be asked
        return True


class WaitingFrames:
    """A queue of frames that never makes the reader of the log wait.

    A pipe that nobody reads, or a terminal stopped with Ctrl-S, holds the printing up for hours. A
    frame has all epochs of its run, so that the lines of a frame that was replaced are printed with
    a later one.
    """

    def __init__(self) -> None:
        self._frames: deque[Frame] = deque()
        self._lock = threading.Lock()
        # One item for each frame. Unlike a lock, it can be used by a signal handler.
        self._ready: queue.SimpleQueue[bool] = queue.SimpleQueue()

    def put(self, frame: Frame) -> None:
        """Adds a frame."""
        with self._lock:
            if len(self._frames) == MOST:
                self._frames[-1] = frame
                return
            self._frames.append(frame)
        self._ready.put(True)

    def end(self) -> None:
        """Makes `get` return None after the frames that were added so far; for signal handlers."""
        self._ready.put(False)

    def get(self) -> Frame | None:
        """Waits for the next frame and returns it; None at the end."""
        if not self._ready.get():
            return None
        with self._lock:
            return self._frames.popleft()
