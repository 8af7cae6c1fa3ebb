"""torchtitan: two blanks between pairs, `tps` in tokens per second of one device."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from sixdim.parsers.events import Evaluation, Event, Metric, RunEnd, RunInfo, RunStart, Scope
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.printed import figures
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import Gauge, IterationRecord, further
from sixdim.parsers.statements.rows import progress
from sixdim.parsers.text.lines import Line

_DEGREES = ("pp", "dp_replicate", "dp_shard", "cp", "tp")
_NUMBERS = {"loss": "loss", "tps": "tps", "wps": "wps", "tflops": "tflops", "mfu": "mfu"}


class Torchtitan(Reader):
    """Reads one log.

    Where every rank logs (without a launcher's tag), the copies of a step that follow one
    another are read once: the loss they print is the job's, the throughput each device's.
    """

    name = "torchtitan"
    title = "torchtitan"
    example = (
        "step: 10  loss:  7.0761  grad_norm:  2.1243  memory: 66.91GiB(84.48%)  "
        "tps: 10,007  tflops: 313.36  mfu: 31.68%"
    )
    unread = (
        "the model's and the job's configuration but for batch and mesh, MFU's own FLOPs count, "
        "compile and checkpoint times, other ranks' copies of a step"
    )

    def _evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        metric = Metric("loss", f["loss"], higher_is_better=False)
        yield Evaluation(line.origin(), (metric,), step=f["step"])

    def _batch(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "batch_per_device", f["local"])
        yield RunInfo(line.origin(), "global_batch", f["all"])

    def _mesh(self, line: Line, f: Fields) -> Iterator[Event]:
        sizes = [size.strip() for size in f["sizes"].split(",")]
        if all(size.isdecimal() and len(size) < 8 for size in sizes):
            yield RunInfo(line.origin(), "devices", prod(map(int, sizes)))

    def _degrees(self, line: Line, f: Fields) -> Iterator[Event]:
        # Experts share the ranks of the other dimensions.
        yield RunInfo(line.origin(), "devices", prod(f[name] for name in _DEGREES))

    def _start(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunStart(line.origin())

    def _end(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunEnd(line.origin())

    def _model(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "model", f"{f['family']} {f['size']}")

    statements = (
        progress(
            KeyValues(
                "step: {step:int} ",
                delimiter=None,
                numbers=_NUMBERS,
                required=("loss", "memory"),
                thousands=True,
                glued=("%",),
            ),
            IterationRecord(
                step="step",
                throughput=("tps", "wps"),
                unit="tokens/s",
                scope=Scope.DEVICE,
                loss=("loss",),
                figures=(Gauge("tflops", "tflops"), Gauge("mfu", "mfu", "%")),
                once=("step", "loss"),
                further=further(figures, _NUMBERS),
            ),
            1.0,
        ),
        Statement(
            KeyValues(
                "validate step: {step:int} ",
                delimiter=None,
                numbers={"loss": "loss"},
                required=("loss",),
            ),
            _evaluation,
            1.0,
            "evaluation",
        ),
        Statement(
            Skeleton("Building {}D device mesh with [{}], [{sizes:until}]"), _mesh, 0.3, "header"
        ),
        Statement(
            Skeleton(
                "Building device mesh with parallelism: "
                + ", ".join(f"{name}={{{name}:int}}" for name in _DEGREES)
                + "..."
            ),
            _degrees,
            0.3,
            "header",
        ),
        Statement(Skeleton("Starting job: {}..."), _start, 0.3, "header"),
        Statement(
            Skeleton(
                "Trainer is initialized with local batch size {local:int}, "
                "global batch size {all:int}..."
            ),
            _batch,
            0.6,
            "header",
        ),
        Statement(Skeleton("Model {family:word} {size:word} size: {}..."), _model, 0.2, "header"),
        Statement(Skeleton("Training completed"), _end, 0.2, "end"),
    )
