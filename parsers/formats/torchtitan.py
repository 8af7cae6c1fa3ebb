"""torchtitan: pairs separated by two blanks; `tps` is the tokens per second of one device.

If every rank logs, without a launcher's tag, consecutive lines of one step and loss are read once:
the loss is that of the job, the throughput that of a device.
"""

from math import prod

from sixdim.parsers.events import Events, RunInfo, Scope
from sixdim.parsers.grammar.shapes.figures import as_whole
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import ends, fact, line, progress, starts

_DEGREES = ("pp", "dp_replicate", "dp_shard", "cp", "tp")
_NUMBERS = {"loss": "loss", "tps": "tps", "wps": "wps", "tflops": "tflops", "mfu": "mfu"}
_RECORD = NamedRecord(
    throughput=("tps", "wps"),
    unit="tokens/s",
    scope=Scope.DEVICE,
    figures=(Gauge("tflops", "tflops"), Gauge("mfu", "mfu", "%")),
    once=("step", "loss"),
    further=further(*_NUMBERS),
)


class Torchtitan(Reader):
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

    training = progress(
        KeyValues(
            "step: {step:int} ",
            delimiter=None,
            numbers=_NUMBERS,
            required=("loss", "memory"),
            thousands=True,
            glued=("%",),
        ),
        _RECORD,
        1.0,
    )

    losses = evaluation("validate step: {step:int} loss: {loss:float} {}", 1.0)

    @line("Building {}D device mesh with [{}], [{sizes:until}]", 0.3, "header")
    def _mesh(self, line: Line, f: Fields) -> Events:
        sizes = [as_whole(size.strip()) for size in f["sizes"].split(",")]
        if None not in sizes:
            yield RunInfo(line.origin(), "devices", prod(size or 0 for size in sizes))

    @line(
        "Building device mesh with parallelism: "
        + ", ".join(f"{name}={{{name}:int}}" for name in _DEGREES)
        + "...",
        0.3,
        "header",
    )
    def _degrees(self, line: Line, f: Fields) -> Events:
        # Expert parallelism uses the ranks of the other dimensions.
        yield RunInfo(line.origin(), "devices", prod(f[name] for name in _DEGREES))

    start = starts(("torchtitan version: {}...", "Starting job: {}..."), 0.3)
    batch = fact(
        tuple(
            f"Trainer is initialized with {sizes}..."
            for sizes in (
                "local batch size {batch_per_device:int}, global batch size {global_batch:int}, "
                "{}total steps {steps_planned:int} ",
                "local batch size {batch_per_device:int}, global batch size {global_batch:int}",
                "{:int} tokens per DP rank, {}total steps {steps_planned:int} ",
            )
        ),
        0.6,
        always=True,
    )

    @line("Model {family:word} {size:word} size: {}...", 0.2, "header")
    def _model(self, line: Line, f: Fields) -> Events:
        yield RunInfo(line.origin(), "model", f"{f['family']} {f['size']}")

    completed = ends("Training completed", 0.2)
