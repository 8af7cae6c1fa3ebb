"""llm.c: the console of `train_gpt2cu` and the terse `main.log` it keeps beside it."""

from __future__ import annotations

from collections.abc import Iterator

from parsers.events import (
    Evaluation,
    Event,
    Iteration,
    Metric,
    RunInfo,
    RunStart,
    Scope,
    Summary,
)
from parsers.format import Reader, Statement, each
from parsers.key_values import KeyValues
from parsers.shape import Fields, Skeleton
from parsers.text import Line


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

    def __init__(self) -> None:
        self._step: int | None = None

    def _iteration(self, line: Line, f: Fields) -> Iterator[Event]:
        self._step = f["step"]
        values = [Metric("norm", f["norm"]), Metric("lr", f["lr"])] if "norm" in f else []
        if f.get("mfu", -1.0) >= 0:  # negative: the device's peak is not known to llm.c
            values.append(Metric("mfu", f["mfu"], "%"))
        yield Iteration(
            line.origin(),
            epoch=None,
            step=f["step"],
            steps=f.get("steps"),
            throughput=f.get("throughput"),
            unit="tokens/s" if "throughput" in f else "",
            scope=Scope.JOB if "throughput" in f else Scope.UNKNOWN,
            loss=f["loss"],
            duration=f["ms"] / 1000 if "ms" in f else None,
            values=tuple(values),
        )

    def _loss(self, line: Line, f: Fields) -> Iterator[Event]:
        metric = Metric("loss", f["loss"], higher_is_better=False)
        yield Evaluation(line.origin(), (metric,), step=f.get("step", self._step or 0))

    def _hellaswag(self, line: Line, f: Fields) -> Iterator[Event]:
        metric = Metric("hellaswag", f["value"], "fraction")
        yield Evaluation(line.origin(), (metric,), step=f.get("step", self._step or 0))

    def _average(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Summary(line.origin(), (Metric("total average iteration time", f["ms"], "ms"),))

    def _precision(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunStart(line.origin())
        yield RunInfo(line.origin(), "precision", f["value"].lower())

    def _devices(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "devices", f["value"])

    def _known(self, line: Line, f: Fields) -> Iterator[Event]:
        return iter(())

    statements = (
        Statement(
            Skeleton(
                "step {step:int}/{steps:int} | loss {loss:float} {}| norm {norm:float} {}| "
                "lr {lr:float} | {ms:float} ms | {mfu:float}% {} MFU | {throughput:float} tok/s"
            ),
            _iteration,
            1.0,
            "iteration",
        ),
        Statement(
            Skeleton(
                "step {step:int}/{steps:int} | train loss {loss:float} | norm {norm:float} | "
                "lr {lr:float} | ({ms:float} ms | {throughput:float} tok/s)"
            ),
            _iteration,
            1.0,
            "iteration",
        ),
        *each(
            (
                Skeleton(
                    "step {step:int}/{steps:int}: train loss {loss:float} "
                    + accuracy
                    + "({ms:float} ms, {throughput:float} tok/s)"
                )
                for accuracy in ("", "(acc {}) ")
            ),
            _iteration,
            1.0,
            "iteration",
        ),
        Statement(
            Skeleton("step {step:int}: train loss {loss:float} (took {ms:float} ms)"),
            _iteration,
            1.0,
            "iteration",
        ),
        Statement(
            KeyValues(
                "s:{step:int} trl:{loss:float}",
                delimiter=None,
                numbers={"lr": "lr", "norm": "norm"},
            ),
            _iteration,
            1.0,
            "iteration",
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
        Statement(Skeleton("evaluating HellaSwag: {}..."), _known, 0.1, "evaluation progress"),
        Statement(
            Skeleton("total average iteration time: {ms:float} ms"), _average, 0.5, "summary"
        ),
        Statement(Skeleton("| precision | {value:word} |"), _precision, 0.5, "header"),
        Statement(Skeleton("| num_processes | {value:int} |"), _devices, 0.5, "header"),
    )
