"""The latest lines of a log, kept for showing."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from mmap import mmap

from parsers.lazy import pattern
from parsers.text import MAX_LINE, Line, LineSplitter

_BACK = 16 << 10
"""Bytes looked at together on the way back from a block's end."""
_VISIBLE = pattern(rb"[!-~][^\n]*\n")
"""What a line of ASCII without escape sequences shows, from its first character on."""


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
        start, shown = end, 0
        while start > begin and shown < self._most:
            before = _lines_before(chunk, begin, start)
            shown += _surely_shown(chunk[before:start])
            start = before
        data = chunk[start:end]
        self._blocks.append((data, number - data.count(b"\n"), offset - len(data), shown))
        kept = sum(block[3] for block in self._blocks)
        while kept - self._blocks[0][3] >= self._most:
            kept -= self._blocks.popleft()[3]

    def lines(self) -> tuple[tuple[int, str], ...]:
        """(number, text) of each, oldest first."""
        self._settle()
        return tuple(self._lines)

    def _settle(self) -> None:
        for data, number, offset, _shown in self._blocks:
            self._lines.extend(_harmless(data, number) or _cleaned(data, number, offset))
        self._blocks.clear()


def _lines_before(chunk: bytes | mmap, begin: int, end: int) -> int:
    """Where the lines begin that fill a piece before `end`, or the one line longer than it."""
    near = end - _BACK
    if near <= begin:
        return begin
    start = chunk.find(b"\n", near, end - 1) + 1
    return start or chunk.rfind(b"\n", begin, near) + 1 or begin


def _surely_shown(lines: bytes) -> int:
    """Of how many lines cleaning leaves something, as far as that is plain."""
    if lines.isascii() and b"\x1b" not in lines:
        return len(_VISIBLE.findall(lines))
    parts = lines.splitlines(keepends=True) if lines.count(b"\n") > 1 else ()
    return sum(_surely_shown(line) for line in parts)


def _harmless(data: bytes, number: int) -> list[tuple[int, str]]:
    """Whole lines in which nothing has to be cleaned, all at once; none where there may be."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return []
    if not text.replace("\n", "").replace("\t", " ").isprintable():
        return []
    lines = text.removesuffix("\n").split("\n")
    if 4 * max(map(len, lines)) > MAX_LINE:
        return []
    return [(n, line) for n, line in enumerate(lines, number) if line and not line.isspace()]


def _cleaned(data: bytes, number: int, offset: int) -> Iterator[tuple[int, str]]:
    for line in LineSplitter(number, offset).feed(data):
        yield line.number, line.text
