"""The answers of the process that searches a log: counts, and the rows to display."""

from typing import NamedTuple


class PageRow(NamedTuple):
    """One row of the log, with the number of its line.

    Attributes:
        text: Clean text; a part of a very long row, with an ellipsis where it is cut.
        spans: (begin, end) of the marked places of the text.
        current: Whether it is the current match, or one of the requested lines.
    """

    number: int
    text: str
    spans: tuple[tuple[int, int], ...] = ()
    current: bool = False


class SearchPage(NamedTuple):
    """The state of a search.

    Attributes:
        share: The share of the log that was searched, 0 to 1.
        lines: The number of lines searched.
        displayed: The number of rows with the pattern of the filter; 0 without a filter.
        hits: The number of rows found.
        rank: The position of the current row among the hits, from 1; 0 for none.
        wrapped: Whether the search wrapped around the end, or the beginning, of the log.
        at_end: Whether the page stays at the end of the log.
        rows: The rows to display; None if they have not changed.
        error: Why the search ended, in one line.
    """

    share: float = 0.0
    lines: int = 0
    displayed: int = 0
    hits: int = 0
    rank: int = 0
    wrapped: bool = False
    at_end: bool = False
    rows: tuple[PageRow, ...] | None = None
    error: str = ""
