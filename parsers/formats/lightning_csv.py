"""PyTorch Lightning's CSVLogger: a sparse metrics.csv, steps and epochs in one table.

A row has the figures that were logged together. `step` counts from the start of training;
rows that a validation step wrote have no epoch, and are not iterations of training.
"""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import EpochEnd, Evaluation, Event, Iteration, Metric
from sixdim.parsers.grammar.figures import as_whole, figure
from sixdim.parsers.grammar.shape import Fields
from sixdim.parsers.grammar.table import Row, Table
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.csv_reader import CsvReader
from sixdim.parsers.statements.rows import starts
from sixdim.parsers.text.lines import Line

_SCORES = ("val", "test", "valid")


class LightningCsv(CsvReader):
    """Reads one metrics.csv."""

    name = "lightning-csv"
    title = "PyTorch Lightning metrics.csv"
    example = "epoch,step,train_loss_step,train_loss_epoch,val_loss"
    unread = (
        "times and throughput (metrics.csv has none), rows that a validation step wrote without "
        "its epoch"
    )

    def _row(self, line: Line, f: Fields) -> Iterator[Event]:
        cells, at = dict(f), line.origin()
        epoch, step = as_whole(cells.pop("epoch", None)), as_whole(cells.pop("step", None))
        if epoch is None:
            return
        metrics = tuple(figure(name, value) for name, value in cells.items())
        scores = tuple(m for m in metrics if m.name.startswith(_SCORES))
        trained = tuple(m for m in metrics if m not in scores)
        ended = tuple(m for m in trained if m.name.endswith("_epoch"))
        stepped = tuple(m for m in trained if m not in ended)
        if stepped:
            yield Iteration(at, epoch=epoch, step=step, loss=_loss(stepped), values=stepped)
        if ended:
            yield EpochEnd(at, epoch, values=ended)
        # A validation step's own loss is a part of an evaluation, its epoch's the whole.
        whole = tuple(m for m in scores if not m.name.endswith("_step"))
        if whole:
            yield Evaluation(at, whole, epoch=epoch, step=step)

    row = Statement(Row((), ","), _row, 0.3, "row")
    header = starts(Table(delimiter=",", columns=3, required=("epoch", "step")), 1.0)


def _loss(metrics: tuple[Metric, ...]) -> float | None:
    losses = (m.value for m in metrics if "loss" in m.name)
    return next(losses, None)
