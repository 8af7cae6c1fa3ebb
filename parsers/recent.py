"""The latest lines of a log, kept for showing."""

from __future__ import annotations

from collections import deque
from mmap import mmap

from parsers.text import Line, LineSplitter

_NOT_SHOWN = bytes(range(0x21)) + b"\x7f"


class Recent:
    """The last so many lines; those of a block are cut and cleaned only when asked for.

    Args:
        most: How many.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lines: deque[tuple[int, str]] = deque(maxlen=most)
        self._blocks: deque[tuple[bytes, int, int, int]] = deque()

    def add(self, line: Line) -> None:
        """Keeps a line as it was before its prefix was taken off."""
        if self._most:
            self._settle()
            self._lines.append((line.number, line.text))

    def add_block(
        self, chunk: bytes | mmap, begin: int, end: int, number: int, offset: int
    ) -> None:
        """Keeps what may be wanted of the whole lines `chunk[begin:end]`.

        Args:
            chunk: Holds them.
            begin: Where the first begins.
            end: Behind the last one's newline.
            number: Line number of the one that follows them.
            offset: Byte offset of that one.
        """
        if not self._most:
            return
        start, lines, shown = end, 0, 0
        while start > begin and shown < self._most:
            before = chunk.rfind(b"\n", begin, start - 1) + 1 or begin
            shown += _surely_shown(chunk[before:start])
            start, lines = before, lines + 1
        self._blocks.append((chunk[start:end], number - lines, offset - (end - start), shown))
        kept = sum(block[3] for block in self._blocks)
        while kept - self._blocks[0][3] >= self._most:
            kept -= self._blocks.popleft()[3]

    def lines(self) -> tuple[tuple[int, str], ...]:
        """(number, text) of each, oldest first."""
        self._settle()
        return tuple(self._lines)

    def _settle(self) -> None:
        for data, number, offset, _shown in self._blocks:
            for line in LineSplitter(number, offset).feed(data):
                self._lines.append((line.number, line.text))
        self._blocks.clear()


def _surely_shown(line: bytes) -> bool:
    """Whether cleaning leaves something of the line; where that is not plain, no."""
    return line.isascii() and b"\x1b" not in line and bool(line.strip(_NOT_SHOWN))
