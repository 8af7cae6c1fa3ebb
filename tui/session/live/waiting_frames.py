"""Frames that wait to be printed: a limited number, however long nobody reads the output."""

from __future__ import annotations

import queue
import threading
from collections import deque

from sixdim.tui.session.live.feed import Frame

MOST = 100
"""Frames that wait; if there are more, the newest replaces the one before it."""


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
        """Makes `get` return None once the frames so far were taken; for signal handlers."""
        self._ready.put(False)

    def get(self) -> Frame | None:
        """Waits for the next frame and returns it; None at the end."""
        if not self._ready.get():
            return None
        with self._lock:
            return self._frames.popleft()
