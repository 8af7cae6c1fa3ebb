"""The present file of a growing log, for code that reads it a second time."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

from sixdim.parsers.input.follow import Follower
from sixdim.parsers.input.source import base_name
from sixdim.parsers.input.stream import is_pipe
from sixdim.tui.search.text import FileText, LogText, NoTextError

if TYPE_CHECKING:
    from sixdim.parsers.reader.interpret import Interpreter


class LogOnDisk:
    """The part of a log that its present file holds: after a rotation, what was written since."""

    def __init__(self, path: str, tail: Follower) -> None:
        self._path = path
        self._tail = tail
        self._file: tuple[int, int] | None = None
        self._before, self._line = 0, 1

    def note(self, read: Interpreter) -> None:
        """Notes the state of the reader before new bytes, which may begin another file."""
        if self._tail.identity != self._file or not read.size:
            self._file = self._tail.identity
            self._before, self._line = read.size, read.next_line

    def age(self, now_us: int) -> float:
        """Returns the seconds since the log was last written to; 0 for a pipe."""
        if is_pipe(self._path):
            return 0.0
        try:
            written = Path(self._path).stat().st_mtime
        except OSError:  # it has just been renamed
            return 0.0
        return max(0.0, now_us / 1e6 - written)

    def text(self) -> LogText:
        """Opens the file.

        Raises:
            NoTextError: It is a pipe.
            OSError: It cannot be opened, or another file has its name now.
        """
        if is_pipe(self._path):
            raise NoTextError(f"{base_name(self._path)} is a pipe")
        file = self._file
        descriptor = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        found = os.fstat(descriptor)
        if (found.st_dev, found.st_ino) != file:
            os.close(descriptor)
            raise OSError(errno.ESTALE, "the log has just been replaced")
        return FileText(descriptor, self._before, self._line, lambda: self._file == file)
