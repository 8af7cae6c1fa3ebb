"""Shapes of lines: the header of a table, and a row below it."""

from sixdim.parsers.grammar.shapes.holes import number
from sixdim.parsers.grammar.shapes.shape import Broken, Fields, Unanchored


class Table(Unanchored):
    """The header of a table, or a line with the same layout.

    Args:
        delimiter: Column separator; None for any run of blanks.
        columns: Least number of columns.
        required: Cells that the header must have.
    """

    def __init__(
        self,
        *,
        delimiter: str | None = "\t",
        columns: int = 2,
        required: tuple[str, ...] = (),
    ) -> None:
        self.delimiter = delimiter
        self.columns = columns
        self.required = required
        self.clue = max(required, key=len, default="")

    def match(self, text: str) -> Fields | Broken | None:
        """Returns the list of cells under `cells`; None if there are too few."""
        if self.clue not in text:
            return None
        cells = [cell.strip() for cell in text.split(self.delimiter)]
        if len(cells) < self.columns or any(name not in cells for name in self.required):
            return None
        return {"cells": cells}


class Row(Unanchored):
    """A row of numbers and empty cells.

    Args:
        columns: Their names, as the header has them.
        delimiter: Column separator.
        full: Whether a row must have a cell for every column; else it may have fewer.
    """

    def __init__(self, columns: tuple[str, ...], delimiter: str, *, full: bool = False) -> None:
        self.columns = columns
        self.delimiter = delimiter
        self.full = full

    @property
    def clue(self) -> str:  # type: ignore[override]  # depends on the columns
        """See `Shape.clue`; a row without columns matches no line, and no line has a newline."""
        return self.delimiter if self.columns else "\n"

    def match(self, text: str) -> Fields | Broken | None:
        """Returns the numbers by column, without empty cells and numbers too large for a double."""
        least = len(self.columns) if self.full else 2
        if not least <= text.count(self.delimiter) + 1 <= len(self.columns) or "_" in text:
            return None  # Python reads 1_000, no log means it
        cells = text.split(self.delimiter)
        try:
            values = list(map(float, cells))
        except ValueError:
            return self._match_sparse(cells)
        total = sum(values)
        if total - total != 0:  # one is not finite
            return self._match_sparse(cells)
        return dict(zip(self.columns, values, strict=False))

    def _match_sparse(self, cells: list[str]) -> Fields | None:
        """As `match`, for a row with a cell that is empty or not finite."""
        out = {}
        try:
            for name, cell in zip(self.columns, cells, strict=False):
                if cell and not cell.isspace():
                    value = float(cell)
                    if value - value == 0 or not cell.strip(" \t+-")[:1].isdigit():
                        out[name] = value
        except ValueError:
            return None
        return out


class WordRow(Row):
    """A row that may also have texts, in quotes or not; only its finite numbers are read."""

    def match(self, text: str) -> Fields | Broken | None:
        """As `Row.match`; the row has a cell for every column."""
        from csv import Error, reader  # most logs need neither

        try:
            cells = next(reader([text], delimiter=self.delimiter)) if self.columns else []
        except Error:  # a cell is too long
            return None
        if not cells or len(cells) != len(self.columns):
            return None
        out = {}
        for name, cell in zip(self.columns, cells, strict=True):
            try:
                value = number(cell)
            except ValueError:
                continue
            if value - value == 0:
                out[name] = value
        return out
