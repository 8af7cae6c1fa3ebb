"""Darknet (` 100: 3.45, 4.12 avg loss, 0.001 rate, 1.23 seconds, 6400 images, 10.2 hours left`).

The images are counted from the start, so the batch is images / iterations. The seconds are the
training time of a batch; the line `Loaded: 0.12 seconds` before it has the wait for the batch.

A classifier's line has the epochs after the iteration (`6, 1.500: 1.12, 1.38 avg, …`). Where it
also has the hours that are left, its seconds are those that all threads of the process computed,
the loading ones included, not the time that passed. Its evaluation prints the accuracy so far after
each image: the last one is the result.
"""

from sixdim.parsers.events import Evaluation, Events, Iteration, Metric
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ends, ignored, line, remembers

_LOSSES = "{loss:float}, {average:float} avg"
_HEAD = f"{{step:int}}: {_LOSSES}"
_CLASSIFIER = f"{{step:int}}, {{:float}}: {_LOSSES}"
_TAIL = " {rate:float} rate, {time:float} seconds, {images:int} images"
_LEFT = ", {} hours left"
_SO_FAR = "{:int}: top 1: {top1:float}, top {k:int}: {best:float}"


class Darknet(Reader):
    name = "darknet"
    title = "Darknet (YOLOv2, v3, v4, classifiers)"
    tried = "AlexeyAB's darknet 2025-12"
    example = (
        "100: 3.4567, 4.1234 avg loss, 0.001 rate, 1.2345 seconds, 6400 images, 10.2 hours left"
    )
    unread = (
        "lines of single layers, average precisions by class, the network, the seconds of a "
        "classifier's line with the hours left (they are processor time)"
    )

    _so_far: tuple[Metric, ...] = ()
    waited = 0.0  # for the batch that is trained on next, in seconds

    loaded = remembers("Loaded: {waited:float} seconds{}", 0.1, "loading")

    ended = ends("Saving weights to {}_final.weights", 0.3)

    @line(f"{_HEAD} loss,{_TAIL}{_LEFT}", 1.0, "iteration")
    @line((f"{_HEAD} loss,{_TAIL}", f"{_HEAD},{_TAIL}"), 1.0, "iteration")
    @line(f"{_CLASSIFIER},{_TAIL}", 1.0, "iteration")
    def _iteration(self, line: Line, f: Fields) -> Events:
        return self._trained(line, f, f["time"] + self.waited)

    @line(f"{_CLASSIFIER},{_TAIL}{_LEFT}", 1.0, "iteration")
    def _computed(self, line: Line, f: Fields) -> Events:
        return self._trained(line, f, None)

    def _trained(self, line: Line, f: Fields, seconds: float | None) -> Events:
        at, step = line.origin(), f["step"]
        if step > 0 and f["images"] % step == 0:
            yield from self.report(at, "global_batch", f["images"] // step)
        average = (Metric("average_loss", f["average"], "", False),)
        yield Iteration(at, None, step, loss=f["loss"], duration=seconds, values=average)

    @line("mean average precision (mAP@{of:amount}) = {value:float}, or {}", 1.0, "evaluation")
    @line("mean_average_precision (mAP@{of:amount}) = {value:float}", 1.0, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        name = f"map{round(100 * f['of'])}"
        yield Evaluation(line.origin(), (Metric(name, f["value"], "fraction"),), step=self.step)

    @line(_SO_FAR, 0.3, "progress of an evaluation")
    def _accuracy_so_far(self, line: Line, f: Fields) -> Events:
        best = Metric(f"acc{f['k']}", f["best"], "fraction")
        self._so_far = (Metric("acc1", f["top1"], "fraction"), best)
        return ()

    @line("accuracy top{:int} = {:float}", 0.5, "evaluation")
    def _accuracy(self, line: Line, f: Fields) -> Events:
        if self._so_far:
            yield Evaluation(line.origin(), self._so_far, step=self.step)
        self._so_far = ()

    others = (
        ignored("class_id = {:int}, name = {}, ap = {}", 0.3, "class"),
        ignored("v3 ({}) Region {:int} Avg ({}", 0.3, "layer"),
        ignored("Region {:int} Avg IOU: {}", 0.3, "layer"),
    )
