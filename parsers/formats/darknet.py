"""Darknet (` 100: 3.45, 4.12 avg loss, 0.001 rate, 1.23 seconds, 6400 images, 10.2 hours left`).

The images are counted from the start, so the batch is images / iterations. The seconds are the
training time of a batch; another line says how long loading took.
"""

from __future__ import annotations

from sixdim.parsers.events import Evaluation, Events, Iteration, Metric
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ignored, line

_HEAD = "{step:int}: {loss:float}, {average:float} avg"
_TAIL = " {rate:float} rate, {time:float} seconds, {images:int} images"


class Darknet(Reader):
    name = "darknet"
    title = "Darknet (YOLOv2, v3, v4)"
    example = (
        "100: 3.4567, 4.1234 avg loss, 0.001 rate, 1.2345 seconds, 6400 images, 10.2 hours left"
    )
    unread = "lines of single layers, average precisions by class, the network, loading times"

    @line(f"{_HEAD} loss,{_TAIL}, {{}} hours left", 1.0, "iteration")
    @line((f"{_HEAD} loss,{_TAIL}", f"{_HEAD},{_TAIL}"), 1.0, "iteration")
    def _iteration(self, line: Line, f: Fields) -> Events:
        at, step = line.origin(), f["step"]
        if step > 0 and f["images"] % step == 0:
            yield from self.report(at, "global_batch", f["images"] // step)
        average = (Metric("average_loss", f["average"], "", False),)
        yield Iteration(at, None, step, loss=f["loss"], duration=f["time"], values=average)

    @line("mean average precision (mAP@{of:amount}) = {value:float}, or {}", 1.0, "evaluation")
    @line("mean_average_precision (mAP@{of:amount}) = {value:float}", 1.0, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        name = f"map{round(100 * f['of'])}"
        yield Evaluation(line.origin(), (Metric(name, f["value"], "fraction"),), step=self.step)

    others = (
        ignored("class_id = {:int}, name = {}, ap = {}", 0.3, "class"),
        ignored("v3 ({}) Region {:int} Avg ({}", 0.3, "layer"),
        ignored("Region {:int} Avg IOU: {}", 0.3, "layer"),
    )
