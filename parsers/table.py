"""A shape of lines: a row of a table whose header line named the columns."""

from __future__ import annotations

from parsers.holes import NUMBER_CELL
from parsers.shape import Broken, Fields


class Table:
    """A row of a table whose header line named the columns.

    The header is a shape of its own (the reader remembers it); this one cuts a row.

    Args:
        delimiter: Column separator; None for any run of blanks.
        columns: Least number of columns.
        required: Cells that must be among them: what makes a line a header.
        numeric: Whether every cell must be a number or empty: what makes a line a row.
    """

    def __init__(
        self,
        *,
        delimiter: str | None = "\t",
        columns: int = 2,
        required: tuple[str, ...] = (),
        numeric: bool = False,
    ) -> None:
        self.delimiter = delimiter
        self.columns = columns
        self.required = required
        self.numeric = numeric
        self.anchor = self.clue = ""

    def begins(self, text: str) -> bool:
        """See `Shape.begins`: nothing tells."""
        return False

    def match(self, text: str) -> Fields | Broken | None:
        """The cells under `cells`, where there are enough of them."""
        cells = [cell.strip() for cell in text.split(self.delimiter)]
        if len(cells) < self.columns or any(name not in cells for name in self.required):
            return None
        if self.numeric and not all(NUMBER_CELL.fullmatch(cell) for cell in cells):
            return None
        return {"cells": cells}
