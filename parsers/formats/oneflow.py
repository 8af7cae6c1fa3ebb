"""OneFlow-Benchmark: ResNet, BERT, InsightFace and Wide & Deep.

A line of figures ends with the time in seconds since 1970. The speed is that of all devices.
"""

from sixdim.parsers.events import Evaluation, Events, Metric, Problem, Scope
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import fact, line, progress, starts

_RECORD = NamedRecord(
    unit="samples/s",
    scope=Scope.JOB,
    time="clock",
    further=further("loss", "total_loss", "samples/s", "throughput"),
)
_STEP = NamedRecord(unit="samples/s", scope=Scope.JOB, milliseconds=True, time="clock")
_BARE = "train: iter {step:int}, loss {loss:float}, throughput: {throughput:float}"
_NAMES = {
    "top_1": ("acc1", "fraction"),
    **dict.fromkeys(("top_k", "top_5"), ("acc5", "fraction")),
    "loss": ("loss", ""),
}


class OneFlow(Reader):
    name = "oneflow"
    title = "OneFlow-Benchmark"
    own_clock = True
    example = "train: epoch 0, iter 20, loss: 7.13, samples/s: 3988.891 1597933942.986"
    unread = "the configuration but for sizes and precision, and memory"

    _clocked = False
    """Whether its lines have a clock."""

    @line(
        (
            KeyValues(
                "train: epoch {epoch:int}, iter {step:int}, ",
                delimiter=", ",
                numbers={"loss": "loss", "throughput": "samples/s"},
                clock="clock",
            ),
            KeyValues(
                "step: {step:int}, ",
                delimiter=", ",
                numbers={"loss": "total_loss", "throughput": "throughput"},
                required=("total_loss", "throughput"),
                clock="clock",
            ),
        ),
        1.0,
        "iteration",
        _RECORD,
    )
    def _iteration(self, line: Line, f: Fields) -> Events:
        self._clocked |= "clock" in f
        if self._clocked and "clock" not in f:  # cut: the last figure may have lost digits
            text = "iteration line cut short in front of its clock"
            return (Problem(line.origin(), "cut_line", text),)
        return _RECORD.read(self, line, f)

    bare = progress(_BARE + " {clock:unix}", _STEP, 1.0), progress(_BARE + "...", _STEP, 1.0)

    @line("{step:int} time {clock:unix} loss {loss:float}...", 0.6, "iteration")
    def _clocked_step(self, line: Line, f: Fields) -> Events:
        (event,) = _STEP.read(self, line, f)
        return (event._replace(values=(Metric("time", f["clock"] / 1e6, "s"),)),)

    latency = progress(
        # An envelope removes `[rank:0]` in front.
        "iter: {step:int}/{steps:int}, loss: {loss:float}, "
        "latency(ms): {duration:float} | {clock:moment}",
        _STEP,
        1.0,
    )

    @line(
        KeyValues(
            "validation: epoch {epoch:int}, iter {step:int}, ", delimiter=", ", clock="clock"
        ),
        1.0,
        "evaluation",
    )
    def _evaluation(self, line: Line, f: Fields) -> Events:
        known = {name: text for name, text in f["pairs"].items() if name in _NAMES}
        at = line.origin()._replace(time_us=f.get("clock", line.time_us))
        yield Evaluation(at, figures(known, names=_NAMES), epoch=f["epoch"])

    header = starts("model = {model:word}", 0.0)

    sizes = (
        fact("batch_size_per_device = {batch_per_device:int}", 0.3, always=True),
        fact("gpu_num_per_node = {devices_per_node:int}", 0.3, always=True),
        fact("num_nodes = {nodes:int}", 0.0, always=True),
        fact("num_epochs = {epochs_planned:int}", 0.0, always=True),
        fact("num_examples = {samples_per_epoch:int}", 0.0, always=True),
        fact(("use_fp16 = True", "use_fp16 = 1"), 0.0, always=True, precision="fp16"),
        fact("use_fp16 = {}", 0.0, always=True, precision="fp32"),
    )
