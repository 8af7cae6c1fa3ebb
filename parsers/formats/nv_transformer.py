"""NVIDIA's Transformer example (PyTorch, derived from fairseq): `Transformer | epoch 0 | …`."""

from __future__ import annotations

from collections.abc import Iterator

from parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Iteration,
    Metric,
    RunEnd,
    RunInfo,
    Scope,
    Summary,
)
from parsers.format import Reader, Statement
from parsers.key_values import KeyValues
from parsers.printed import figures
from parsers.shape import Fields, Skeleton
from parsers.text import Line


class NvidiaTransformer(Reader):
    """Reads one log. `tokens/s` counts all devices."""

    name = "nv_transformer"
    title = "NVIDIA Transformer for PyTorch (WMT)"
    example = (
        "Transformer | epoch 0 | step 2280 |avg loss 5.569 |avg tokens 36302.000 |"
        "tokens/s 289727.060 |walltime 305.120 |"
    )
    unread = "the model's description, checkpoints, and BLEU by sentence"

    def __init__(self) -> None:
        self._epoch: int | None = None
        self._over = False

    def _iteration(self, line: Line, f: Fields) -> Iterator[Event]:
        self._epoch = f["epoch"]
        rate = f.get("throughput")
        yield Iteration(
            line.origin(),
            epoch=f["epoch"],
            step=f["step"],
            throughput=rate,
            unit="tokens/s" if rate is not None else "",
            scope=Scope.JOB if rate is not None else Scope.UNKNOWN,
            loss=f.get("loss"),
            values=figures(f["pairs"], ("avg loss", "tokens/s")),
        )

    def _epoch_time(self, line: Line, f: Fields) -> Iterator[Event]:
        yield EpochEnd(line.origin(), self._epoch, train_time=f["seconds"])

    def _loss(self, line: Line, f: Fields) -> Iterator[Event]:
        metric = Metric("loss", f["loss"], higher_is_better=False)
        yield Evaluation(line.origin(), (metric,), self._epoch)

    def _bleu(self, line: Line, f: Fields) -> Iterator[Event]:
        name = "bleu" if f["case"] == "UNCASED" else f"{f['case'].lower()} bleu"
        yield Evaluation(line.origin(), (Metric(name, f["bleu"]),), self._epoch)

    def _devices(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "devices", f["devices"])

    def _done(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunEnd(line.origin(), f["seconds"])

    def _total(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Summary(line.origin(), figures(f["pairs"]))

    statements = (
        Statement(
            KeyValues(
                "Transformer | epoch {epoch:int} | step {step:int} |",
                delimiter="|",
                separator=" ",
                numbers={"throughput": "tokens/s", "loss": "avg loss"},
                required=("tokens/s",),
            ),
            _iteration,
            1.0,
            "iteration",
        ),
        *(
            Statement(
                KeyValues(
                    f"Transformer | epoch {{epoch:int}} | step {whole} |",
                    delimiter="|",
                    separator=" ",
                    numbers={},
                ),
                emit,
                1.0,
                "summary",
            )
            for whole, emit in (
                ("()", _total),
                ("RUN", _total),
            )  # of the whole run, by the logger's version
        ),
        Statement(Skeleton("Epoch time: {seconds:float}"), _epoch_time, 0.1, "epoch time"),
        Statement(
            Skeleton("Validation loss on subset {subset:word} {loss:float}"),
            _loss,
            0.3,
            "evaluation",
        ),
        Statement(
            Skeleton("| Eval completed in: {seconds:float}s | {case:word} BLEU {bleu:float}"),
            _bleu,
            0.6,
            "evaluation",
        ),
        Statement(Skeleton("| training on {devices:int} GPUs"), _devices, 0.3, "header"),
        Statement(Skeleton("| done training in {seconds:float} seconds"), _done, 0.3, "end"),
    )
