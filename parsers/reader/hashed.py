"""The hash of a log, which another core works out while a large piece of it is read."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor
    from hashlib import _Hash

LAG = 2
"""Pieces that need not be in the hash yet: to wait for a thread that has just begun costs more than
what it does."""


class Hashing:
    """Adds large pieces to a hash in a thread.

    Args:
        digest: The hash; to be used by others after `wait` alone.

    Attributes:
        pieces: Those that may not be in the hash yet.
    """

    def __init__(self, digest: _Hash) -> None:
        self.pieces: deque[Future[None]] = deque()
        self._digest = digest
        self._thread: ThreadPoolExecutor | None = None

    def begin(self, data: bytes | memoryview) -> None:
        """Begins to add bytes, which must not change before `LAG` other pieces, or `wait`."""
        self._wait(LAG - 1)
        if self._thread is None:
            from concurrent.futures import ThreadPoolExecutor  # a small log does without

            self._thread = ThreadPoolExecutor(1)
        self.pieces.append(self._thread.submit(self._digest.update, data))

    def wait(self) -> None:
        """Returns once all bytes are in the hash."""
        self._wait(0)

    def end(self) -> None:
        """Ends the thread, until it is of use again: a process that forks must have none."""
        self.wait()
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None

    def _wait(self, but: int) -> None:
        """Returns once all but so many pieces are in the hash."""
        while len(self.pieces) > but:
            self.pieces.popleft().result()
