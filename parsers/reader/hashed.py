"""The hash of a log, which another core works out while a large piece of it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor
    from hashlib import _Hash


class Hashing:
    """Adds large pieces to a hash in a thread.

    Args:
        digest: The hash; to be used by others after `wait` alone.

    Attributes:
        piece: That which may not be in the hash yet.
    """

    def __init__(self, digest: _Hash) -> None:
        self.piece: Future[None] | None = None
        self._digest = digest
        self._thread: ThreadPoolExecutor | None = None

    def begin(self, data: bytes | memoryview) -> None:
        """Begins to add bytes, which must not change until the next call of any method."""
        self.wait()
        if self._thread is None:
            from concurrent.futures import ThreadPoolExecutor  # a small log does without

            self._thread = ThreadPoolExecutor(1)
        self.piece = self._thread.submit(self._digest.update, data)

    def wait(self) -> None:
        """Returns once all bytes are in the hash."""
        if self.piece is not None:
            self.piece.result()
            self.piece = None

    def end(self) -> None:
        """Ends the thread, until it is of use again: a process that forks must have none."""
        self.wait()
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None
