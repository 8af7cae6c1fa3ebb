"""The file that a growing log is read from now, for whoever reads it a second time."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sixdim.parsers.input.follow import Follower
from sixdim.parsers.input.source import base_name
from sixdim.parsers.input.stream import is_pipe
from sixdim.tui.search.text import FileText, LogText, NoTextError

if TYPE_CHECKING:
    from sixdim.parsers.reader.interpret import Interpreter


class LogOnDisk:
    """Which part of a log its present file holds: after a rotation, what came since.

    Args:
        path: The log.
        tail: What follows it.
    """

    def __init__(self, path: str, tail: Follower) -> None:
        self._path = path
        self._tail = tail
        self._file: tuple[int, int] | None = None
        self._before, self._line = 0, 1

    def note(self, read: Interpreter) -> None:
        """Looks whether the bytes that come now, behind those read, begin another file."""
        if self._tail.identity != self._file or not read.size:
            self._file = self._tail.identity
            self._before, self._line = read.size, read.next_line

    def text(self) -> LogText:
        """The file, open.

        Raises:
            NoTextError: There is no such file: it is a pipe, or another file has its name now.
            OSError: It cannot be opened.
        """
        if is_pipe(self._path):
            raise NoTextError(f"{base_name(self._path)} is a pipe and cannot be read again")
        file = self._file
        descriptor = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        found = os.fstat(descriptor)
        if (found.st_dev, found.st_ino) != file:
            os.close(descriptor)
            raise NoTextError(f"{base_name(self._path)} has just been replaced")
        return FileText(descriptor, self._before, self._line, lambda: self._tail.identity == file)
