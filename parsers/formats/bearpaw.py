"""The `log.txt` of pytorch-classification (bearpaw) and its descendants: a table of epochs.

The table of the original has no epoch column; its rows are then counted from 1.
"""

from sixdim.parsers.events import Event, Events, RunStart
from sixdim.parsers.grammar.shapes.figures import as_whole
from sixdim.parsers.grammar.shapes.shape import Fields
from sixdim.parsers.grammar.shapes.table import Row, Table
from sixdim.parsers.statements.csv_reader import CsvReader
from sixdim.parsers.statements.epoch_record import EpochRecord, Figure
from sixdim.parsers.statements.rows import line
from sixdim.parsers.statements.statement import Statement
from sixdim.parsers.text.lines import Line

_EVALUATED = {
    f"{split} {column}": metric
    for split in ("valid", "val", "test")
    for column, metric in (
        ("loss", ("loss", "")),
        ("acc", ("acc1", "%")),
        ("acc5", ("acc5", "%")),
    )
}
"""The metric and its unit of each column of an evaluation; see `_plain`."""
_EPOCH = "epoch"


def _plain(column: str) -> str:
    """Returns the name of a column in lower case, without dots."""
    return column.lower().replace(".", "")


def _figure_of(column: str) -> Figure | None:
    plain = _plain(column)
    if plain == _EPOCH:
        return None
    return Figure("raw", *_EVALUATED[plain]) if plain in _EVALUATED else Figure("", column)


def _figure_of_poses(column: str) -> Figure | None:
    figure = _figure_of(column)
    return figure._replace(name="acc", unit="") if figure and figure.name == "acc1" else figure


_RECORD, _RECORD_OF_POSES = EpochRecord(_figure_of), EpochRecord(_figure_of_poses)
"""pytorch-pose's accuracy is the share of key points, as a fraction; its header says `LR`."""


class Bearpaw(CsvReader):
    name = "bearpaw"
    title = "pytorch-classification log.txt (TSV)"
    example = "Learning Rate\tTrain Loss\tValid Loss\tTrain Acc.\tValid Acc.\t"
    unread = (
        "times (the table has none); precision, recall and other columns of descendants are "
        "figures of the epoch, not evaluations"
    )

    separator = "\t"

    def __init__(self) -> None:
        self._label = _EPOCH
        self._rows = 0
        self._record = _RECORD

    @line(Table(required=("Learning Rate", "Train Loss"), columns=3), 3.0, "table header")
    @line(Table(required=("LR", "Train Loss"), columns=3), 3.0, "table header")
    def _header(self, line: Line, f: Fields) -> Events:
        self._rows = 0
        self._record = _RECORD_OF_POSES if "LR" in f["cells"] else _RECORD
        return (RunStart(line.origin()),)

    def _epoch(self, line: Line, f: Fields) -> list[Event]:
        self._rows += 1
        epoch = as_whole(f[self._label]) if self._label in f else self._rows
        return self._record.events(line.origin(), epoch, f, self.names)

    row = Statement(Row((), separator), _epoch, 0.0, "epoch")

    def _below(self, columns: list[str]) -> Statement:
        """As `CsvReader._below`; every row has a cell for each column."""
        self._label = next((column for column in columns if _plain(column) == _EPOCH), _EPOCH)
        shape = Row(tuple(column for column in columns if column), self.separator, full=True)
        return self.row._replace(shape=shape)
