"""Decides which part of a log is displayed: its end, around a line, or around a match."""

from collections import deque
from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Literal, TypeAlias

from sixdim.parsers.text.lines import Line
from sixdim.tui.search.index import Index
from sixdim.tui.search.page import PageRow, SearchPage

ABOVE = 3
"""One row in three of the screen is above a requested row."""
MOST_TEXT = 2000
"""The most displayed characters of a row."""
BEFORE = 500
"""The most of these characters before the first match."""
MOST_WAITING = 100
"""The most orders that wait until enough of the log was searched."""


Order: TypeAlias = Literal["grow", "resize", "follow", "move", "show_from", "go_to", "find"]
"""Orders to a search, with the meaning of their numbers.

- `grow`: the bytes of the log, and 1 once it has ended.
- `resize`: the number of displayed rows.
- `follow`: go to the end, and stay there.
- `move`: scroll by a number of rows, down or up.
- `show_from`: display the rows from a line on.
- `go_to`: display the first of some lines and those around it, and mark all of them.
- `find`: display the next match (1) or the previous one (-1), and wrap around.
"""


class Pager:
    """Chooses the rows to display; an order waits until enough of the log was searched."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._height = 1
        self._top = 0
        self._at_end = True
        self._requested: int | None = None  # offset of the requested row, until another order
        self._reference: int | None = None  # offset from which the next match is searched
        self._marked: frozenset[int] = frozenset()
        self._rank = 0
        self._wrapped = False
        self._waiting: deque[Callable[..., bool]] = deque(maxlen=MOST_WAITING)
        self._changed = True

    def order(self, name: Order, *values: int) -> None:
        """Carries out an order now, or once enough of the log was searched."""
        if name == "resize":
            self._resize(max(1, *values))
        elif name == "follow":
            self._waiting.clear()
            self._at_end, self._changed = True, True
            self._requested = self._reference = None
        else:
            self._waiting.append(partial(getattr(self, f"_{name}"), *values))

    # What is displayed

    def page(self, share: float, grown: bool) -> SearchPage:
        """Returns the present page.

        Args:
            share: The share of the log that was searched.
            grown: Whether more was searched since the last call.
        """
        done = share == 1.0
        while self._waiting and self._waiting[0](done=done):
            self._waiting.popleft()
        index = self._index
        rows = None
        if not self._waiting and (self._changed or (grown and self._at_end)):
            rows = self._rows(done)
        counts = index.lines, index.displayed, index.hits
        return SearchPage(share, *counts, self._rank, self._wrapped, self._at_end, rows)

    def _rows(self, done: bool) -> tuple[PageRow, ...]:
        index, height = self._index, self._height
        if self._at_end:
            found = [*islice(index.backward(index.scanned), height)][::-1]
        else:
            found = [*islice(index.forward(self._top), height)]
            if len(found) < height and done:
                above = islice(index.backward(self._top), height - len(found))
                found = [*above][::-1] + found
        if found:
            self._top = found[0].offset
        # A page that is not full is filled with new rows.
        self._changed = len(found) < height and not done
        return tuple(map(self._row, found))

    def _row(self, row: Line) -> PageRow:
        spans, begin = self._index.spans(row.text), 0
        text = row.text
        if spans and spans[0][1] > MOST_TEXT:
            begin = spans[0][0] - BEFORE
            text = "…" + text[begin + 1 :]
        if len(text) > MOST_TEXT:
            text = text[: MOST_TEXT - 1] + "…"
        inside = ((a - begin, min(b - begin, MOST_TEXT)) for a, b in spans if a - begin < MOST_TEXT)
        current = row.offset == self._reference or row.number in self._marked
        return PageRow(row.number, text, tuple(inside), current)

    def _resize(self, height: int) -> None:
        self._height, self._changed = height, True
        if self._requested is not None:  # a panel has its height only after it was asked for a row
            reference = self._reference
            self._show(self._requested)
            self._reference = reference

    # Each returns whether the order was carried out; if not, it waits until more was searched.

    def _move(self, rows: int, *, done: bool) -> bool:
        index = self._index
        if rows < 0:
            if self._at_end and not done:
                return False
            found = [*islice(index.backward(self._top), -rows)]
            self._place(found[-1].offset if found else self._top)
            return True
        if self._at_end:
            return True
        found = [*islice(index.forward(self._top), rows + self._height)]
        if len(found) < rows + self._height:
            if not done:
                return False
            self._at_end, self._changed, self._requested = True, True, None
        else:
            self._place(found[rows].offset)
        return True

    def _show_from(self, number: int, *, done: bool) -> bool:
        offset = self._offset_of(number, done)
        if offset is not None:
            self._place(offset)
        return offset is not None

    def _go_to(self, *numbers: int, done: bool) -> bool:
        offset = self._offset_of(numbers[0], done)
        if offset is None:
            return False
        self._marked = frozenset(numbers)
        self._show(offset)
        return True

    def _find(self, direction: int, *, done: bool) -> bool:
        index, here = self._index, self._reference
        if here is None and self._at_end:
            if not done:
                return False
            here = index.scanned
        elif here is None:
            here = self._top - 1 if direction > 0 else self._bottom() + 1
        look = index.forward if direction > 0 else index.backward
        hit = next(look(here + (direction > 0), hits=True), None)
        self._wrapped = hit is None
        if hit is None and done:
            hit = next(look(0 if direction > 0 else index.scanned, hits=True), None)
        if hit is None:
            return done
        self._rank = index.rank(hit)
        self._show(hit.offset)
        self._reference = hit.offset
        return True

    def _offset_of(self, number: int, done: bool) -> int | None:
        offset = self._index.offset_of(number)
        return self._index.scanned if offset is None and done else offset

    def _show(self, offset: int) -> None:
        """Displays a row with some rows above it."""
        above = [*islice(self._index.backward(offset), self._height // ABOVE)]
        self._place(above[-1].offset if above else offset)
        self._requested = offset

    def _place(self, top: int) -> None:
        self._top, self._at_end, self._changed = top, False, True
        self._requested = self._reference = None

    def _bottom(self) -> int:
        rows = [*islice(self._index.forward(self._top), self._height)]
        return rows[-1].offset if rows else self._top
