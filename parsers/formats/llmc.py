"""llm.c: the console of `train_gpt2cu` and the terse `main.log` it keeps beside it."""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import Evaluation, Event, Metric, RunInfo, RunStart, Scope, Summary
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import Gauge, IterationRecord
from sixdim.parsers.statements.rows import progress
from sixdim.parsers.text.lines import Line

_RECORD = IterationRecord(
    step="step",
    steps="steps",
    throughput=("throughput",),
    unit="tokens/s",
    scope=Scope.JOB,
    loss=("loss",),
    duration=("ms",),
    milliseconds=True,
    figures=(Gauge("norm", "norm"), Gauge("lr", "lr"), Gauge("mfu", "mfu", "%")),
)
_PRINTED = (
    "step {step:int}/{steps:int} | loss {loss:float} {}| norm {norm:float} {}| lr {lr:float} | "
    "{ms:float} ms | "
)


class LlmC(Reader):
    """Reads one log of either kind."""

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

    def _loss(self, line: Line, f: Fields) -> Iterator[Event]:
        metric = Metric("loss", f["loss"], higher_is_better=False)
        yield Evaluation(line.origin(), (metric,), step=f.get("step", self.step or 0))

    def _hellaswag(self, line: Line, f: Fields) -> Iterator[Event]:
        metric = Metric("hellaswag", f["value"], "fraction")
        yield Evaluation(line.origin(), (metric,), step=f.get("step", self.step or 0))

    def _average(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Summary(line.origin(), (Metric("total average iteration time", f["ms"], "ms"),))

    def _precision(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunStart(line.origin())
        yield RunInfo(line.origin(), "precision", f["value"].lower())

    def _devices(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "devices", f["value"])

    statements = (
        # Negative where the device's peak is not known to llm.c.
        progress(Skeleton(_PRINTED + "-{:float}% {} MFU | {throughput:float} tok/s"), _RECORD, 1.0),
        progress(
            Skeleton(_PRINTED + "{mfu:float}% {} MFU | {throughput:float} tok/s"), _RECORD, 1.0
        ),
        progress(
            Skeleton(
                "step {step:int}/{steps:int} | train loss {loss:float} | norm {norm:float} | "
                "lr {lr:float} | ({ms:float} ms | {throughput:float} tok/s)"
            ),
            _RECORD,
            1.0,
        ),
        *(
            progress(
                Skeleton(
                    "step {step:int}/{steps:int}: train loss {loss:float} "
                    + accuracy
                    + "({ms:float} ms, {throughput:float} tok/s)"
                ),
                _RECORD,
                1.0,
            )
            for accuracy in ("", "(acc {}) ")
        ),
        progress(
            Skeleton("step {step:int}: train loss {loss:float} (took {ms:float} ms)"),
            _RECORD,
            1.0,
        ),
        progress(
            KeyValues(
                "s:{step:int} trl:{loss:float}",
                delimiter=None,
                numbers={},
            ),
            _RECORD,
            1.0,
        ),
        Statement(Skeleton("s:{step:int} tel:{loss:float}"), _loss, 1.0, "evaluation"),
        Statement(Skeleton("s:{step:int} eval:{value:float}"), _hellaswag, 1.0, "evaluation"),
        Statement(Skeleton("val loss {loss:float}"), _loss, 0.3, "evaluation"),
        Statement(
            Skeleton("HellaSwag: {right:int}/{all:int} = {value:float}"),
            _hellaswag,
            0.6,
            "evaluation",
        ),
        Statement(
            Skeleton("evaluating HellaSwag: {}..."), Reader.quiet, 0.1, "evaluation progress"
        ),
        Statement(
            Skeleton("total average iteration time: {ms:float} ms"), _average, 0.5, "summary"
        ),
        Statement(Skeleton("| precision | {value:word} |"), _precision, 0.5, "header"),
        Statement(Skeleton("| num_processes | {value:int} |"), _devices, 0.5, "header"),
    )
