"""The Swin Transformer scripts' console and their descendants (InternImage in DeepSparkHub).

InternImage adds the job's images per second to the training line, and their mean per epoch.
"""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import EpochEnd, Evaluation, Event, Metric, RunEnd, Scope, Summary
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord
from sixdim.parsers.statements.rows import progress
from sixdim.parsers.text.lines import Line

_HEAD = (
    "Train: [{epoch:int}/{epochs:int}][{step:int}/{steps:int}] eta {eta:duration} lr {}"
    "time {duration:float} ({}) {}loss {loss:float} ({}"
)
_RECORD = IterationRecord(
    epoch="epoch",
    step="step",
    steps="steps",
    throughput=("throughput",),
    unit="img/s",
    scope=Scope.JOB,
    loss=("loss",),
    duration=("duration",),
)


class Swin(Reader):
    """Reads one console log."""

    name = "swin"
    title = "Swin Transformer and InternImage console"
    example = (
        "Train: [0/300][10/625]\teta 0:10:05 lr 0.000001\t time 0.5123 (0.6000)\t"
        "loss 6.9123 (6.9500)\tgrad_norm 1.2000 (1.3000)\tmem 9999MB"
    )
    unread = "the configuration, the averages in brackets, the parameter count, memory"

    def _throughput(self, line: Line, f: Fields) -> Iterator[Event]:
        yield EpochEnd(
            line.origin(), f["epoch"], throughput=f["value"], unit="img/s", scope=Scope.JOB
        )

    def _train_time(self, line: Line, f: Fields) -> Iterator[Event]:
        yield EpochEnd(line.origin(), f["epoch"], train_time=f["time"])

    def _evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        metrics = (Metric("acc1", f["acc1"], "%"), Metric("acc5", f["acc5"], "%"))
        yield Evaluation(line.origin(), metrics, epoch=self.epoch)

    def _best(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Summary(line.origin(), (Metric("best acc1", f["acc1"], "%"),))

    def _end(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunEnd(line.origin(), f["time"])

    statements = (
        progress(Skeleton(_HEAD + "fps {throughput:float}img/s..."), _RECORD, 1.0),
        progress(Skeleton(_HEAD + "..."), _RECORD, 1.0),
        Statement(
            Skeleton("EPOCH {epoch:int} Avg img/s: {value:float}"),
            _throughput,
            0.2,
            "epoch throughput",
        ),
        Statement(
            Skeleton("EPOCH {epoch:int} training takes {time:duration}"),
            _train_time,
            1.0,
            "epoch time",
        ),
        Statement(
            Skeleton("* Acc@1 {acc1:float} Acc@5 {acc5:float}..."), _evaluation, 0.1, "evaluation"
        ),
        Statement(Skeleton("Max accuracy: {acc1:float}%"), _best, 0.3, "best"),
        Statement(
            Skeleton("Accuracy of the network on the {} test images: {}"),
            Reader.quiet,
            0.3,
            "accuracy",
        ),
        Statement(
            Skeleton("Test: [{step:int}/{steps:int}] Time {}"), Reader.quiet, 0.0, "test progress"
        ),
        Statement(Skeleton("Training time {time:duration}"), _end, 0.1, "training time"),
    )
