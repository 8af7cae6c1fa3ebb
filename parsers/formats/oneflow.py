"""OneFlow-Benchmark: ResNet, BERT, InsightFace and Wide & Deep.

A metric line ends in the clock it was printed at, in seconds since 1970.
"""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import (
    Evaluation,
    Event,
    Iteration,
    Metric,
    Origin,
    Problem,
    RunInfo,
    RunStart,
    Scope,
)
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.pairs import figures
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.paddle import metrics_of
from sixdim.parsers.statements.record import IterationRecord, further
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_CLOCK = pattern(r"[ \t](\d{9,10})(?:\.(\d{1,9}))?$")
_RECORD = IterationRecord(
    epoch="epoch",
    step="step",
    throughput=("throughput",),
    unit="samples/s",
    scope=Scope.JOB,
    loss=("loss",),
    time="clock",
    further=further(figures, ("loss", "total_loss", "samples/s", "throughput")),
)
_NAMES = {"top_1": "acc1", "top_k": "acc5", "top_5": "acc5"}


def stamped(line: Line) -> Origin:
    """The line's origin with the clock at its end."""
    found = _CLOCK.search(line.text.rstrip())
    if found is None:
        return line.origin()
    fraction = (found[2] or "0").ljust(6, "0")[:6]
    return line.origin()._replace(time_us=int(found[1]) * 1_000_000 + int(fraction))


class OneFlow(Reader):
    """Reads one log of OneFlow-Benchmark; its speed is that of all devices."""

    name = "oneflow"
    title = "OneFlow-Benchmark"
    example = "train: epoch 0, iter 20, loss: 7.13, samples/s: 3988.891 1597933942.986"
    unread = "the configuration but for sizes and precision, and memory"

    def __init__(self) -> None:
        self._nodes = self._local = 0
        self._clocked_before = self._dated = False

    def _iteration(self, line: Line, f: Fields) -> Iterator[Event]:
        rate = f["pairs"].get("samples/s", f["pairs"].get("throughput"))
        if rate is not None and "throughput" not in f:
            # Nothing but the clock behind the name of the figure, or None.
            text = f"samples/s is {rate!r}: no figure"
            yield Problem(line.origin(), "no_throughput", text)
        self._dated = self._dated or line.time_us is not None
        if self._clocked_before and "clock" not in f:
            text = "iteration line cut short in front of its clock"
            yield Problem(line.origin(), "cut_line", text)
            return
        self._clocked_before = "clock" in f
        yield from _RECORD.read(self, line, f)

    def _bare(self, line: Line, f: Fields) -> Iterator[Event]:
        for event in _RECORD.read(self, line, {**f, "pairs": {}}):
            yield event._replace(at=stamped(line))

    def _clocked(self, line: Line, f: Fields) -> Iterator[Event]:
        at = line.origin()._replace(time_us=f["time"])
        yield Iteration(
            at,
            epoch=None,
            step=f["step"],
            loss=f["loss"],
            values=(Metric("time", f["time"] / 1e6, "s"),),
        )

    def _latency(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Iteration(
            line.origin()._replace(time_us=f["clock"], rank=f["rank"]),
            epoch=None,
            step=f["step"],
            steps=f["steps"],
            loss=f["loss"],
            duration=f["latency"] / 1000,
        )

    def _evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        found = metrics_of(f["pairs"], "fraction", _NAMES)
        metrics = tuple(m for m in found if m.name in ("acc1", "acc5", "loss"))
        if metrics:
            yield Evaluation(stamped(line), metrics, epoch=f["epoch"])

    def _model(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunStart(line.origin())
        yield RunInfo(line.origin(), "model", f["model"])

    def _batch(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "batch_per_device", f["batch"])

    def _epochs(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "epochs_planned", f["epochs"])

    def _samples(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "samples_per_epoch", f["samples"])

    def _precision(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "precision", "fp16" if f["on"] in ("True", "1") else "fp32")

    def _devices(self, line: Line, f: Fields) -> Iterator[Event]:
        self._nodes = f.get("nodes", self._nodes)
        self._local = f.get("local", self._local)
        if "nodes" in f:
            yield RunInfo(line.origin(), "nodes", self._nodes)
        if self._nodes and self._local:
            yield RunInfo(line.origin(), "devices", self._nodes * self._local)

    statements = (
        Statement(
            KeyValues(
                "train: epoch {epoch:int}, iter {step:int}, ",
                delimiter=", ",
                numbers={"loss": "loss", "throughput": "samples/s"},
                clock="clock",
            ),
            _iteration,
            1.0,
            "iteration",
        ),
        Statement(
            KeyValues(
                "step: {step:int}, ",
                delimiter=", ",
                numbers={"loss": "total_loss", "throughput": "throughput"},
                required=("total_loss", "throughput"),
                clock="clock",
            ),
            _iteration,
            1.0,
            "iteration",
        ),
        Statement(
            Skeleton(
                "train: iter {step:int}, loss {loss:float}, throughput: {throughput:float}..."
            ),
            _bare,
            1.0,
            "iteration",
        ),
        Statement(
            Skeleton("{step:int} time {time:unix} loss {loss:float}..."),
            _clocked,
            0.6,
            "iteration",
        ),
        Statement(
            Skeleton(
                "[rank:{rank:int}] iter: {step:int}/{steps:int}, loss: {loss:float}, "
                "latency(ms): {latency:float} | {clock:moment}"
            ),
            _latency,
            1.0,
            "iteration",
        ),
        Statement(
            KeyValues(
                "validation: epoch {epoch:int}, iter {step:int}, ", delimiter=", ", numbers={}
            ),
            _evaluation,
            1.0,
            "evaluation",
        ),
        Statement(Skeleton("model = {model:word}"), _model, 0.0, "header"),
        Statement(Skeleton("batch_size_per_device = {batch:int}"), _batch, 0.3, "header"),
        Statement(Skeleton("gpu_num_per_node = {local:int}"), _devices, 0.3, "header"),
        Statement(Skeleton("num_nodes = {nodes:int}"), _devices, 0.0, "header"),
        Statement(Skeleton("num_epochs = {epochs:int}"), _epochs, 0.0, "header"),
        Statement(Skeleton("num_examples = {samples:int}"), _samples, 0.0, "header"),
        Statement(Skeleton("use_fp16 = {on:word}"), _precision, 0.0, "header"),
    )
