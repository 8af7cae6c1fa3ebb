"""Formats that are a table: its header names the columns of the rows below."""

from __future__ import annotations

from typing import ClassVar

from sixdim.parsers.events import Events
from sixdim.parsers.grammar.shapes.shape import Broken, Fields
from sixdim.parsers.grammar.shapes.table import Row
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.epoch_record import EpochReader
from sixdim.parsers.text.lines import Line, label


class CsvReader(EpochReader):
    """A table whose header names the columns; rows count only below a header.

    Class attributes:
        row: The statement of a row; its columns come from the header.
        separator: What stands between two cells.
    """

    row: ClassVar[Statement]
    separator: ClassVar[str] = ","
    _own_row: Statement | None = None

    def recognise(self, line: Line) -> tuple[Statement, Fields | Broken] | None:
        """As `Reader.recognise`; a row without a header is unknown."""
        if self.separator not in line.text:
            return None
        if self._own_row is not None:
            fields = self._own_row.shape.match(line.text.strip())
            if fields is not None:
                return self._own_row, fields
        known = super().recognise(line)
        if known is not None and not isinstance(known[1], Broken):
            self._own_row = self._below([label(cell, 60) for cell in known[1]["cells"]])
        return known

    def read(self, line: Line) -> Events | None:
        """As `Reader.read`, for the statement that `recognise` finds."""
        return self.respond(line, self.recognise(line))

    def _below(self, columns: list[str]) -> Statement:
        """Returns the statement of the rows below a header of these columns."""
        return self.row._replace(shape=Row(tuple(columns), self.separator))
