"""Ultralytics' results.csv (YOLOv5, v8, v11): a row per epoch."""

from __future__ import annotations

from sixdim.parsers.grammar.shapes.table import Row, Table
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.csv_reader import CsvReader
from sixdim.parsers.statements.epoch_record import EpochRecord, scores
from sixdim.parsers.statements.rows import ignored

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
_RECORD = EpochRecord(scores("metrics/", _ALL_NAMES))


class YoloCsv(CsvReader):
    name = "yolo-csv"
    title = "Ultralytics results.csv (YOLOv5, YOLOv8, YOLO11)"
    example = "epoch,time,train/box_loss,metrics/precision(B),metrics/mAP50(B),metrics/mAP50-95(B)"
    unread = (
        "throughput (the file has none; `time` counts up from the start), the batch, per-class "
        "figures"
    )

    row = Statement(Row((), ","), _RECORD.read, 0.3, "row")
    headers = tuple(
        ignored(Table(delimiter=",", columns=3, required=("epoch", column)), 1.0, "header")
        for column in ("metrics/mAP_0.5", "metrics/mAP50(B)", "metrics/accuracy_top1")
    )
