"""Files of results, a row per epoch: Ultralytics' results.csv, and results.txt without a header."""

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Metric, RunEnd
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole, figure
from sixdim.parsers.grammar.shapes.table import Row
from sixdim.parsers.statements.csv_reader import CsvReader, headers
from sixdim.parsers.statements.epoch_record import EpochRecord, scores
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line
from sixdim.parsers.statements.statement import Statement

_TRAINED = ("box", "obj", "cls", "total")
_SCORES = ("precision", "recall", "map50", "map")
_TESTED = ("val_box", "val_obj", "val_cls")
_FACES = ("box", "obj", "cls", "landmarks", "total")
"""The losses of YOLOv5-face, whose row has one loss more in front of the scores."""
_POSES = ("box", "obj", "cls", "keypoints", "visibility", "total")
"""The losses of YOLOv7's poses."""
_LOSSES = (*_FACES, *_POSES)


def _row_of(trained: tuple[str, ...]) -> str:
    named = (*trained, "labels", "size", *_SCORES, *_TESTED)
    row = " ".join(f"{{{name}:float}}" for name in named)
    return "{epoch:int}/{last:int} {memory:amount}G " + row


class YoloResults(Reader):
    name = "yolo-results"
    title = "YOLOv7 and YOLOv5 results.txt"
    example = "0/299 10.9G 0.07 0.02 0.03 0.12 100 640 0.5 0.4 0.45 0.3 0.06 0.02 0.01"
    unread = "times and throughput (the file has none), memory, the batch"

    @line((_row_of(_TRAINED), _row_of(_FACES), _row_of(_POSES)), 1.0, "row")
    def _row(self, line: Line, f: Fields) -> Events:
        at, epoch = line.origin(), f["epoch"]
        yield from self.report(at, "epochs_planned", f["last"] + 1)
        losses = tuple(
            figure(f"{name}_loss", f[name]) for name in dict.fromkeys(_LOSSES) if name in f
        )
        yield EpochEnd(at, epoch, values=losses)
        if not any(f[name] for name in (*_SCORES, *_TESTED)):
            return  # with `--notest`
        scores = tuple(Metric(name, f[name], "fraction") for name in _SCORES)
        tested = tuple(figure(f"{name}_loss", f[name]) for name in _TESTED)
        yield Evaluation(at, (*scores, *tested), epoch)


_TOP1 = "metrics/accuracy_top1"
_COLUMNS = {
    "metrics/precision": ("precision", "fraction"),
    "metrics/recall": ("recall", "fraction"),
    "metrics/mAP_0.5": ("map50", "fraction"),
    "metrics/mAP_0.5:0.95": ("map", "fraction"),
    "metrics/mAP50": ("map50", "fraction"),
    "metrics/mAP50-95": ("map", "fraction"),
    "metrics/HBBmAP.5": ("map50", "fraction"),  # of YOLOv5-OBB: of horizontal boxes
    "metrics/HBBmAP.5:.95": ("map", "fraction"),
    "metrics/mIoU": ("miou", "fraction"),
    "metrics/pixel_acc": ("pixel_acc", "fraction"),
    _TOP1: ("acc1", "fraction"),
    "metrics/accuracy_top5": ("acc5", "fraction"),
}
_KINDS = {"": "", "(B)": "", "(M)": "_mask", "(P)": "_pose"}
_ALL_COLUMNS = {
    name + kind: (canonical + suffix, unit)
    for name, (canonical, unit) in _COLUMNS.items()
    for kind, suffix in _KINDS.items()
}
_RECORD = EpochRecord(scores("metrics/", _ALL_COLUMNS))
_MASKS = "metrics/mAP_0.5(M)"
"""A column that the segmentation of YOLOv5 has: below it, the last row is another kind of row."""
_BEST_CELLS, _BEST_SCORES = 13, 8
"""The last row has the epochs, four scores of boxes, four of masks, and four losses."""
_BY_COLUMN = ("mAP_0.5", "mAP_0.5(B)", "mAP50(B)", "HBBmAP.5", "mIoU")
"""Of the scores of each task, one that all its versions have."""


class YoloCsv(CsvReader):
    name = "yolo-csv"
    title = "Ultralytics results.csv (YOLOv5, YOLOv8, YOLO11)"
    example = "epoch,time,train/box_loss,metrics/precision(B),metrics/mAP50(B),metrics/mAP50-95(B)"
    unread = "throughput (the file has none), the batch, per-class figures"

    _last: tuple[int, float] = (0, 0.0)  # the epoch and the `time` of the row before

    def _row(self, line: Line, f: Fields) -> Events:
        if len(f) == _BEST_CELLS and _MASKS in f:
            return self._best(line, f)
        return self._epoch(line, f)

    def _best(self, line: Line, f: Fields) -> Events:
        """Reads the last row of a segmentation: the best weights' scores, without the losses."""
        _, *numbers = f.values()
        scored = dict(zip([*f][-_BEST_SCORES:], numbers, strict=False))
        for event in _RECORD.events(line.origin(), None, scored, self.names):
            if isinstance(event, Evaluation):
                yield event._replace(after_training=True)
        yield RunEnd(line.origin())

    def _epoch(self, line: Line, f: Fields) -> Events:
        """Reads a row; `time` counts up from the start, and anew where a training is resumed."""
        epoch, time = as_whole(f.get("epoch")), as_number(f.get("time"))
        lasted = None
        if epoch is not None and time is not None:
            before, since = self._last if epoch > 1 else (0, 0.0)
            if epoch == before + 1:
                lasted = time - since if time > since else time
            self._last = epoch, time
        of_tests = (name for name in f if name.startswith(("metrics/", "val/")))
        tested = any(as_number(f[name]) for name in of_tests)  # else 0: it was not evaluated
        for event in _RECORD.read(self, line, f):
            if isinstance(event, EpochEnd):
                yield event._replace(epoch_time=lasted)
            elif tested or not isinstance(event, Evaluation):
                yield event

    row = Statement(Row((), ","), _row, 0.3, "row")
    header = headers(
        *(("epoch", f"metrics/{name}") for name in _BY_COLUMN),
        ("epoch", _TOP1),
        columns=3,
        weight=3.0,
    )
