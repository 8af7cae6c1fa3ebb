"""A log that comes through a pipe: standard input or a FIFO, read as far as it goes.

A pipe has no name to look at again and no past: what came before is lost to a late reader, and its
end is the end of the log. Reading blocks, so it happens on a thread of its own; the
queue is bounded, so a fast writer waits for us instead of filling memory.
"""

import io
import os
import queue
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sixdim.parsers.input.follow import CHUNK, Follower, Piece, Tail
from sixdim.parsers.input.source import base_name, is_stdin
from sixdim.parsers.input.unpack import is_damage, reading_errors, unpacked
from sixdim.parsers.text.lines import label

DEPTH = 16
"""Largest number of chunks that wait to be folded: 16 MiB, as `CHUNK` is 1 MiB."""


class StreamTail:
    """Reads a pipe to its end, and unpacks what comes if it is compressed.

    Args:
        name: What the stream is called, for showing.
        open_it: Gives the file descriptor to read; may wait for a writer, as a FIFO does.
        wake: Called from the reading thread when something came.
    """

    def __init__(self, name: str, open_it: Callable[[], int], wake: Callable[[], None]) -> None:
        self.identity: tuple[int, int] | None = None
        self._name = label(name)
        self._open = open_it
        self._wake = wake
        self._pieces: queue.Queue[Piece] = queue.Queue(DEPTH)
        self._read_bytes = 0
        self._given_bytes = 0
        self._thread: threading.Thread | None = None
        self._last = Piece(trouble=f"waiting for {self._name}")
        self._closed = False

    def look(self) -> Piece:
        """Returns the next chunk, if one came; see `Follower.look`."""
        if self._thread is None:
            # A daemon: a read that never returns must not keep the program alive.
            self._thread = threading.Thread(target=self._read, name="sixdim-stream", daemon=True)
            self._thread.start()
        try:
            piece = self._pieces.get_nowait()
        except queue.Empty:
            return self._last
        self._last = piece if piece.ended else Piece()
        self._given_bytes += len(piece.data)
        if not self._pieces.empty():
            self._wake()  # the wake-up for the next piece may be over
        return piece._replace(behind=self._read_bytes - self._given_bytes)

    def unchanged(self) -> bool:
        """Returns True: a pipe has no past that could change."""
        return True

    def close(self) -> None:
        """Stops taking; the writer gets its broken pipe when this program ends."""
        self._closed = True

    def _read(self) -> None:
        trouble = ""
        try:
            raw = io.BufferedReader(io.FileIO(self._open(), closefd=False))
            stream: Any = unpacked(raw) or raw
            while not self._closed and (data := stream.read1(CHUNK)):
                self._read_bytes += len(data)
                self._pieces.put(Piece(data))
                self._wake()
        except ImportError:
            trouble = f"{self._name} is zstd-compressed: unpack it, or install sixdim[zstd]"
        except reading_errors() as error:
            trouble = f"cannot read {self._name}: {label(getattr(error, 'strerror', '') or error)}"
            if is_damage(error):
                trouble = f"{self._name} is a damaged archive: {label(error)}"
        self._pieces.put(Piece(trouble=trouble, ended=True))
        self._wake()


def follow(
    path: str, wake: Callable[[], None], clock: Callable[[], float], stdin: int = 0
) -> Follower:
    """Returns a reader of this log as it comes: a file's tail, or a pipe to its end.

    Args:
        path: A file, a FIFO, or `-` for standard input.
        wake: Called from another thread when a pipe gave something.
        clock: Monotonic seconds.
        stdin: Descriptor that standard input has now.
    """
    if is_stdin(path):
        return StreamTail(base_name(path), lambda: stdin, wake)
    if is_pipe(path):
        return StreamTail(base_name(path), lambda: os.open(path, os.O_RDONLY | os.O_CLOEXEC), wake)
    return Tail(path, clock)


def is_pipe(path: str) -> bool:
    """Returns whether the log comes through a pipe: it cannot be looked at twice."""
    if is_stdin(path):
        return True
    try:
        mode = Path(path).stat().st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode)
