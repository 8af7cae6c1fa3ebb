"""TensorFlow's tf_cnn_benchmarks: `10<tab>images/sec: 1234.5 +/- 1.2 (jitter = 3.4)<tab>7.123`.

The rate of a line is the mean since the first step, over all devices; it has no uncertainty if
only one step was timed. Some forks append the time of the line in seconds.

Source: tensorflow/benchmarks `scripts/tf_cnn_benchmarks/benchmark_cnn.py`.
"""

from __future__ import annotations

import re

from sixdim.parsers.events import Events, Metric, RunEnd, RunInfo, RunStart, Scope, Summary
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import IterationRecord
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import fact, ignored, line, progress
from sixdim.parsers.text.lines import label

_RATE = "{step:int} images/sec: {throughput:float}"
_SPREAD = " +/- {uncertainty:float} (jitter = {jitter:float})"
_ACCURACIES = " {loss:float} {top1:float} {top5:float}"
_RECORD = IterationRecord(
    step="step",
    throughput=("throughput",),
    unit="img/s",
    scope=Scope.JOB,
    loss=("loss",),
    time="time",
    figures=(
        Gauge("uncertainty", "uncertainty", "img/s", higher_is_better=False),
        Gauge("jitter", "jitter", "img/s", higher_is_better=False),
        Gauge("top1", "train.top1", "fraction"),
        Gauge("top5", "train.top5", "fraction"),
    ),
)


class TfCnnBenchmarks(Reader):
    name = "tf_cnn_benchmarks"
    title = "TensorFlow tf_cnn_benchmarks"
    example = "10\timages/sec: 2811.4 +/- 8.6 (jitter = 29.7)\t7.833"
    unread = "TensorFlow's own messages, epochs (the log counts steps alone)"

    @line("total images/sec: {value:float}", 1.0, "total")
    def _total(self, line: Line, f: Fields) -> Events:
        yield Summary(line.origin(), (Metric("total images/sec", f["value"], "img/s"),))
        yield RunEnd(line.origin())

    training = tuple(
        progress(_RATE + spread + figures + clock, _RECORD, weight)
        for spread, weight in ((_SPREAD, 1.0), ("", 0.8))
        for figures in (" {loss:float}", _ACCURACIES, "")
        for clock in (" {time:unix}", "")
        if figures or not clock
    )
    others = progress(_RATE + " {}...", _RECORD, 0.8)

    scores = evaluation(
        "Accuracy @ 1 = {acc1:float} Accuracy @ 5 = {acc5:float}...", 1.0, unit="fraction"
    )

    table = ignored("Step Img/sec total_loss...", 1.0, "header")

    @line("TensorFlow: {version:text}", 0.1, "header")
    def _start(self, line: Line, f: Fields) -> Events:
        yield RunStart(line.origin())
        yield RunInfo(line.origin(), "framework", f"TensorFlow {label(f['version'], 20)}")

    header = (
        fact("Model: {model:word}", 0.1, always=True),
        fact("Batch size: {global_batch:int} global", 0.3, always=True),
        fact("{batch_per_device:int} per device", 0.1, always=True),
    )

    @line("Devices: [{names:text}", 0.1, "header")
    def _devices(self, line: Line, f: Fields) -> Events:
        names = re.findall(r"'[^']{1,60}'", f["names"])
        if names:
            yield RunInfo(line.origin(), "devices", len(names))
