"""Formats that are a table: its header names the columns of the rows below."""

from typing import ClassVar

from sixdim.parsers.events import Events
from sixdim.parsers.grammar.shapes.shape import Broken, Match
from sixdim.parsers.grammar.shapes.table import Row, Table
from sixdim.parsers.statements.epoch_record import EpochReader
from sixdim.parsers.statements.rows import Rows, ignored
from sixdim.parsers.statements.statement import Respond, Statement, responder
from sixdim.parsers.text.lines import Line, label


def headers(*required: tuple[str, ...], columns: int, weight: float, delimiter: str = ",") -> Rows:
    """States the headers of a table.

    Args:
        required: For each header, the columns that it must have.
        columns: Least number of columns.
        weight: See `Statement`.
        delimiter: What stands between two columns.
    """
    tables = (Table(delimiter=delimiter, columns=columns, required=names) for names in required)
    return ignored((*tables,), weight, "table header")


class CsvReader(EpochReader):
    """A table whose header names the columns; rows count only below a header.

    Class attributes:
        row: The statement of a row; its columns come from the header.
        row_shape: The shape of a row.
        separator: What stands between two cells.
    """

    row: ClassVar[Statement]
    row_shape: ClassVar[type[Row]] = Row
    separator: ClassVar[str] = ","
    _own_row: tuple[Match, Respond] | None = None

    def read(self, line: Line) -> Events | None:
        """As `Reader.read`; rows are read below a header."""
        if self._own_row is not None:
            match, respond = self._own_row
            cells = match(line.text.strip())
            if cells is not None:
                return respond(self, line, cells)
        known = self.recognise(line)
        if known is None:
            return None
        statement, fields = known
        if not isinstance(fields, Broken):
            below = self._below([label(cell, 60) for cell in fields["cells"]])
            self._own_row = below.shape.match, responder(below)
        return responder(statement)(self, line, fields)

    def _below(self, columns: list[str]) -> Statement:
        """Returns the statement of the rows below a header of these columns."""
        return self.row._replace(shape=self.row_shape(tuple(columns), self.separator))
