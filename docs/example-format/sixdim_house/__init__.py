"""The log of our own trainer."""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.plugin import EpochEnd, Evaluation, Event, Fields, Iteration, Line, Metric, Reader
from sixdim.plugin import RunEnd, Scope, Skeleton, Statement


class House(Reader):
    name = "house"
    title = "our own trainer"
    example = "train | epoch 0 | step 100/400 | 811.2 samples/s | loss 6.912"

    def _step(self, line: Line, f: Fields) -> Iterator[Event]:
        at, rate = line.origin(), f["rate"]
        yield Iteration(at, f["epoch"], f["step"], f["of"], rate, "samples/s", Scope.JOB, f["loss"])

    def _epoch(self, line: Line, f: Fields) -> Iterator[Event]:
        rate, seconds = f["rate"], f["time"]
        yield EpochEnd(line.origin(), f["epoch"], rate, "samples/s", Scope.JOB, seconds)

    def _valid(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Evaluation(line.origin(), (Metric("acc1", f["top1"], "%"),), f["epoch"])

    def _done(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunEnd(line.origin(), f["time"])

    STEP = Skeleton(
        "train | epoch {epoch:int} | step {step:int}/{of:int} | "
        "{rate:float} samples/s | loss {loss:float}"
    )
    EPOCH = Skeleton("epoch {epoch:int} done in {time:duration}, {rate:float} samples/s")
    VALID = Skeleton("valid | epoch {epoch:int} | top1 {top1:float} %")
    DONE = Skeleton("all done after {time:duration}")
    statements = (
        Statement(STEP, _step, 1.0, "iteration"),
        Statement(EPOCH, _epoch, 1.0, "epoch"),
        Statement(VALID, _valid, 1.0, "evaluation"),
        Statement(DONE, _done, 0.5, "closing line"),
    )
