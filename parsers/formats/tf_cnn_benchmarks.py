"""TensorFlow's tf_cnn_benchmarks: `10<tab>images/sec: 1234.5 +/- 1.2 (jitter = 3.4)<tab>7.123`.

The rate of a line is the mean since the first step, over all devices of the process that prints it:
of the job, unless several workers train. It has no uncertainty if only one step was timed. Some
forks append the time of the line in seconds.

Source: tensorflow/benchmarks `scripts/tf_cnn_benchmarks/benchmark_cnn.py`.
"""

import re
from collections.abc import Mapping
from typing import Any

from sixdim.parsers.events import (
    Evaluation,
    Events,
    Iteration,
    Metric,
    RunEnd,
    RunInfo,
    RunStart,
    Scope,
    Summary,
)
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import IterationRecord
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import fact, ignored, line, progress, remembers
from sixdim.parsers.text.lines import label

_RATE = "{step:int} images/sec: {throughput:float}"
_SPREAD = " +/- {uncertainty:float} (jitter = {jitter:float})"
_MEANS = "means_since", 0
"""Steps are those that were timed: they count from the end of the warm-up."""
_ACCURACIES = " {loss:float} {top1:float} {top5:float}"


class _ProcessRecord(IterationRecord):
    """The rate of the process that prints it, whose scope is that of the log's reader."""

    def read(self, reader: Any, line: Line, fields: Fields) -> tuple[Any, ...]:
        """See `IterationRecord.read`."""
        events = super().read(reader, line, fields)
        return (
            *reader.report(line.origin(), *_MEANS),
            *(
                one._replace(scope=reader.scope) if type(one) is Iteration and one.unit else one
                for one in events
            ),
        )

    def unusual(
        self, values: Mapping[str, str], pairs: Mapping[str, str], scope: dict[str, Any]
    ) -> list[str]:
        """See `IterationRecord.unusual`: the first line, and a rate that is not the job's."""
        scope["job"] = self.scope
        first = "'means_since' not in reader.facts"
        return [f"if reader.scope is not job or {first}: return None"]


_RECORD = _ProcessRecord(
    step="step",
    throughput=("throughput",),
    mean_throughput="throughput",
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

    scope = Scope.JOB
    """Whose rates the log has."""
    _is_single_session = ""
    _step: int | None = None
    _is_last = _is_stopped = False
    """Whether the evaluation is the final one, and whether there will be none."""
    _global_batch = _devices_of_job = 0

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

    at_step = remembers("Running evaluation at global_step {_step:int}", 0.3, "evaluation")
    final = remembers(
        "Running final evaluation at global_step {_step:int}", 0.3, "evaluation", _is_last=True
    )
    stopped = remembers(
        ("Stopping, as eval accuracy at least {}", "Stopping, as the model indicates {}"),
        0.3,
        "early stop",
        _is_stopped=True,
    )

    @line("Accuracy @ 1 = {acc1:float} Accuracy @ 5 = {acc5:float}...", 1.0, "evaluation")
    def _accuracy(self, line: Line, f: Fields) -> Events:
        scores = tuple(Metric(name, f[name], "fraction") for name in ("acc1", "acc5"))
        yield Evaluation(line.origin(), scores, step=self._step)
        if self._is_last:
            yield RunEnd(line.origin())

    @line("Done with training", 0.1, "end")
    def _done(self, line: Line, _f: Fields) -> Events:
        if self._is_stopped:  # else a last evaluation follows
            yield RunEnd(line.origin())

    table = ignored("Step Img/sec total_loss...", 1.0, "header")

    @line("TensorFlow: {version:text}", 0.1, "header")
    def _start(self, line: Line, f: Fields) -> Events:
        self.scope, self._step = Scope.JOB, None
        self._is_last = self._is_stopped = False
        yield RunStart(line.origin())
        self.facts.pop("means_since", None)
        yield from self.report(line.origin(), *_MEANS)
        yield RunInfo(line.origin(), "framework", f"TensorFlow {label(f['version'], 20)}")

    model = fact("Model: {model:word}", 0.1, always=True)
    session = remembers("SingleSess: {_is_single_session:word}", 0.1, "header")

    @line("Batch size: {global_batch:int} global", 0.3, "header")
    def _batch(self, line: Line, f: Fields) -> Events:
        self._global_batch = f["global_batch"]
        yield RunInfo(line.origin(), "global_batch", self._global_batch)

    @line("{batch:int} per device", 0.1, "header")
    def _batch_per_device(self, line: Line, f: Fields) -> Events:
        self._devices_of_job = self._global_batch // f["batch"] if f["batch"] else 0
        yield RunInfo(line.origin(), "batch_per_device", f["batch"])

    @line("Devices: [{names:text}", 0.1, "header")
    def _devices(self, line: Line, f: Fields) -> Events:
        names = re.findall(r"'[^']{1,60}'", f["names"])
        if not names:
            return
        # Without a common session a worker lists its own devices, or with Horovod those of all.
        devices = self._devices_of_job or len(names)
        own = 1 if names[0].startswith("'horovod/") else len(names)
        if devices > own and self._is_single_session != "True":
            self.scope = Scope.DEVICE if own == 1 else Scope.UNKNOWN
        yield RunInfo(line.origin(), "devices", devices)
