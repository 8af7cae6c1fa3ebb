"""Ultralytics' results.csv (YOLOv5, v8, v11): a row per epoch."""

from __future__ import annotations

from collections.abc import Iterator

from parsers.events import EpochEnd, Evaluation, Event, RunStart
from parsers.figures import CsvReader, as_whole, figures
from parsers.format import Statement
from parsers.shape import Fields
from parsers.table import Table
from parsers.text import Line

_NAMES = {
    "metrics/precision": ("precision", "fraction"),
    "metrics/recall": ("recall", "fraction"),
    "metrics/mAP_0.5": ("map50", "fraction"),
    "metrics/mAP_0.5:0.95": ("map", "fraction"),
    "metrics/mAP50": ("map50", "fraction"),
    "metrics/mAP50-95": ("map", "fraction"),
    "metrics/accuracy_top1": ("acc1", "fraction"),
    "metrics/accuracy_top5": ("acc5", "fraction"),
}
_KINDS = {"": "", "(B)": "", "(M)": "_mask", "(P)": "_pose"}
_ALL_NAMES = {
    name + kind: (canonical + suffix, unit)
    for name, (canonical, unit) in _NAMES.items()
    for kind, suffix in _KINDS.items()
}


class YoloCsv(CsvReader):
    """Reads one results.csv."""

    name = "yolo-csv"
    title = "Ultralytics results.csv (YOLOv5, YOLOv8, YOLO11)"
    example = "epoch,time,train/box_loss,metrics/precision(B),metrics/mAP50(B),metrics/mAP50-95(B)"
    unread = (
        "throughput (the file has none; `time` counts up from the start), the batch, per-class "
        "figures"
    )

    def __init__(self) -> None:
        super().__init__()
        self._first: int | None = None

    def _row(self, line: Line, f: Fields) -> Iterator[Event]:
        cells, at = self.cells(f), line.origin()
        epoch = as_whole(cells.pop("epoch", None))
        # A resumed run goes on with a later epoch; a new one begins again with the first.
        if epoch is not None and (self._first is None or epoch <= self._first):
            self._first = epoch
            yield RunStart(at)
        scores = {k: v for k, v in cells.items() if k.startswith("metrics/")}
        yield EpochEnd(at, epoch, values=figures({k: cells[k] for k in cells if k not in scores}))
        if scores:
            yield Evaluation(at, figures(scores, names=_ALL_NAMES), epoch=epoch)

    statements = (
        Statement(CsvReader.row, _row, 0.3, "row"),
        Statement(
            Table(delimiter=",", columns=3, required=("epoch", "metrics/mAP_0.5")),
            CsvReader._header,
            1.0,
            "header",
        ),
        Statement(
            Table(delimiter=",", columns=3, required=("epoch", "metrics/mAP50(B)")),
            CsvReader._header,
            1.0,
            "header",
        ),
        Statement(
            Table(delimiter=",", columns=3, required=("epoch", "metrics/accuracy_top1")),
            CsvReader._header,
            1.0,
            "header",
        ),
    )
