"""tf-faster-rcnn and its ports: losses below the line of an iteration, and the mean time so far."""

from sixdim.parsers.events import Events, Iteration, RunInfo
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ends, ignored, line, starts

_FIRST = 1_000
"""A program that prints a later step first goes on with an earlier run: since when is unknown."""


class TfFasterRcnn(Reader):
    name = "tf-faster-rcnn"
    title = "tf-faster-rcnn and pytorch-faster-rcnn"
    example = "iter: 20 / 70000, total loss: 2.3142"
    unread = "single losses, the average precisions of classes"

    _mean_is_known = True

    @line("iter: {step:int} / {steps:int}, total loss: {loss:float}", 1.0, "iteration")
    def _iteration(self, line: Line, f: Fields) -> Events:
        if self.latest is None:
            self._mean_is_known = f["step"] <= _FIRST
            yield RunInfo(line.origin(), "means_since", 0)
        self.latest = Iteration(line.origin(), None, f["step"], f["steps"], loss=f["loss"])

    @line("speed: {mean:float}s / iter", 0.1, "time")
    def _time(self, line: Line, f: Fields) -> Events:
        if self.latest is not None:
            mean = f["mean"] if self._mean_is_known else None
            yield self.latest._replace(duration=mean, mean_duration=mean)

    losses = ignored(">>> {:word}: {:float}", 0.3, "loss")

    start = starts("Solving...", 0.1)
    closing = ends("done solving", 0.3)
