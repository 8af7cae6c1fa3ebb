"""The `log.txt` of pytorch-classification (bearpaw) and its descendants: a table of epochs."""

from __future__ import annotations

from collections.abc import Iterator

from parsers.events import EpochEnd, Evaluation, Event, Metric, RunStart
from parsers.figures import as_number, lower_is_better
from parsers.format import Reader, Statement
from parsers.shape import Broken, Fields
from parsers.table import Table
from parsers.text import Line, label

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


class Bearpaw(Reader):
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

    def __init__(self) -> None:
        self._columns: list[str] = []
        self._rows = 0

    def recognise(self, line: Line) -> tuple[Statement, Fields | Broken] | None:
        """As `Reader.recognise`; a row counts only under a header of as many columns."""
        known = super().recognise(line)
        if known is None or isinstance(known[1], Broken) or known[0].what == "header":
            return known
        return known if len(known[1]["cells"]) == len(self._columns) else None

    def _header(self, line: Line, f: Fields) -> Iterator[Event]:
        self._columns = [label(cell, 40) for cell in f["cells"] if cell]
        self._rows = 0
        yield RunStart(line.origin())

    def _row(self, line: Line, f: Fields) -> Iterator[Event]:
        self._rows += 1
        epoch: int | None = self._rows
        metrics: list[Metric] = []
        values: list[Metric] = []
        for column, cell in zip(self._columns, f["cells"], strict=True):
            plain, value = column.lower().replace(".", ""), as_number(cell)
            if value is None:
                continue
            if plain == _EPOCH:
                epoch = int(value) if value.is_integer() else None
            elif plain in _EVALUATED:
                name = _EVALUATED[plain]
                unit = "%" if name.startswith("acc") else ""
                metrics.append(Metric(name, value, unit, not lower_is_better(name)))
            else:
                values.append(Metric(column, value, higher_is_better=not lower_is_better(column)))
        at = line.origin()
        if metrics:
            yield Evaluation(at, tuple(metrics), epoch)
        yield EpochEnd(at, epoch, values=tuple(values))

    statements = (
        Statement(
            Table(required=("Learning Rate", "Train Loss"), columns=3), _header, 2.0, "header"
        ),
        Statement(Table(required=("LR", "Train Loss"), columns=3), _header, 1.0, "header"),
        Statement(Table(columns=3, numeric=True), _row, 0.0, "epoch"),
    )
