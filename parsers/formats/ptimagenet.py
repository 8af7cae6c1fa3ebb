"""The ImageNet script of pytorch/examples and its many descendants (`Epoch: [0][ 5/13]`).

Of scripts of contrastive learning, which print `Train: [1][10/196] BT 0.3 (0.4)`, too.
"""

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
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Fields
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord, further
from sixdim.parsers.statements.rows import NamedRecord, ignored, line, progress
from sixdim.parsers.text.lines import Line


def _progress(head: str, *, loss: str, time: str) -> KeyValues:
    return KeyValues(
        head + ": [{epoch:int}][{step:int}/{steps:int}]",
        delimiter=None,
        separator=" ",
        numbers={"loss": loss, "duration": time, "throughput": "Speed"},
        means={"mean": time, "mean_speed": "Speed"},
        required=(time,),
    )


def _record(*read: str) -> IterationRecord:
    return NamedRecord(
        # NVIDIA's variant prints the speed of the whole world size.
        unit="img/s",
        scope=Scope.JOB,
        mean_throughput="mean_speed",
        mean_duration="mean",
        further=further(figures, (*read, "Speed")),
    )


class PyTorchImageNet(Reader):
    """Reads one log of the family."""

    name = "ptimagenet"
    title = "pytorch/examples ImageNet and scripts derived from it"
    tried = "pytorch/examples 2025-08"
    example = (
        "Epoch: [0][ 10/5005]\tTime  0.363 ( 2.614)\tData  0.000 ( 1.2)\t"
        "Loss 7.0212e+00 (7.0514e+00)\tAcc@1   0.00 (  0.11)\tAcc@5   0.78 (  0.57)"
    )
    unread = "the batch and the devices (not printed), running figures of a test, the learning rate"

    training = progress(_progress("Epoch", loss="Loss", time="Time"), _record("Loss"), 1.0)
    contrastive = progress(_progress("Train", loss="loss", time="BT"), _record("loss", "BT"), 1.0)
    running = ignored(
        KeyValues(
            "Test: [{step:int}/{steps:int}]",
            delimiter=None,
            separator=" ",
            numbers={},
            required=("Time",),
        ),
        0.3,
        "test progress",
    )

    @line(
        "Testing Results: Prec@1 {acc1:float} Prec@5 {acc5:float} Loss {loss:float}",
        0.5,
        "evaluation",
    )
    @line("* Acc@1 {acc1:float} Acc@5 {acc5:float}...", 0.3, "evaluation")
    @line("* Acc@1 {acc1:float}", 0.3, "evaluation")
    @line("* Prec@1 {acc1:float} Prec@5 {acc5:float}...", 0.3, "evaluation")
    @line("* Prec@1 {acc1:float}", 0.3, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> tuple[Event, ...]:
        metrics = tuple(Metric(k, f[k], "%") for k in ("acc1", "acc5") if k in f)
        return (Evaluation(line.origin(), metrics),)

    @line("* Finished epoch {epoch:int} mAP: {map:float}% best: {}", 0.5, "evaluation")
    @line("* Finished epoch {epoch:int} model mAP: {map:float}% best: {}", 0.5, "evaluation")
    def _retrieval(self, line: Line, f: Fields) -> tuple[Event, ...]:
        return (Evaluation(line.origin(), (Metric("map", f["map"], "%"),), f["epoch"]),)

    @line("mAP: {map:float}%", 0.2, "evaluation")
    @line("mAP      : {map:float}%", 0.2, "evaluation")
    def _reidentification(self, line: Line, f: Fields) -> tuple[Event, ...]:
        """deep-person-reid's, after an epoch that its progress lines name."""
        return (Evaluation(line.origin(), (Metric("map", f["map"], "%"),)),)

    @line("Best Prec@1: {acc1:float}", 0.2, "best")
    def _best(self, line: Line, f: Fields) -> tuple[Event, ...]:
        return (Summary(line.origin(), (Metric("best acc1", f["acc1"], "%"),)),)

    @line("Total time for epoch [{epoch:int}] : {time:float}", 0.3, "epoch time")
    @line("epoch {epoch:int}, total time {time:float}", 0.1, "epoch time")
    def _epoch_time(self, line: Line, f: Fields) -> tuple[Event, ...]:
        return (EpochEnd(line.origin(), f["epoch"], train_time=f["time"]),)

    @line("=> creating model {model:word}", 0.3, "header")
    @line("=> using pre-trained model {model:word}", 0.3, "header")
    def _creating(self, line: Line, f: Fields) -> Iterator[Event]:
        if not line.rank:
            yield RunStart(line.origin())
            yield RunInfo(line.origin(), "model", f["model"].strip("'\""))

    device = ignored("Use GPU: {gpu:int} for training", 0.3, "header")
    checkpoints = (
        ignored("=> loading checkpoint '{}", 0.0, "checkpoint"),
        ignored("=> loaded checkpoint '{}", 0.0, "checkpoint"),
        ignored("=> no checkpoint found at '{}", 0.0, "checkpoint"),
    )
    rate = ignored("current lr {lr:float}", 0.1, "learning rate")
