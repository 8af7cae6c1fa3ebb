"""YOLOv7's and early YOLOv5's results.txt: a row an epoch, without a header."""

from __future__ import annotations

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Metric
from sixdim.parsers.grammar.shapes.figures import figure
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line

_TRAINED = ("box", "obj", "cls", "total")
_SCORES = ("precision", "recall", "map50", "map")
_TESTED = ("val_box", "val_obj", "val_cls")
_FACES = ("box", "obj", "cls", "landmarks", "total")
"""The losses of YOLOv5-face, whose row has one loss more in front of the scores."""


def _row_of(trained: tuple[str, ...]) -> str:
    named = (*trained, "labels", "size", *_SCORES, *_TESTED)
    row = " ".join(f"{{{name}:float}}" for name in named)
    return "{epoch:int}/{last:int} {memory:amount}G " + row


class YoloResults(Reader):
    name = "yolo-results"
    title = "YOLOv7 and YOLOv5 results.txt"
    example = "0/299 10.9G 0.07 0.02 0.03 0.12 100 640 0.5 0.4 0.45 0.3 0.06 0.02 0.01"
    unread = "times and throughput (the file has none), memory, the batch"

    @line((_row_of(_TRAINED), _row_of(_FACES)), 1.0, "row")
    def _row(self, line: Line, f: Fields) -> Events:
        at, epoch = line.origin(), f["epoch"]
        yield from self.report(at, "epochs_planned", f["last"] + 1)
        losses = tuple(figure(f"{name}_loss", f[name]) for name in _FACES if name in f)
        yield EpochEnd(at, epoch, values=losses)
        scores = tuple(Metric(name, f[name], "fraction") for name in _SCORES)
        tested = tuple(figure(f"{name}_loss", f[name]) for name in _TESTED)
        yield Evaluation(at, (*scores, *tested), epoch)
