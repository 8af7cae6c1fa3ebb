"""The torchvision-reference family: MetricLogger lines, and DeepSpark's additions to them.

Three generations of DeepSpark's `train.py` print `Avg img/s` per epoch; torchvision's own
references, MAE, DeiT, torchdistill and many others print the same progress line without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Metric,
    Origin,
    Problem,
    RunEnd,
    RunInfo,
    RunStart,
    Scope,
    Summary,
    TargetReached,
)
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord, counted
from sixdim.parsers.statements.rows import progress
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

# Namespace(...) keys that are facts about the run, and what each becomes.
_ARGUMENTS = (
    ("world_size", "devices"),
    ("batch_size", "batch_per_device"),
    ("epochs", "epochs_planned"),
    ("model", "model"),
    ("arch", "model"),
)
_ARGUMENT = pattern(r"[(,\s](\w{1,40})=('[^']{0,200}'|[^\s,)]{1,60})")


def accuracy(fields: Fields) -> tuple[Metric, ...]:
    """Top-1 and top-5 in percent, as the holes `acc1` and `acc5` hold them."""
    return tuple(Metric(k, fields[k], "%") for k in ("acc1", "acc5") if k in fields)


class Torchvision(Reader):
    """Reads one log of the family."""

    name = "torchvision"
    title = "torchvision references and DeepSpark classification scripts (MetricLogger)"
    example = (
        "Epoch: [3]  [ 10/334]  eta: 0:06:47  lr: 0.128  img/s: 5625.49  "
        "loss: 7.2926 (7.2497)  acc1: 0.1326 (0.1326)  time: 1.2591  data: 0.0019"
    )
    unread = (
        "running figures of a test, arguments other than sizes, model, precision and target, "
        "evaluations by class"
    )

    def __init__(self) -> None:
        self._model = "raw"
        self._over = False
        self._samples = 0
        self._devices = 0
        self._table = "box"
        self._averages: tuple[Metric, ...] = ()
        self._averages_at: Origin | None = None

    def read(self, line: Line) -> Iterable[Event] | None:
        """As `Reader.read`; box and mask averages of one evaluation become one event."""
        events = super().read(line)
        if self._averages_at is not None and events is not None and not self._in_table(line):
            return [*self._release(), *events]
        return events

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`, with an evaluation table that the log ended in."""
        return [*self._release(), *super().end(at)]

    @staticmethod
    def _in_table(line: Line) -> bool:
        return line.text.lstrip().startswith(("Average ", "IoU metric"))

    def _release(self) -> list[Event]:
        """The evaluation before."""
        at, averages = self._averages_at, self._averages
        self._averages, self._averages_at = (), None
        if at is None:
            return []
        return [Evaluation(at, averages, model=self._model, after_training=self._over)]

    def _throughput(self, line: Line, f: Fields) -> Iterator[Event]:
        yield EpochEnd(
            line.origin(), f["epoch"], throughput=f["value"], unit="img/s", scope=Scope.JOB
        )

    def _train_time(self, line: Line, f: Fields) -> Iterator[Event]:
        yield EpochEnd(line.origin(), f["epoch"], train_time=f["time"])

    def _epoch_time(self, line: Line, f: Fields) -> Iterator[Event]:
        yield EpochEnd(line.origin(), None, epoch_time=f["time"])

    def _evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Evaluation(line.origin(), accuracy(f), model=self._model, after_training=self._over)

    def _averaged_evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Evaluation(line.origin(), accuracy(f), model="averaged", after_training=self._over)

    def _segmentation(self, line: Line, f: Fields) -> Iterator[Event]:
        metric = Metric("miou", f["value"], "%")
        yield Evaluation(line.origin(), (metric,), model=self._model, after_training=self._over)

    def _table_of(self, line: Line, f: Fields) -> Iterator[Event]:
        self._table = "mask" if f["metric"] == "segm" else "box"
        return iter(())

    def _average_precision(self, line: Line, f: Fields) -> Iterator[Event]:
        self._averages = (*self._averages, Metric(self._table, f["value"], "fraction"))
        self._averages_at = self._averages_at or line.origin()
        return iter(())

    def _best(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Summary(line.origin(), (Metric("best acc1", f["acc1"], "%"),))

    def _target(self, line: Line, f: Fields) -> Iterator[Event]:
        # The script's own test is strict: `if acc1 > args.acc_thresh`.
        yield TargetReached(line.origin(), f"acc1>{f['threshold']:g}", f["epoch"])

    def _training_time(self, line: Line, f: Fields) -> Iterator[Event]:
        self._over = True
        yield RunEnd(line.origin(), f["time"])

    def _start(self, line: Line, f: Fields) -> Iterator[Event]:
        self._over = False
        self._model = "raw"
        yield RunStart(line.origin())

    def _whose(self, line: Line, f: Fields) -> Iterator[Event]:
        self._model = line.text.strip()[1:8].lower()
        return iter(())

    def _arguments(self, line: Line, f: Fields) -> Iterator[Event]:
        at = line.origin()
        yield from self._start(line, f)
        found = {k: v.strip("'\"") for k, v in _ARGUMENT.findall(line.text[:20_000])}
        for key, fact in _ARGUMENTS:
            value = found.get(key, "None")
            if value.isdigit():
                yield RunInfo(at, fact, int(value))
            elif fact == "model" and value != "None":
                yield RunInfo(at, fact, value)
        if "amp" in found:
            yield RunInfo(at, "precision", "amp" if found["amp"] == "True" else "fp32")
        threshold = found.get("acc_thresh", "")
        if re.fullmatch(r"\d{1,3}(?:\.\d{1,6})?", threshold):
            yield RunInfo(at, "target", f"acc1>{threshold}")

    def _rank(self, line: Line, f: Fields) -> Iterator[Event]:
        if f["rank"] >= self._devices:
            self._devices = f["rank"] + 1
            yield RunInfo(line.origin(), "devices", self._devices)

    def _single(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "devices", 1)

    def _files(self, line: Line, f: Fields) -> Iterator[Event]:
        # Every process announces a training and a validation reader: the larger one trains.
        if f["files"] > self._samples:
            self._samples = f["files"]
            yield RunInfo(line.origin(), "samples_per_epoch", self._samples)

    def _creating(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "model", f["model"])

    def _not_a_number(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Problem(line.origin(), "nan_loss", line.text.strip()[:120], fatal=True)

    statements = (
        progress(
            KeyValues(
                "Epoch: [{epoch:int}]  [{step:int}/{steps:int}]  ",
                numbers={"throughput": "img/s", "loss": "loss", "duration": "time"},
                required=("eta", "time"),
            ),
            IterationRecord(
                epoch="epoch",
                step="step",
                steps="steps",
                throughput=("throughput",),
                unit="img/s",
                # The whole job's in DeepSpark's scripts, one process's in torchvision's own.
                scope=Scope.UNKNOWN,
                loss=("loss",),
                duration=("duration",),
                further=counted(("max mem", "MiB")),
            ),
            1.0,
        ),
        Statement(
            Skeleton("Epoch: [{epoch:int}] Avg img/s: {value:float}"),
            _throughput,
            1.0,
            "epoch throughput",
        ),
        Statement(
            Skeleton("EPOCH {epoch:int} Avg img/s: {value:float}"),
            _throughput,
            0.8,
            "epoch throughput",
        ),
        Statement(
            Skeleton("Epoch: [{epoch:int}] Total time: {time:duration}..."),
            _train_time,
            0.8,
            "epoch time",
        ),
        Statement(Skeleton("Epoch time {time:duration}"), _epoch_time, 0.4, "epoch time"),
        Statement(Skeleton("epoch time {time:duration}"), _epoch_time, 0.4, "epoch time"),
        Statement(
            Skeleton("* Acc@1 {acc1:float} Acc@5 {acc5:float}..."), _evaluation, 0.5, "evaluation"
        ),
        Statement(
            Skeleton("* Acc@1: {acc1:float} Acc@5: {acc5:float}..."), _evaluation, 0.5, "evaluation"
        ),
        Statement(Skeleton("* Acc@1: {acc1:float} at epoch {epoch:int}"), _best, 0.5, "best"),
        Statement(
            Skeleton("* Prec@1 {acc1:float} Prec@5 {acc5:float}..."), _evaluation, 0.2, "evaluation"
        ),
        Statement(
            Skeleton("Test: EMA Acc@1 {acc1:float} Acc@5 {acc5:float}"),
            _averaged_evaluation,
            0.6,
            "evaluation",
        ),
        Statement(
            Skeleton("Test: Acc@1 {acc1:float} Acc@5 {acc5:float}"), _evaluation, 0.6, "evaluation"
        ),
        Statement(Skeleton("mean IoU: {value:float}"), _segmentation, 0.2, "evaluation"),
        Statement(Skeleton("IoU metric: {metric:word}"), _table_of, 0.1, "evaluation table"),
        Statement(
            Skeleton(
                "Average Precision (AP) @[ IoU=0.50:0.95 | area= all | maxDets=100 ] "
                "= {value:float}"
            ),
            _average_precision,
            0.1,
            "evaluation table",
        ),
        Statement(Skeleton("Average {}..."), Reader.quiet, 0.0, "evaluation table"),
        Statement(
            Skeleton(
                "The accuracy has been exceeded {threshold:float},and the training is "
                "terminated at epoch {epoch:int}"
            ),
            _target,
            1.0,
            "target",
        ),
        Statement(Skeleton("Training time {time:duration}"), _training_time, 0.3, "training time"),
        Statement(
            Skeleton("Total training time: {time:duration}..."),
            _training_time,
            0.2,
            "training time",
        ),
        Statement(
            Skeleton("Test: [{step:int}/{steps:int}]..."), Reader.quiet, 0.3, "test progress"
        ),
        Statement(
            Skeleton("Test: EMA [{step:int}/{steps:int}]..."), Reader.quiet, 0.3, "test progress"
        ),
        Statement(
            Skeleton("Validation: [{step:int}/{steps:int}]..."), Reader.quiet, 0.3, "test progress"
        ),
        Statement(Skeleton("Test: Total time: {time:duration}..."), Reader.quiet, 0.3, "test time"),
        Statement(
            Skeleton("Test: EMA Total time: {time:duration}..."), Reader.quiet, 0.3, "test time"
        ),
        Statement(
            Skeleton("Validation: Total time: {time:duration}..."), Reader.quiet, 0.3, "test time"
        ),
        Statement(
            Skeleton("Data loading of epoch {epoch:int}: {}"), Reader.quiet, 0.6, "data loading"
        ),
        Statement(Skeleton("Start training"), _start, 0.1, "header"),
        Statement(Skeleton("Start distillation"), _start, 0.1, "header"),
        Statement(Skeleton("Namespace({args:text}"), _arguments, 0.1, "arguments"),
        Statement(Skeleton("| distributed init (rank {rank:int})..."), _rank, 0.1, "header"),
        Statement(Skeleton("Not using distributed mode"), _single, 0.1, "header"),
        Statement(
            Skeleton("read {files:int} files from {folders:int} directories"), _files, 0.1, "header"
        ),
        Statement(Skeleton("Creating model {model:word}"), _creating, 0.1, "header"),
        Statement(Skeleton("[Teacher: {}"), _whose, 0.1, "header"),
        Statement(Skeleton("[Student: {}"), _whose, 0.1, "header"),
        Statement(Skeleton("Loss is {loss:word} stopping training"), _not_a_number, 0.3, "failure"),
        Statement(
            Skeleton("Loss is {loss:word}, stopping training"), _not_a_number, 0.3, "failure"
        ),
        Statement(Skeleton("Accuracy exploded {}..."), _not_a_number, 0.5, "failure"),
    )
