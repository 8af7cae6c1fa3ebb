"""Converts lines of the log to rows of cells: number, text, and marked places."""

from collections.abc import Sequence

from sixdim.tui.screen.widgets.cells import Row, Span, crop_row
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.text import cells_of, shorten
from sixdim.tui.search.page import PageRow

_LEAST_GUTTER = 6


def latest_rows(lines: Sequence[tuple[int, str]], width: int) -> list[Row]:
    """Returns the rows of the latest lines."""
    gutter = _gutter([number for number, _ in lines])
    return [
        [Span(f"{number:>{gutter}}  ", Role.DIM), Span(shorten(text, width - gutter - 2))]
        for number, text in lines
    ]


def page_rows(rows: Sequence[PageRow], width: int, *, follow: bool) -> list[Row]:
    """Returns the rows of a page of the log; `>` marks the lines that were requested.

    Args:
        rows: The page.
        width: Cells of the panel.
        follow: Whether of a long row the part with the first marked place is displayed.
    """
    gutter = _gutter([row.number for row in rows])
    made: list[Row] = []
    for row in rows:
        head = Span(f"{row.number:>{gutter}}  ", Role.DIM)
        if row.current:
            head = Span(f"{row.number:>{gutter}}> ", Role.FOCUS)
        made.append([head, *_marked(row, width - gutter - 2, follow)])
    return made


def _gutter(numbers: Sequence[int]) -> int:
    return max(_LEAST_GUTTER, len(str(max(numbers, default=0))))


def _marked(row: PageRow, width: int, follow: bool) -> list[Span]:
    """Returns a text with its marked places."""
    text, spans, begin = row.text, row.spans, 0
    if follow and spans and cells_of(text[: spans[0][1]]) >= width:
        # In the middle, unless the text ends before the panel does.
        begin = max(0, min(spans[0][0] - width // 2, len(text) - width + 1))
    parts = [Span("…")] if begin else []
    at = begin
    for first, last in spans:
        parts += [Span(text[at:first]), Span(text[first:last], Role.MATCH)]
        at = last
    return crop_row([part for part in (*parts, Span(text[at:])) if part.text], width)
