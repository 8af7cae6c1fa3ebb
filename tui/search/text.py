"""Texts of a log that can be read at any offset: a file, or lines of a pipe stored on disk."""

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeAlias

from sixdim.parsers.input.source import BLOCK
from sixdim.tui.base.log_lines import numbered

NumberedLines = Sequence[tuple[int, str]]
"""(line number, text), oldest first."""


class NoTextError(Exception):
    """A log that cannot be read again; the message says why."""


class FileText:
    """A log in a file, as far as it was read.

    Args:
        descriptor: An open file; `close` closes it.
        before: The bytes of the log in earlier files.
        line: The number of its first line.
        is_current: Whether the log is still read from this file.

    Attributes:
        descriptor: The open file.
        line: The number of its first line.
        part: The part of the log that it holds, in words; empty for the whole log.
    """

    def __init__(
        self,
        descriptor: int,
        before: int = 0,
        line: int = 1,
        is_current: Callable[[], bool] = lambda: True,
    ) -> None:
        self.descriptor = descriptor
        self.line = line
        self.part = "since it was rotated" if before else ""
        self._before = before
        self._is_current = is_current

    def size(self, read: int, lines: NumberedLines) -> int | None:
        """Returns the bytes of the file that were read; None if the log is now another file.

        Args:
            read: The bytes of the log that were read.
            lines: The latest lines.
        """
        return max(0, read - self._before) if self._is_current() else None

    def close(self) -> None:
        """Closes the file."""
        os.close(self.descriptor)


class LatestText(FileText):
    """The latest and the new lines of a log that cannot be read again, in a temporary file."""

    MOST = 64 << 20
    """The most bytes; after them the file begins anew with the latest lines."""

    def __init__(self, lines: NumberedLines, part: str) -> None:
        import tempfile  # most searches need none

        with tempfile.TemporaryFile(prefix="sixdim-") as file:
            super().__init__(os.dup(file.fileno()), line=lines[0][0] if lines else 1)
        self.part = part
        self._size = 0
        self._latest: tuple[int, str] = (self.line, "")

    def size(self, read: int, lines: NumberedLines) -> int | None:
        """See `FileText.size`."""
        number = self._latest[0]
        if self._size > self.MOST or (lines and lines[-1][0] < number):
            return None
        text = ""
        for line in self._after_latest(lines):
            # Blank lines are missing among the latest lines; they are empty rows here.
            text += "\n" * (line[0] - number) + line[1] + "\r"
            number, self._latest = line[0], line
        self._size += os.pwrite(self.descriptor, text.encode(), self._size)
        return self._size

    def _after_latest(self, lines: NumberedLines) -> NumberedLines:
        """Returns the lines not written yet; several rows of one line have the same number."""
        same = [place for place, line in enumerate(lines) if line == self._latest]
        if same:
            return lines[same[-1] + 1 :]
        return [line for line in lines if line[0] > self._latest[0] or not self._size]


LogText: TypeAlias = FileText
"""A log as far as it was read, at any offset."""


def lines_of(text: LogText, numbers: Collection[int]) -> tuple[tuple[int, str], ...]:
    """Reads lines by number; returns (number, sanitised text) of each that is found."""
    return tuple(numbered(_blocks(text.descriptor), numbers, text.line))


def _blocks(descriptor: int) -> Iterator[bytes]:
    offset = 0
    while block := os.pread(descriptor, BLOCK, offset):
        offset += len(block)
        yield block
