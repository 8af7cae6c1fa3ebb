"""MXNet: the Module API's Speedometer and Gluon training scripts (GluonCV, GluonNLP, NGC)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Iteration,
    Metric,
    Origin,
    RunEnd,
    RunInfo,
    RunStart,
    Scope,
)
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.pairs import figure, figures
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements import closing_table
from sixdim.parsers.statements.closing_table import ClosingTable
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.gluon_evaluation import GLUON_EVALUATIONS, GluonEvaluations
from sixdim.parsers.statements.record import IterationRecord, further
from sixdim.parsers.statements.rows import progress
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_ARGUMENT = pattern(r"[(,\s](\w{1,40})=('[^']{0,200}'|[^\s,)]{1,60})")
_PRECISION = {"float16": "fp16", "float32": "fp32"}

_LOSS = {"loss": "loss"}
_BATCHES = tuple(
    KeyValues(head + " Speed: {throughput:float} samples/sec", separator="=", numbers=_LOSS)
    for head in (
        "Epoch[{epoch:int}] Batch [{first:int}-{step:int}]",
        "Epoch[{epoch:int}] Batch [{step:int}]",
        "Epoch[{epoch:int}] Batch[{step:int}]",
        "Iter[{epoch:int}] Batch [{step:int}]",
        "Iter[{epoch:int}] Batch[{step:int}]",
    )
)
# Older Speedometers repeat the line for every metric.
_BATCH = IterationRecord(
    epoch="epoch",
    step="step",
    throughput=("throughput",),
    unit="samples/s",
    scope=Scope.JOB,
    loss=("loss",),
    once=("epoch", "step", "throughput"),
    further=further(figures, ("loss",)),
)


# GluonCV's detectors, with and without the learning rate.
_DETECTOR_BATCHES = tuple(
    KeyValues(
        "[Epoch {epoch:int}][Batch {step:int}], "
        + rate
        + "Speed: {throughput:float} samples/sec, ",
        delimiter=",",
        separator="=",
        numbers=_LOSS,
    )
    for rate in ("", "LR: {lr:float}, ")
)


class MXNet(GluonEvaluations):
    """Reads one log of MXNet.

    Speedometer and the Gluon scripts multiply by the batch of all devices, and under Horovod
    every rank prints the whole job's speed.
    """

    name = "mxnet"
    title = "MXNet Module and Gluon: Speedometer, GluonCV, NGC"
    example = "INFO:root:Epoch[0] Batch [50]\tSpeed: 305.32 samples/sec\tTrain-accuracy=0.001016"
    unread = (
        "per-class evaluations but for their mean, learning-rate changes, profiler output, "
        "storage messages of other ranks"
    )

    def __init__(self) -> None:
        super().__init__()
        self._grid = ClosingTable()
        self._last: tuple[int, int] | None = None
        self._printed: dict[int | None, Iteration] = {}

    def note(self, last: Iteration) -> None:
        """As `Reader.note`; under Horovod every rank prints the same lines."""
        self._printed[last.at.rank] = last

    def before(self, at: Origin) -> Iteration | None:
        """As `Reader.before`."""
        return self._printed.get(at.rank)

    def _loss(self, line: Line, f: Fields) -> Iterator[Event]:
        self._last = (f["epoch"], f["step"])
        yield Iteration(line.origin(), f["epoch"], f["step"], loss=f["loss"])

    def _rank(self, line: Line, f: Fields) -> Iterator[Event]:
        time = figure("time", f["pairs"].get("Time cost", ""))
        values = figures(f["pairs"], ("Time cost",))
        if time is not None:
            yield EpochEnd(line.origin(), f["epoch"], train_time=time.value, values=values)
        elif self._last != (f["epoch"], f["step"]):  # the loss of this batch has been printed
            self._last = (f["epoch"], f["step"])
            yield Iteration(line.origin(), f["epoch"], f["step"], values=values)

    def _bar(self, line: Line, f: Fields) -> Iterator[Event]:
        # A bar redraws itself before and after it steps: each batch counts once.
        if self._last != (f["epoch"], f["step"]):
            self._last = (f["epoch"], f["step"])
            yield Iteration(line.origin(), f["epoch"], f["step"], steps=f["steps"], loss=f["loss"])

    def _latency(self, line: Line, f: Fields) -> Iterator[Event]:
        pairs = f["pairs"]
        # Printed in thousands: `throughput=13.4K tks/s`.
        speed = re.match(r"(\d{1,9}(?:\.\d{1,9})?)K tks/s", pairs.get("throughput", ""))
        latency = figure("latency", pairs.get("latency", "").partition("/")[0])
        loss = figure("loss", pairs.get("mlm_loss", ""))
        yield Iteration(
            line.origin(),
            epoch=None,
            step=f["step"],
            throughput=float(speed[1]) if speed else None,
            unit="K tokens/s" if speed else "",
            scope=Scope.UNKNOWN,
            loss=loss.value if loss else None,
            duration=latency.value / 1000 if latency else None,
            values=figures({**pairs, "latency": pairs.get("latency", "").partition("/")[0]}),
        )

    def _speed(self, line: Line, f: Fields) -> Iterator[Event]:
        yield EpochEnd(
            line.origin(),
            f["epoch"],
            throughput=f["throughput"],
            unit="samples/s",
            scope=Scope.JOB,
            epoch_time=f.get("time"),
        )

    def _train_time(self, line: Line, f: Fields) -> Iterator[Event]:
        rate = f.get("throughput")
        yield EpochEnd(
            line.origin(),
            f["epoch"],
            throughput=rate,
            unit="" if rate is None else "samples/s",
            scope=Scope.UNKNOWN if rate is None else Scope.JOB,
            train_time=f["time"],
            values=figures(f.get("pairs", {})),
        )

    def _train_metrics(self, line: Line, f: Fields) -> Iterator[Event]:
        yield EpochEnd(line.origin(), f["epoch"], values=figures(f["pairs"]))

    def _cifar(self, line: Line, f: Fields) -> Iterator[Event]:
        at, values = (
            line.origin(),
            (Metric("train", f["train"]), Metric("loss", f["loss"], "", False)),
        )
        yield Evaluation(at, (Metric("acc1", f["val"], "fraction"),), epoch=f["epoch"])
        yield EpochEnd(at, f["epoch"], epoch_time=f["time"], values=values)

    def _arguments(self, line: Line, f: Fields) -> Iterator[Event]:
        if line.rank:
            return
        at = line.origin()
        yield RunStart(at)
        found = {k: v.strip("'") for k, v in _ARGUMENT.findall(line.text[:20_000])}
        numbers = (
            ("num_epochs", "epochs_planned"),
            ("epochs", "epochs_planned"),
            ("num_examples", "samples_per_epoch"),
            ("num_gpus", "devices"),
            ("ngpus", "devices"),
        )
        for key, fact in numbers:
            if found.get(key, "").isdigit():
                yield RunInfo(at, fact, int(found[key]))
        gpus = found.get("gpus", "")
        if re.fullmatch(r"\d{1,3}(?:,\d{1,3})*+", gpus):
            yield RunInfo(at, "devices", gpus.count(",") + 1)
        for key in ("model", "network", "arch"):
            if found.get(key, "None") != "None":
                yield RunInfo(at, "model", found[key])
        if found.get("dtype") in _PRECISION:
            yield RunInfo(at, "precision", _PRECISION[found["dtype"]])
        elif found.get("amp") in ("True", "False"):
            yield RunInfo(at, "precision", "amp" if found["amp"] == "True" else "fp32")

    def _contexts(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "devices", f["contexts"].count("pu("))

    def _gpus(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "devices", f["gpus"])

    def _took(self, line: Line, f: Fields) -> Iterator[Event]:
        if not line.rank:
            yield RunEnd(line.origin(), f["time"])

    def _grid_name(self, line: Line, f: Fields) -> Iterator[Event]:
        return self._grid.name(line, f)

    def _grid_head(self, line: Line, f: Fields) -> Iterator[Event]:
        return self._grid.head(line, f)

    def _grid_row(self, line: Line, f: Fields) -> Iterator[Event]:
        return self._grid.row(line, f)

    statements = (
        *(progress(shape, _BATCH, 1.0) for shape in (*_BATCHES, *_DETECTOR_BATCHES)),
        Statement(
            Skeleton("Epoch[{epoch:int}] Batch[{step:int}] Loss[{loss:float}]"),
            _loss,
            0.8,
            "iteration",
        ),
        Statement(
            KeyValues(
                "Epoch[{epoch:int}] Rank[{rank:int}] Batch[{step:int}]", separator="=", numbers={}
            ),
            _rank,
            0.8,
            "iteration",
        ),
        Statement(
            Skeleton(
                "Epoch {epoch:int}, training loss {loss:float}: {}%|{}| {step:int}/{steps:int} [..."
            ),
            _bar,
            0.8,
            "iteration",
        ),
        Statement(
            KeyValues("[step {step:int}]", separator="=", numbers={}, required=("mlm_loss",)),
            _latency,
            0.9,
            "iteration",
        ),
        Statement(
            Skeleton("Epoch[{epoch:int}] Speed: {throughput:float} samples/sec"),
            _speed,
            1.0,
            "epoch throughput",
        ),
        Statement(
            Skeleton(
                "[Epoch {epoch:int}] speed: {throughput:float} samples/sec time cost: {time:float}"
            ),
            _speed,
            1.0,
            "epoch throughput",
        ),
        Statement(
            Skeleton("Epoch[{epoch:int}] Time cost={time:float}"), _train_time, 1.0, "epoch time"
        ),
        Statement(
            Skeleton(
                "[Epoch {epoch:int}] Training cost: {time:float}, "
                "Speed: {throughput:float} samples/sec, {}"
            ),
            _train_time,
            1.0,
            "epoch throughput",
        ),
        Statement(
            KeyValues(
                "[Epoch {epoch:int}] Training cost: {time:float},",
                delimiter=",",
                separator="=",
                numbers={},
            ),
            _train_time,
            1.0,
            "epoch time",
        ),
        Statement(
            KeyValues("Epoch[{epoch:int}] Train-", separator="=", numbers={}),
            _train_metrics,
            0.8,
            "epoch",
        ),
        Statement(
            KeyValues("[Epoch {epoch:int}] training: ", separator="=", delimiter=None, numbers={}),
            _train_metrics,
            0.8,
            "epoch",
        ),
        Statement(
            Skeleton(
                "[Epoch {epoch:int}] train={train:float} val={val:float} loss={loss:float} "
                "time: {time:float}"
            ),
            _cifar,
            1.0,
            "epoch",
        ),
        Statement(Skeleton("Start with arguments Namespace({}"), _arguments, 0.2, "arguments"),
        Statement(Skeleton("Namespace({}"), _arguments, 0.0, "arguments"),
        Statement(Skeleton("Start training with [{contexts:text}"), _contexts, 0.3, "header"),
        Statement(
            Skeleton("Start training from [Epoch {epoch:int}]"),
            GluonEvaluations.quiet,
            0.5,
            "header",
        ),
        Statement(Skeleton("Number of GPUs: {gpus:int}"), _gpus, 0.1, "header"),
        Statement(Skeleton("Starting Epoch: {}"), GluonEvaluations.quiet, 0.1, "header"),
        Statement(Skeleton("Total Epoches: {}"), GluonEvaluations.quiet, 0.3, "header"),
        Statement(
            Skeleton("Starting epoch {epoch:int}"), GluonEvaluations.quiet, 0.0, "epoch begin"
        ),
        Statement(
            Skeleton("Epoch[{epoch:int}] Resetting Data Iterator"),
            GluonEvaluations.quiet,
            0.5,
            "epoch",
        ),
        Statement(
            Skeleton("Update[{update:int}]: Change learning rate {}"),
            GluonEvaluations.quiet,
            0.3,
            "rate",
        ),
        Statement(Skeleton("Saved checkpoint to {}"), GluonEvaluations.quiet, 0.1, "checkpoint"),
        Statement(
            Skeleton("[Epoch {epoch:int} Iteration {}"),
            GluonEvaluations.quiet,
            0.3,
            "learning rate",
        ),
        Statement(
            Skeleton("[Epoch {epoch:int}] Saving parameters {}"),
            GluonEvaluations.quiet,
            0.3,
            "checkpoint",
        ),
        Statement(Skeleton("Experiment took: {time:float} sec"), _took, 0.5, "total time"),
        Statement(closing_table.NAME, _grid_name, 0.1, "closing table"),
        Statement(closing_table.HEAD, _grid_head, 0.0, "closing table"),
        Statement(closing_table.ROW, _grid_row, 0.0, "closing table"),
        *GLUON_EVALUATIONS,
    )
