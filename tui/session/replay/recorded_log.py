"""Gives access to the bytes of a finished log at any offset, also of an archive or a pipe."""

import os
import tempfile
from collections.abc import Callable, Iterable
from itertools import chain

from sixdim.parsers.input.source import LogError, blocks
from sixdim.parsers.input.stream import is_pipe
from sixdim.parsers.text.lines import label


class Recorded:
    """A finished log whose bytes can be read at any offset.

    Args:
        path: The log, compressed or not, or a pipe.
        unpacking: Called with how many bytes of it are unpacked so far.
    """

    def __init__(self, path: str, unpacking: Callable[[int], None] = lambda size: None) -> None:
        stream = blocks(path)
        first = next(stream)
        self._descriptor = -1 if is_pipe(path) else os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        plain = self._descriptor >= 0 and os.pread(self._descriptor, len(first), 0) == first
        if not plain:  # compressed, or a stream that can be read only once
            self.close()
            self._descriptor = _unpacked(chain([first], stream), unpacking)
        self.size = os.fstat(self._descriptor).st_size

    def read(self, offset: int, length: int) -> bytes:
        """Returns bytes from `offset` on, fewer at the end."""
        return os.pread(self._descriptor, min(length, self.size - offset), offset)

    def duplicate(self) -> int:
        """Returns another descriptor of the bytes, which the caller closes."""
        return os.dup(self._descriptor)

    def close(self) -> None:
        """Closes the file."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _unpacked(pieces: Iterable[bytes], unpacking: Callable[[int], None]) -> int:
    """Unpacks into a nameless file: an archive may unpack to more than memory holds."""
    try:
        with tempfile.TemporaryFile(prefix="sixdim-") as file:
            for piece in pieces:
                file.write(piece)
                unpacking(file.tell())
            file.flush()
            return os.dup(file.fileno())
    except OSError as error:
        raise LogError(f"cannot unpack the log: {label(error.strerror or error)}") from error
