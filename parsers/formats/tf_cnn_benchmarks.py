"""TensorFlow's tf_cnn_benchmarks: `10<tab>images/sec: 1234.5 +/- 1.2 (jitter = 3.4)<tab>7.123`.

The rate of a line is the mean since the first step, over all devices; the uncertainty is left
out where only one step was timed. Some forks append the time of the line in seconds.

Source: tensorflow/benchmarks `scripts/tf_cnn_benchmarks/benchmark_cnn.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sixdim.parsers.events import (
    Evaluation,
    Event,
    Iteration,
    Metric,
    RunEnd,
    RunInfo,
    RunStart,
    Scope,
    Summary,
)
from sixdim.parsers.grammar.holes import number
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import Gauge, IterationRecord
from sixdim.parsers.statements.rows import progress
from sixdim.parsers.text.lines import Line, label

_SPREAD = (
    "{step:int} images/sec: {throughput:float} +/- {uncertainty:float} (jitter = {jitter:float})"
)


_RECORD = IterationRecord(
    step="step",
    throughput=("throughput",),
    unit="img/s",
    scope=Scope.JOB,
    loss=("loss",),
    figures=(
        Gauge("uncertainty", "uncertainty", "img/s", higher_is_better=False),
        Gauge("jitter", "jitter", "img/s", higher_is_better=False),
    ),
)


class TfCnnBenchmarks(Reader):
    """Reads one log."""

    name = "tf_cnn_benchmarks"
    title = "TensorFlow tf_cnn_benchmarks"
    example = "10\timages/sec: 2811.4 +/- 8.6 (jitter = 29.7)\t7.833"
    unread = "TensorFlow's own messages, epochs (the log counts steps alone)"

    def _iteration(self, line: Line, f: Fields) -> Iterator[Event]:
        at = line.origin()
        cells = f["rest"].split()
        if cells and re.fullmatch(r"1\d{9}(?:\.\d{1,9})?", cells[-1]):
            at = at._replace(time_us=round(float(cells.pop()) * 1_000_000))
        figures = [_figure(cell) for cell in cells[:3]]
        values = [Metric(k, f[k], "img/s", False) for k in ("uncertainty", "jitter") if k in f]
        for name, figure in zip(("top1", "top5"), figures[1:], strict=False):
            if figure is not None:
                values.append(Metric(f"train.{name}", figure, "fraction"))
        yield Iteration(
            at,
            None,
            f["step"],
            None,
            f["throughput"],
            "img/s",
            Scope.JOB,
            figures[0] if figures else None,
            values=tuple(values),
        )

    def _total(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Summary(line.origin(), (Metric("total images/sec", f["value"], "img/s"),))
        yield RunEnd(line.origin())

    def _accuracy(self, line: Line, f: Fields) -> Iterator[Event]:
        metrics = tuple(Metric(k, f[k], "fraction") for k in ("acc1", "acc5"))
        yield Evaluation(line.origin(), metrics)

    def _start(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunStart(line.origin())
        yield RunInfo(line.origin(), "framework", f"TensorFlow {label(f['version'], 20)}")

    def _model(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "model", label(f["model"], 60))

    def _batch(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "global_batch", f["size"])

    def _device_batch(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "batch_per_device", f["size"])

    def _devices(self, line: Line, f: Fields) -> Iterator[Event]:
        names = re.findall(r"'[^']{1,60}'", f["names"][:20_000])
        if names:
            yield RunInfo(line.origin(), "devices", len(names))

    statements = (
        Statement(Skeleton("total images/sec: {value:float}"), _total, 1.0, "total"),
        progress(Skeleton(_SPREAD + " {loss:float}"), _RECORD, 1.0),
        Statement(
            Skeleton(_SPREAD + "{rest:text}"),
            _iteration,
            1.0,
            "iteration",
        ),
        Statement(
            Skeleton("{step:int} images/sec: {throughput:float}{rest:text}"),
            _iteration,
            0.8,
            "iteration",
        ),
        Statement(
            Skeleton("Accuracy @ 1 = {acc1:float} Accuracy @ 5 = {acc5:float}..."),
            _accuracy,
            1.0,
            "evaluation",
        ),
        Statement(Skeleton("Step Img/sec total_loss..."), Reader.quiet, 1.0, "header"),
        Statement(Skeleton("TensorFlow: {version:text}"), _start, 0.1, "header"),
        Statement(Skeleton("Model: {model:word}"), _model, 0.1, "header"),
        Statement(Skeleton("Batch size: {size:int} global"), _batch, 0.3, "header"),
        Statement(Skeleton("{size:int} per device"), _device_batch, 0.1, "header"),
        Statement(Skeleton("Devices: [{names:text}"), _devices, 0.1, "header"),
    )


def _figure(text: str) -> float | None:
    try:
        return number(text)
    except ValueError:
        return None
