"""What the process that looks through a log says of it: counts, and the rows to display."""

from __future__ import annotations

import json
from typing import NamedTuple


class PageRow(NamedTuple):
    """One row of the log, with the number of its line.

    Attributes:
        text: Clean; of a very long row a part, with an ellipsis where it is cut.
        spans: (begin, end) in the text of what is marked.
        current: Whether it is where the search, or a jump, went.
    """

    number: int
    text: str
    spans: tuple[tuple[int, int], ...] = ()
    current: bool = False


class Page(NamedTuple):
    """Where the look through the log stands.

    Attributes:
        share: Of the log that was looked through, 0 to 1; 1 once all was.
        lines: Lines looked through.
        displayed: Rows that hold what all displayed rows must, where there is such a pattern.
        hits: Rows found.
        rank: Which of them, from 1, is the current one; 0 for none.
        went_round: Whether it was found beyond the end, or the beginning, of the log.
        at_end: Whether the page stays at the end of the log.
        rows: To display; None where those before still stand.
        error: Why the look ended, in one line.
    """

    share: float = 0.0
    lines: int = 0
    displayed: int = 0
    hits: int = 0
    rank: int = 0
    went_round: bool = False
    at_end: bool = False
    rows: tuple[PageRow, ...] | None = None
    error: str = ""

    def to_json(self) -> str:
        """One line of ASCII."""
        return json.dumps(self)

    @classmethod
    def from_json(cls, line: str | bytes) -> Page:
        """What `to_json` gave."""
        page = cls(*json.loads(line))
        if page.rows is None:
            return page
        rows = (
            PageRow(number, text, tuple((begin, end) for begin, end in spans), current)
            for number, text, spans, current in page.rows
        )
        return page._replace(rows=tuple(rows))
