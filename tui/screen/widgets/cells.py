"""Rows of cells, and the widget that repaints only the cells that changed.

Textual repaints whole widgets; over SSH that is a hundred times the bytes of what changed. A
`CellPanel` compares the cells with those it painted before, and refreshes the changed ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, repeat
from operator import itemgetter
from typing import ClassVar, Protocol, TypeAlias

from rich.cells import set_cell_size
from rich.segment import Segment
from textual import events
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.text import ELLIPSIS, cells_of, plain, shorten, wrap
from sixdim.tui.screen.widgets.theme import has_few_colours, style_of

JOIN_GAP = 5
"""Unchanged cells between two changed runs that cost less to send than a cursor movement."""


@dataclass(frozen=True, slots=True)
class Span:
    """A text in one style.

    Attributes:
        text: Displayed literally: markup is never read, control characters never pass.
        role: What the text is; the theme turns it into a colour.
        band: Whether it stands on the shaded band of a chart.
        action: What a click on it does.
    """

    text: str
    role: Role = Role.TEXT
    band: bool = False
    action: str = ""

    def __post_init__(self) -> None:
        """Removes unprintable characters: all text on the screen passes through here."""
        if not self.text.isascii() or not self.text.isprintable():
            object.__setattr__(self, "text", plain(self.text))


Row: TypeAlias = Sequence[Span]
Cell: TypeAlias = tuple[str, Role, bool, str]
"""Character (empty for the right half of a wide one), role, band, action."""

BLANK: Cell = (" ", Role.TEXT, False, "")


def row_width(row: Row) -> int:
    """Returns the width of a row in cells."""
    return sum([cells_of(span.text) for span in row])


def spaced(spans: Iterable[Span], gap: str) -> list[Span]:
    """Returns the spans with a gap between each two."""
    return [part for span in spans for part in (Span(gap), span)][1:]


def hanging(head: Span, text: str, width: int, most: int) -> list[Row]:
    """Returns a text in at most so many rows, a head before the first one and blanks below it."""
    blank = Span(" " * cells_of(head.text), head.role)
    pieces = enumerate(wrap(text, width, most))
    return [[blank if number else head, Span(piece)] for number, piece in pieces]


def crop_row(row: Row, width: int) -> list[Span]:
    """Returns the spans of a row up to a width; if text is cut off, it ends with an ellipsis."""
    fitted: list[Span] = []
    for number, span in enumerate(row):
        size = cells_of(span.text)
        text = span.text
        if size == width and any(after.text.strip() for after in row[number + 1 :]):
            text += f" {ELLIPSIS}"
        if cells_of(text) > width:
            fitted.append(replace(span, text=set_cell_size(shorten(text, width), width)))
            break
        fitted.append(span)
        width -= size
    return fitted


def to_cells(row: Row, width: int) -> tuple[Cell, ...]:
    """Returns exactly `width` cells: a short row is filled with blanks, a long one is cut."""
    cells: list[Cell] = []
    for span in row:
        text = span.text
        tail = (span.role, span.band, span.action)
        if text.isascii():
            cells.extend(zip(text, *map(repeat, tail), strict=False))
            continue
        for char in text:
            size = cells_of(char)
            if size == 0 and cells:
                cells[-1] = (cells[-1][0] + char, *cells[-1][1:])
            elif size:
                cells.append((char, *tail))
                cells.extend(("", *tail) for _ in range(size - 1))
    if len(cells) > width:
        if cells[width][0] == "":
            cells[width - 1] = BLANK  # half of a wide character
        del cells[width:]
    cells.extend([BLANK] * (width - len(cells)))
    return tuple(cells)


def changed_runs(old: Sequence[Cell], new: Sequence[Cell]) -> Iterable[tuple[int, int]]:
    """Yields (start, length) of the runs of cells that differ, close neighbours joined."""
    start = end = -1
    for column, (before, after) in enumerate(zip(old, new, strict=True)):
        if before == after:
            continue
        if start < 0:
            start = column
        elif column - end > JOIN_GAP:
            yield start, end - start
            start = column
        end = column + 1
        while end < len(new) and new[end][0] == "":
            end += 1  # with the other half of a wide character
    if start >= 0:
        yield start, end - start


def _runs(cells: Sequence[Cell]) -> Iterable[tuple[str, Role, bool]]:
    for (role, band), run in groupby(cells, key=itemgetter(1, 2)):
        yield "".join([cell[0] for cell in run]), role, band


class Writer(Protocol):
    """Writes changed cells to the terminal without Textual."""

    def take(self, panel: CellPanel, regions: Sequence[Region]) -> bool:
        """Takes the changed cells of a panel; returns false where Textual must paint them."""


class CellPanel(Widget):
    """A widget whose cells are a pure function of its data and its size."""

    DEFAULT_CSS = "CellPanel { width: 1fr; height: 1fr; }"
    ALLOW_SELECT: ClassVar[bool] = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.writer: Writer | None = None
        """Writes changed cells without Textual; None if Textual writes all."""
        self._painted: tuple[tuple[Cell, ...], ...] = ()
        self._painted_width = -1
        self._rows: dict[tuple[Span, ...], tuple[Cell, ...]] = {}

    def paint(self, width: int, height: int) -> Sequence[Row]:
        """Returns the rows of this panel; at most `height` of them are displayed."""
        raise NotImplementedError

    def repaint(self) -> list[Region]:
        """Paints again, and refreshes the cells that changed.

        Returns:
            The regions asked for; empty when nothing changed or nothing is visible.
        """
        size = self.size
        if not self.is_mounted or not self.display or not size:
            self._painted_width = -1
            return []
        old, old_width = self._painted, self._painted_width
        new = self._paint_anew(size)
        if len(old) != len(new) or old_width != size.width:
            self.refresh()
            return [size.region]
        regions = [
            Region(start, y, length, 1)
            for y, (before, after) in enumerate(zip(old, new, strict=True))
            if before != after
            for start, length in changed_runs(before, after)
        ]
        if regions and not (self.writer and self.writer.take(self, regions)):
            self.refresh(*regions)
        return regions

    def text(self) -> list[str]:
        """Returns the painted cells, as plain text."""
        return ["".join(cell[0] for cell in row) for row in self._current()]

    def render_line(self, y: int) -> Strip:
        """Renders a line, for Textual."""
        rows = self._current()
        width = self.size.width
        if y >= len(rows):
            return Strip.blank(width)
        theme, few = self.app.theme, has_few_colours(self.app.console)
        segments = [
            Segment(text, style_of(theme, role, band, few)) for text, role, band in _runs(rows[y])
        ]
        return Strip(segments, width)

    def runs(self, y: int, begin: int, end: int) -> Iterable[tuple[str, Role, bool]]:
        """Returns painted cells of a row as (text, role, band)."""
        return _runs(self._painted[y][begin:end])

    async def on_click(self, event: events.Click) -> None:
        """Runs the action of the span under the pointer."""
        rows = self._current()
        if 0 <= event.y < len(rows) and 0 <= event.x < len(rows[event.y]):
            action = rows[event.y][event.x][3]
            if action:
                event.stop()
                await self.run_action(f"app.{action}")

    def _current(self) -> tuple[tuple[Cell, ...], ...]:
        size = self.size
        if (self._painted_width, len(self._painted)) != size:
            self._paint_anew(size)
        return self._painted

    def _paint_anew(self, size: Size) -> tuple[tuple[Cell, ...], ...]:
        width, height = size
        rows = [tuple(row) for row in self.paint(width, height)][:height]
        rows.extend([()] * (height - len(rows)))
        # Most rows were on the panel before, at the same place or another: a log scrolls.
        before = self._rows if self._painted_width == width else {}
        self._rows = {}
        for row in rows:
            self._rows[row] = before.get(row) or self._rows.get(row) or to_cells(row, width)
        self._painted = tuple(self._rows[row] for row in rows)
        self._painted_width = width
        return self._painted


class Drawing(CellPanel):
    """A widget whose rows are a function of its size that it is given."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self._draw: Callable[[int, int], Sequence[Row]] = lambda width, height: ()

    def show(self, draw: Callable[[int, int], Sequence[Row]]) -> None:
        """Shows the rows that a function of width and height returns."""
        self._draw = draw
        self.repaint()

    def paint(self, width: int, height: int) -> Sequence[Row]:
        """Returns the rows."""
        return self._draw(width, height)


class WholeRows(CellPanel):
    """A widget that is as high as all rows of a width, for a container that scrolls."""

    DEFAULT_CSS = "WholeRows { height: auto; }"

    def __init__(self, rows: Callable[[int], list[Row]]) -> None:
        super().__init__()
        self._all_rows = rows

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Returns the number of all rows."""
        return len(self._all_rows(width))

    def paint(self, width: int, height: int) -> list[Row]:
        """Returns all rows."""
        return self._all_rows(width)
