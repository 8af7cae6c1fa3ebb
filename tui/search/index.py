"""Indexes a log in blocks of whole rows: where each block begins, and the rows found before it.

Rows are those of `LineSplitter`: each state of a progress bar is a row. A block is read again when
its rows are needed, so memory grows only by some bytes for each block.
"""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import islice

from sixdim.parsers.text.lines import Line, LineSplitter
from sixdim.parsers.text.untrusted import clean, may_pile
from sixdim.tui.search.query import Pattern

BLOCK = 1 << 18
"""The size of a block in bytes, unless it is a single longer row."""
_MOST_SPANS = 100
"""Most marked places of a row."""


class Index:
    """The rows of a log, as far as they were searched.

    Args:
        read: Returns bytes of the log; its arguments are an offset and a size.
        line: The number of the first line.
        only: The pattern of displayed rows; None for every row.
        wanted: The pattern that is searched among the displayed rows; None for nothing.

    Attributes:
        line: The number of a line at, or not far before, the line that is compared now.
        scanned: The number of bytes that were searched.
        displayed: The number of rows with `only`, if there is that pattern.
        hits: The number of displayed rows with `wanted`.
    """

    def __init__(
        self,
        read: Callable[[int, int], bytes],
        line: int,
        only: Pattern | None,
        wanted: Pattern | None,
    ) -> None:
        self._read = read
        self._only = only
        self._wanted = wanted
        self.line = line
        self.scanned = self.displayed = self.hits = 0
        self._ended = False
        self._in_line = False  # whether the searched part ends within a line
        # Where each block begins, and the rows found before it; the last entry is the next block's.
        self._offsets = array("q", [0])
        self._numbers = array("q", [line])
        self._displayed = array("q", [0])
        self._hits = array("q", [0])

    @property
    def lines(self) -> int:
        """The number of lines that were searched."""
        return self._numbers[-1] - self._numbers[0] + self._in_line

    # Searching

    def advance(self, limit: int, ended: bool) -> bool:
        """Searches one more block.

        Args:
            limit: Bytes of the log that exist.
            ended: Whether the last row may lack its newline.

        Returns:
            Whether there was a whole row before the limit.
        """
        begin = self.scanned
        if begin >= limit or self._ended:
            return False
        end = self._end_of_block(begin, limit)
        if end is None:
            if not ended:
                return False
            end, self._ended = limit, True
        data = self._read(begin, min(BLOCK, end - begin))
        is_one_row = end - begin > BLOCK
        displayed, hits = self._count(data, begin, end) if self._only or self._wanted else (0, 0)
        last = self._read(end - 1, 1)
        breaks = (last if is_one_row else data).count(b"\n")
        self._in_line = last != b"\n"
        self.scanned, self.displayed, self.hits = end, self.displayed + displayed, self.hits + hits
        self._offsets.append(end)
        self._numbers.append(self._numbers[-1] + breaks)
        self._displayed.append(self.displayed)
        self._hits.append(self.hits)
        return True

    def _count(self, data: bytes, begin: int, end: int) -> tuple[int, int]:
        """Returns the displayed rows (0 without a filter) and the hits between two offsets."""
        self.line = self._numbers[-1]
        if len(data) == end - begin:
            text = cleaned(data)
            first = self._only or self._wanted
            if first is None or not first.may_be_in(text):
                return 0, 0
            rows = [row for row in text.split("\n") if row and first.finds(row)]
            rows = [row for row in rows if not row.isspace()]
        else:
            rows = [row.text for row in self._rows(begin, end, self.line)]
        hits = sum(map(self._wanted.finds, rows)) if self._wanted is not None else 0
        return (len(rows) if self._only is not None else 0), hits

    def _end_of_block(self, begin: int, limit: int) -> int | None:
        """Returns the end of the last whole row of a block; None if there is none."""
        data = self._read(begin, min(BLOCK, limit - begin))
        size = max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
        if size:
            return begin + size
        offset = begin + len(data)
        while offset < limit and (data := self._read(offset, min(BLOCK, limit - offset))):
            ends = [at for at in (data.find(b"\n"), data.find(b"\r")) if at >= 0]
            if ends:
                return offset + min(ends) + 1
            offset += len(data)
        return None

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Returns (begin, end) of the matches in a text: of `wanted`, or of `only` without it."""
        pattern = self._wanted or self._only
        if pattern is None:
            return []
        found = islice(pattern.expression.finditer(text), _MOST_SPANS)
        return [match.span() for match in found if match.end() > match.start()]

    # Rows

    def forward(self, offset: int, *, hits: bool = False) -> Iterator[Line]:
        """Yields displayed rows, or hits, that begin at an offset or after it."""
        for block in range(self._block_at(offset), len(self._offsets) - 1):
            for row in self._found_in(block, hits):
                if row.offset >= offset:
                    yield row

    def backward(self, offset: int, *, hits: bool = False) -> Iterator[Line]:
        """Yields displayed rows, or hits, that begin before an offset, the last first."""
        last = min(self._block_at(offset), len(self._offsets) - 2)
        for block in range(last, -1, -1):
            for row in reversed(self._found_in(block, hits)):
                if row.offset < offset:
                    yield row

    def offset_of(self, number: int) -> int | None:
        """Returns the offset of a line, or of the next displayed one; None if not searched yet."""
        if number >= self._numbers[-1] + self._in_line:
            return None
        block = max(0, bisect_right(self._numbers, number - 1) - 1)
        rows = self.forward(self._offsets[block])
        return next((row.offset for row in rows if row.number >= number), self.scanned)

    def rank(self, hit: Line) -> int:
        """Returns the position of a hit among all hits, from 1."""
        block = self._block_at(hit.offset)
        return self._hits[block] + sum(r.offset <= hit.offset for r in self._found_in(block, True))

    def _block_at(self, offset: int) -> int:
        return max(0, bisect_right(self._offsets, offset) - 1)

    def _found_in(self, block: int, hits: bool) -> list[Line]:
        """Returns displayed rows of a block, or its hits; a block without any is not read."""
        counts = self._hits if hits else self._displayed
        if (hits or self._only is not None) and counts[block] == counts[block + 1]:
            return []
        begin, end = self._offsets[block], self._offsets[block + 1]
        rows, wanted = self._rows(begin, end, self._numbers[block]), self._wanted
        return [row for row in rows if not hits or (wanted and wanted.finds(row.text))]

    def _rows(self, begin: int, end: int, number: int) -> Iterator[Line]:
        """Yields displayed rows between the offsets of two rows."""
        for row in self._all_rows(begin, end, number):
            self.line = row.number
            if self._only is None or self._only.finds(row.text):
                yield row

    def _all_rows(self, begin: int, end: int, number: int) -> Iterator[Line]:
        splitter = LineSplitter()
        splitter.number, splitter.offset = number, begin
        for offset in range(begin, end, BLOCK):
            yield from splitter.feed(self._read(offset, min(BLOCK, end - offset)))
        yield from splitter.flush()


def cleaned(data: bytes) -> str:
    """Returns the text of whole rows as it is displayed, each with a newline."""
    text = data.decode("utf-8", "replace").replace("\r", "\n")
    visible = text.replace("\n", "").replace("\t", "")
    if visible.isprintable() and not may_pile(text):
        return text
    return "\n".join(map(clean, text.split("\n")))
