"""llm.c: the console of `train_gpt2cu`, and the short `main.log` that it writes."""

from sixdim.parsers.events import Evaluation, Events, RunInfo, RunStart, Scope
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.figure_rows import summary
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import fact, line, progress

_RECORD = NamedRecord(
    unit="tokens/s",
    scope=Scope.JOB,
    milliseconds=True,
    figures=(Gauge("norm", "norm"), Gauge("lr", "lr"), Gauge("mfu", "mfu", "%")),
)
_PRINTED = (
    "step {step:int}/{steps:int} | loss {loss:float} {}| norm {norm:float} {}| lr {lr:float} | "
    "{duration:float} ms | "
)
_TRAIN_LOSS = "step {step:int}/{steps:int}: train loss {loss:float} "
_SPEED = "({duration:float} ms, {throughput:float} tok/s)"


class LlmC(Reader):
    name = "llmc"
    title = "llm.c (console and main.log)"
    example = (
        "step   10/19560 | loss 9.932123 (-1.20z)| norm 3.8512 (+0.10z)| lr 8.57e-06 | "
        "431.20 ms | 41.3% bf16 MFU | 1215873 tok/s"
    )
    unread = (
        "the table of settings but for precision and processes, generated text, checkpoints, "
        "z-scores"
    )

    training = progress(
        (
            # Negative where the device's peak is not known to llm.c.
            _PRINTED + "-{:float}% {} MFU | {throughput:float} tok/s",
            _PRINTED + "{mfu:float}% {} MFU | {throughput:float} tok/s",
            "step {step:int}/{steps:int} | train loss {loss:float} | norm {norm:float} | "
            "lr {lr:float} | ({duration:float} ms | {throughput:float} tok/s)",
            _TRAIN_LOSS + _SPEED,
            _TRAIN_LOSS + "(acc {}) " + _SPEED,
            "step {step:int}: train loss {loss:float} (took {duration:float} ms)",
            KeyValues("s:{step:int} trl:{loss:float}", delimiter=None),
        ),
        _RECORD,
        1.0,
    )

    @line("s:{step:int} tel:{loss:float}", 1.0, "evaluation")
    @line("val loss {loss:float}", 0.2, "evaluation")
    @line("s:{step:int} eval:{hellaswag:float}", 1.0, "evaluation")
    @line("HellaSwag: {:int}/{:int} = {hellaswag:float}", 0.6, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        metrics = figures(f, ("step",), names={"hellaswag": ("hellaswag", "fraction")})
        yield Evaluation(line.origin(), metrics, step=f.get("step", self.step or 0))

    average = summary(
        "total average iteration time: {time:float} ms",
        0.5,
        names={"time": ("total average iteration time", "ms")},
    )

    @line("| precision | {value:word} |", 0.5, "header")
    def _precision(self, line: Line, f: Fields) -> Events:
        yield RunStart(line.origin())
        yield RunInfo(line.origin(), "precision", f["value"].lower())

    devices = fact("| num_processes | {devices:int} |", 0.5, always=True)
