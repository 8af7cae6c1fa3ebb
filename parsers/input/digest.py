"""The hash of the bytes read so far, worked out beside the reading of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import hashlib
    import queue
    import threading

_LARGE = 1 << 20
"""Bytes from which a piece is hashed on a thread of its own (`hashlib` lets others run)."""
_ALONG = 1 << 20
"""Bytes of a log from which such a thread is worth starting."""
_WAITING = 1
"""Pieces that may wait: when one is taken over, all but that and the one before are hashed."""


class Digest:
    """A SHA-256 that can be asked for at any moment.

    Args:
        wanted: Whether anybody will ask; without, nothing is hashed, and the hash is empty.
    """

    def __init__(self, wanted: bool = True) -> None:
        self._hash: hashlib._Hash | None = None
        if wanted:
            import hashlib

            self._hash = hashlib.sha256()
        self._size = 0
        self._pieces: queue.Queue[bytes | memoryview | None] | None = None
        self._worker: threading.Thread | None = None

    def update(self, piece: bytes | memoryview) -> None:
        """Adds the bytes; a large piece later, in order."""
        if self._hash is None:
            return
        self._size += len(piece)
        if len(piece) < _LARGE or self._size < _ALONG:
            self._settle()
            self._hash.update(piece)
            return
        if self._pieces is None:
            import queue
            import threading

            self._pieces = queue.Queue(_WAITING)
            self._worker = threading.Thread(
                target=_work, args=(self._hash, self._pieces), name="sixdim-sha256", daemon=True
            )
            self._worker.start()
        self._pieces.put(piece)

    def hexdigest(self) -> str:
        """The hash of all bytes added; empty where it is not wanted."""
        self._settle()
        return "" if self._hash is None else self._hash.hexdigest()

    def copy(self) -> Digest:
        """An independent one in the same state."""
        self._settle()
        other = Digest(wanted=False)
        other._hash = None if self._hash is None else self._hash.copy()
        return other

    def _settle(self) -> None:
        """Waits for what was handed over, and lets the thread go."""
        if self._pieces is not None and self._worker is not None:
            self._pieces.put(None)
            self._worker.join()
            self._pieces = self._worker = None


def _work(digest: hashlib._Hash, pieces: queue.Queue[bytes | memoryview | None]) -> None:
    while (piece := pieces.get()) is not None:
        digest.update(piece)
