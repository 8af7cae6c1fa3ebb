"""Computes the hash of a log in a thread while the same large pieces are read."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor
    from hashlib import _Hash

LAG = 2
"""Largest number of pieces that may be missing in the hash: waiting for a thread that has just
begun costs more than its work."""
_LEAST = 1 << 18
"""Bytes of a piece above which a thread hashes it: to wake one takes as long as to hash fewer."""


class Hashing:
    """Adds pieces to a hash, large ones in a thread.

    Args:
        digest: The hash; others may use it only after `wait`.

    Attributes:
        pieces: The pieces that may not be in the hash yet.
    """

    def __init__(self, digest: _Hash) -> None:
        self.pieces: deque[Future[None]] = deque()
        self._digest = digest
        self._thread: ThreadPoolExecutor | None = None

    def begin(self, data: bytes | memoryview) -> None:
        """Begins to add bytes; they may change after `LAG` further calls, or after `wait`."""
        if len(data) <= _LEAST:
            self.wait()
            self._digest.update(data)
            return
        self._wait(LAG - 1)
        if self._thread is None:
            from concurrent.futures import ThreadPoolExecutor  # a small log needs no thread

            self._thread = ThreadPoolExecutor(1)
        self.pieces.append(self._thread.submit(self._digest.update, data))

    def wait(self) -> None:
        """Returns once all bytes are in the hash."""
        self._wait(0)

    def end(self) -> None:
        """Ends the thread (a process that forks must have none); `begin` starts another one."""
        self.wait()
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None

    def _wait(self, but: int) -> None:
        """Waits until at most this many pieces are missing in the hash."""
        while len(self.pieces) > but:
            self.pieces.popleft().result()
