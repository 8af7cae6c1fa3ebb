"""The small tables NGC MXNet's runner prints at the end: one figure by devices and batch.

A name (`train.ips`), a line of batch sizes (`|    128    |    256    |`), a rule, and a line for
each number of devices (`8     |   9100.5  |   9911.0  |`).
"""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import Metric, Summary
from sixdim.parsers.grammar.shapes.holes import number
from sixdim.parsers.grammar.shapes.shape import Fields
from sixdim.parsers.grammar.shapes.skeleton import Skeleton
from sixdim.parsers.statements.statement import Emit, Statement
from sixdim.parsers.text.lines import Line


def rows(weight: float) -> tuple[Statement, ...]:
    """Returns the table's statements, for a reader whose `closing_table` is a `ClosingTable`.

    `weight` is the weight of the line with the name.
    """
    return (
        Statement(Skeleton("train.{name:word}"), _of("name"), weight, "closing table"),
        Statement(Skeleton("|{columns:text}"), _of("head"), 0.0, "closing table"),
        Statement(Skeleton("{devices:int} |{cells:text}"), _of("row"), 0.0, "closing table"),
    )


def _of(method: str) -> Emit:
    return lambda reader, line, fields: getattr(reader.closing_table, method)(line, fields)


class ClosingTable:
    """Remembers the name and the columns of the table being printed."""

    def __init__(self) -> None:
        self._name = ""
        self._columns: list[str] = []

    def name(self, line: Line, fields: Fields) -> Iterator[Summary]:
        """Reads the line that names the figure; yields nothing."""
        self._name, self._columns = "train." + fields["name"], []
        return iter(())

    def head(self, line: Line, fields: Fields) -> Iterator[Summary]:
        """Reads the line of batch sizes; yields nothing."""
        self._columns = _cells(fields["columns"])
        return iter(())

    def row(self, line: Line, fields: Fields) -> Iterator[Summary]:
        """Yields a line's figures, each under its plain name and under `name[devices,batch]`."""
        cells = _cells(fields["cells"])
        if not self._name or len(cells) != len(self._columns):
            return
        unit = "img/s" if self._name.endswith("ips") else "s"
        for column, cell in zip(self._columns, cells, strict=True):
            try:
                value = number(cell)
            except ValueError:
                continue
            names = (self._name, f"{self._name}[{fields['devices']},{column}]")
            yield Summary(
                line.origin(), tuple(Metric(name, value, unit, unit != "s") for name in names)
            )


def _cells(text: str) -> list[str]:
    return text.replace("|", " ").split()
