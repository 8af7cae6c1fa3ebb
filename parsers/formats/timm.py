"""timm's train.py: console lines, and those of its descendants (NAT, ViTAE, DeepSpark).

Every training line may carry the batch's own accuracy, which is no evaluation. An
evaluation's running averages stand in its last line; those of the averaged (EMA) model are
logged after the raw model's, under a name of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Metric,
    RunEnd,
    RunStart,
    Scope,
    Summary,
)
from sixdim.parsers.grammar.figures import Facts, figure
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import Gauge, IterationRecord
from sixdim.parsers.statements.rows import progress
from sixdim.parsers.text.lines import Line


class Timm(Reader):
    """Reads one log of timm's training script."""

    name = "timm"
    title = "timm (pytorch-image-models) console"
    example = (
        "Train: 3 [  50/1251 (  4%)]  Loss: 6.947 (6.96)  Time: 0.248s, 4130.65/s  "
        "(0.289s, 3540.67/s)  LR: 3.036e-06  Data: 0.036 (0.061)"
    )
    unread = (
        "learning rate and data time, running figures of a test, the table of best checkpoints, "
        "the batch (img/s are printed)"
    )

    def __init__(self) -> None:
        self._facts = Facts()
        self._opened = False

    def _evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        if f["step"] == f["last"]:
            metrics = (
                Metric("acc1", f["acc1"], "%"),
                Metric("acc5", f["acc5"], "%"),
                figure("loss", f["loss"]),
            )
            model = "averaged" if "EMA" in f["suffix"] else "raw"
            yield Evaluation(line.origin(), metrics, epoch=self.epoch, model=model)

    def _best(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Summary(line.origin(), (Metric("best metric", f["value"]),))
        yield RunEnd(line.origin())

    def _train_time(self, line: Line, f: Fields) -> Iterator[Event]:
        yield EpochEnd(line.origin(), self.epoch, train_time=f["time"])

    def _start(self, line: Line, f: Fields) -> Iterator[Event]:
        self.latest, self._opened = None, False
        yield RunStart(line.origin())
        yield from self._facts.report(line.origin(), "epochs_planned", f["epochs"])

    def _devices(self, line: Line, f: Fields) -> Iterator[Event]:
        if not self._opened:  # every rank prints it
            self._opened = True
            self._facts.forget()
            yield RunStart(line.origin())
        yield from self._facts.report(line.origin(), "devices", f["devices"])

    def _created(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._facts.report(line.origin(), "model", f["model"])

    def _mixed(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._facts.report(line.origin(), "precision", "amp")

    def _float32(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._facts.report(line.origin(), "precision", "fp32")

    statements = (
        progress(
            Skeleton(
                "Train: {epoch:int} [{step:int}/{steps:int} ({percent:float}%)] "
                "Loss: {loss:float} ({}Time: {duration:float}s, {throughput:float}/s "
                "({}s, {average:float}/s)..."
            ),
            IterationRecord(
                epoch="epoch",
                step="step",
                steps="steps",
                throughput=("throughput",),
                unit="img/s",
                scope=Scope.JOB,  # input.size(0) * world_size / time
                loss=("loss",),
                duration=("duration",),
                figures=(Gauge("average", "average img/s", "img/s"),),
            ),
            1.0,
        ),
        Statement(
            Skeleton(
                "Test{suffix:until}: [{step:int}/{last:int}] Time: {} ({}) "
                "Loss: {} ({loss:float}) Acc@1: {} ({acc1:float}) Acc@5: {} ({acc5:float})..."
            ),
            _evaluation,
            1.0,
            "evaluation",
        ),
        Statement(
            Skeleton("*** Best metric: {value:float} (epoch {epoch:int})"), _best, 1.0, "best"
        ),
        Statement(Skeleton("epoch time is {time:float}"), _train_time, 0.3, "epoch time"),
        Statement(Skeleton("average epoch time is {}"), Reader.quiet, 0.3, "epoch time"),
        Statement(Skeleton("maximum memory used: {}"), Reader.quiet, 0.3, "memory"),
        Statement(Skeleton("Scheduled epochs: {epochs:int}"), _start, 0.8, "header"),
        Statement(Skeleton("Scheduled epochs: {epochs:int}. {}"), _start, 0.8, "header"),
        Statement(
            Skeleton("Training in distributed mode {}, total {devices:int}.{}"),
            _devices,
            0.3,
            "header",
        ),
        Statement(
            Skeleton("Training in distributed mode {}, total {devices:int}, device{}"),
            _devices,
            0.3,
            "header",
        ),
        Statement(
            Skeleton("Training with a single process on {devices:int} {}"),
            _devices,
            0.3,
            "header",
        ),
        Statement(Skeleton("Model {model:word} created, param count:{}"), _created, 0.5, "header"),
        Statement(Skeleton("Using native Torch AMP. {}"), _mixed, 0.2, "header"),
        Statement(Skeleton("Using NVIDIA APEX AMP. {}"), _mixed, 0.2, "header"),
        Statement(Skeleton("AMP not enabled. {}"), _float32, 0.2, "header"),
        Statement(Skeleton("Current checkpoints:"), Reader.quiet, 0.2, "checkpoints"),
    )
