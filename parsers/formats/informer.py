"""Informer and what is made from it, such as Autoformer and Time-Series-Library.

Each hundredth iteration prints a line with its loss and one with the time of an iteration since the
lines before. The first of an epoch includes the end of the epoch before and its evaluations, so it
has no time here. `cost time` is that of the training pass alone.
"""

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Iteration, Metric
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ends, line, remembers, starts

_EPOCH = "Epoch: {epoch:int}, Steps: {steps:int} | Train Loss: {loss:float} Vali Loss: {val:float}"


class Informer(Reader):
    name = "informer"
    title = "Informer, Autoformer, Time-Series-Library"
    example = "iters: 100, epoch: 1 | loss: 0.4378123"
    unread = "the arguments, the time that is left, losses and scores of the test at each epoch"

    _step = _label = _cost_of = 0
    _loss = _cost = 0.0

    losses = remembers("iters: {_step:int}, epoch: {_label:int} | loss: {_loss:float}", 1.0, "loss")

    @line("speed: {duration:float}s/iter; left time: {}s", 0.5, "iteration")
    def _iteration(self, line: Line, f: Fields) -> Events:
        follows = self.latest is None or self.latest.epoch == self._label
        self.latest = Iteration(
            line.origin(),
            self._label,
            self._step,
            loss=self._loss,
            duration=f["duration"] if follows else None,
            # With a unit alone, no part of the line is missing.
            unit="" if follows else "it/s",
        )
        return (self.latest,)

    times = remembers("Epoch: {_cost_of:int} cost time: {_cost:float}", 0.5, "epoch time")

    @line((_EPOCH, _EPOCH + " {}"), 1.0, "epoch")
    def _epoch(self, line: Line, f: Fields) -> Events:
        cost = self._cost if self._cost_of == f["epoch"] else None
        each = cost / f["steps"] if cost and f["steps"] else None
        loss = Metric("loss", f["loss"], "", False)
        yield EpochEnd(
            line.origin(), f["epoch"], train_time=cost, iteration_time=each, values=(loss,)
        )
        validation = Metric("loss", f["val"], "", False)
        yield Evaluation(line.origin(), (validation,), f["epoch"], data="val")

    scores = evaluation(
        "mse:{mse:float}, mae:{mae:float}...", 0.5, data="test", after_training=True
    )

    header = starts(">>>>>>>start training : {}", 0.5)
    closing = ends(">>>>>>>testing : {}", 0.3)
