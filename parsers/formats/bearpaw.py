"""The `log.txt` of pytorch-classification (bearpaw) and its descendants: a table of epochs."""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import Event, RunStart
from sixdim.parsers.grammar.shape import Fields
from sixdim.parsers.grammar.table import Row, Table
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.csv_reader import CsvReader
from sixdim.parsers.statements.epoch_record import EpochRecord, Figure
from sixdim.parsers.text.lines import Line

# Column names of the family, in lower case without dots, and the metric each is.
_EVALUATED = {
    "valid loss": "loss",
    "val loss": "loss",
    "test loss": "loss",
    "valid acc": "acc1",
    "val acc": "acc1",
    "test acc": "acc1",
    "valid acc5": "acc5",
    "val acc5": "acc5",
}
_EPOCH = "epoch"


def _plain(column: str) -> str:
    return column.lower().replace(".", "")


def _told(column: str) -> Figure | None:
    plain = _plain(column)
    if plain == _EPOCH:
        return None
    name = _EVALUATED.get(plain)
    return (
        Figure("raw", name, "%" if name.startswith("acc") else "") if name else Figure("", column)
    )


_RECORD = EpochRecord(_told, counted=True, restarts=False)


class Bearpaw(CsvReader):
    """Reads one table.

    The table of the original has no epoch column; its rows are then counted from 1.
    """

    name = "bearpaw"
    title = "pytorch-classification log.txt (TSV)"
    example = "Learning Rate\tTrain Loss\tValid Loss\tTrain Acc.\tValid Acc.\t"
    unread = (
        "times (the table has none); precision, recall and other columns of descendants are "
        "figures of the epoch, not evaluations"
    )

    separator = "\t"
    row = Statement(Row((), separator), _RECORD.read, 0.0, "epoch")

    def _below(self, columns: list[str]) -> Statement:
        """As `CsvReader._below`; a row has as many cells as there are columns."""
        epoch = next((column for column in columns if _plain(column) == _EPOCH), _EPOCH)
        record = _RECORD._replace(epoch=epoch)
        shape = Row(tuple(column for column in columns if column), self.separator, full=True)
        return self.row._replace(shape=shape, emit=record.read)

    def _header(self, line: Line, f: Fields) -> Iterator[Event]:
        self.rows = 0
        yield RunStart(line.origin())

    statements = (
        Statement(
            Table(required=("Learning Rate", "Train Loss"), columns=3), _header, 2.0, "header"
        ),
        Statement(Table(required=("LR", "Train Loss"), columns=3), _header, 1.0, "header"),
        row,
    )
