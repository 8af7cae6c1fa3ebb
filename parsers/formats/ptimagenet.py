"""The ImageNet script of pytorch/examples and its many descendants (`Epoch: [0][ 5/13]`)."""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Metric,
    RunInfo,
    RunStart,
    Scope,
    Summary,
)
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.pairs import figures
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord, further
from sixdim.parsers.statements.rows import each, progress
from sixdim.parsers.text.lines import Line

_SCORES = tuple(
    Skeleton(f"* {name}@1 {{acc1:float}}{rest}")
    for name in ("Acc", "Prec")
    for rest in (f" {name}@5 {{acc5:float}}...", "")
)
_CHECKPOINTS = (
    Skeleton("=> loading checkpoint '{}"),
    Skeleton("=> loaded checkpoint '{}"),
    Skeleton("=> no checkpoint found at '{}"),
)


class PyTorchImageNet(Reader):
    """Reads one log of the family."""

    name = "ptimagenet"
    title = "pytorch/examples ImageNet and scripts derived from it"
    example = (
        "Epoch: [0][ 10/5005]\tTime  0.363 ( 2.614)\tData  0.000 ( 1.2)\t"
        "Loss 7.0212e+00 (7.0514e+00)\tAcc@1   0.00 (  0.11)\tAcc@5   0.78 (  0.57)"
    )
    unread = "the batch and the devices (not printed), running figures of a test, the learning rate"

    def _evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        metrics = tuple(Metric(k, f[k], "%") for k in ("acc1", "acc5") if k in f)
        yield Evaluation(line.origin(), metrics)

    def _best(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Summary(line.origin(), (Metric("best acc1", f["acc1"], "%"),))

    def _epoch_time(self, line: Line, f: Fields) -> Iterator[Event]:
        yield EpochEnd(line.origin(), f["epoch"], train_time=f["time"])

    def _creating(self, line: Line, f: Fields) -> Iterator[Event]:
        if not line.rank:
            yield RunStart(line.origin())
            yield RunInfo(line.origin(), "model", f["model"].strip("'\""))

    statements = (
        progress(
            KeyValues(
                "Epoch: [{epoch:int}][{step:int}/{steps:int}]",
                delimiter=None,
                separator=" ",
                numbers={"loss": "Loss", "duration": "Time", "speed": "Speed"},
                required=("Time",),
            ),
            # NVIDIA's variant prints the speed of the whole world size.
            IterationRecord(
                epoch="epoch",
                step="step",
                steps="steps",
                throughput=("speed",),
                unit="img/s",
                scope=Scope.JOB,
                loss=("loss",),
                duration=("duration",),
                further=further(figures, ("Loss", "Speed")),
            ),
            1.0,
        ),
        Statement(
            Skeleton("Testing Results: Prec@1 {acc1:float} Prec@5 {acc5:float} Loss {loss:float}"),
            _evaluation,
            0.5,
            "evaluation",
        ),
        Statement(Skeleton("Best Prec@1: {acc1:float}"), _best, 0.2, "best"),
        *each(_SCORES, _evaluation, 0.3, "evaluation"),
        Statement(
            KeyValues(
                "Test: [{step:int}/{steps:int}]",
                delimiter=None,
                separator=" ",
                numbers={},
                required=("Time",),
            ),
            Reader.quiet,
            0.3,
            "test progress",
        ),
        Statement(
            Skeleton("Total time for epoch [{epoch:int}] : {time:float}"),
            _epoch_time,
            0.3,
            "epoch time",
        ),
        Statement(Skeleton("=> creating model {model:word}"), _creating, 0.3, "header"),
        Statement(Skeleton("=> using pre-trained model {model:word}"), _creating, 0.3, "header"),
        Statement(Skeleton("Use GPU: {gpu:int} for training"), Reader.quiet, 0.3, "header"),
        *each(_CHECKPOINTS, Reader.quiet, 0.0, "checkpoint"),
        Statement(Skeleton("current lr {lr:float}"), Reader.quiet, 0.1, "learning rate"),
    )
