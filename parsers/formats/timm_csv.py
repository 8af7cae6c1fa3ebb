"""timm's summary.csv: a row per epoch.

The file does not say whose evaluation a row is: with an averaged model timm writes that
one's figures, without one the raw model's.
"""

from __future__ import annotations

from collections.abc import Iterator

from parsers.events import EpochEnd, Evaluation, Event, RunStart
from parsers.figures import CsvReader, as_whole, figures
from parsers.format import Statement
from parsers.shape import Fields
from parsers.table import Table
from parsers.text import Line

_NAMES = {"eval_top1": ("acc1", "%"), "eval_top5": ("acc5", "%"), "eval_loss": ("loss", "")}


class TimmCsv(CsvReader):
    """Reads one summary.csv."""

    name = "timm-csv"
    title = "timm (pytorch-image-models) summary.csv"
    example = "epoch,train_loss,eval_loss,eval_top1,eval_top5"
    unread = (
        "throughput and times (summary.csv has none), and whether the evaluated model is the "
        "averaged one"
    )

    def __init__(self) -> None:
        super().__init__()
        self._first: int | None = None

    def _row(self, line: Line, f: Fields) -> Iterator[Event]:
        cells = self.cells(f)
        epoch, at = as_whole(cells.pop("epoch", None)), line.origin()
        # A resumed run goes on with a later epoch; a new one begins again with the first.
        if epoch is not None and (self._first is None or epoch <= self._first):
            self._first = epoch
            yield RunStart(at)
        trained = {k: v for k, v in cells.items() if not k.startswith("eval_")}
        evaluated = {k: v for k, v in cells.items() if k.startswith("eval_")}
        yield EpochEnd(at, epoch, values=figures(trained))
        if evaluated:
            yield Evaluation(at, figures(evaluated, names=_NAMES, strip="eval_"), epoch=epoch)

    statements = (
        Statement(CsvReader.row, _row, 0.3, "row"),
        Statement(
            Table(delimiter=",", columns=3, required=("epoch", "eval_loss")),
            CsvReader._header,
            1.0,
            "header",
        ),
        Statement(
            Table(delimiter=",", columns=3, required=("epoch", "eval_top1")),
            CsvReader._header,
            1.0,
            "header",
        ),
    )
