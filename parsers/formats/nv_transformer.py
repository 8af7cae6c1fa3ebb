"""NVIDIA's Transformer example (PyTorch, derived from fairseq): `Transformer | epoch 0 | …`."""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Metric,
    RunEnd,
    RunInfo,
    Scope,
    Summary,
)
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.printed import figures
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord, further
from sixdim.parsers.statements.rows import progress
from sixdim.parsers.text.lines import Line


class NvidiaTransformer(Reader):
    """Reads one log. `tokens/s` counts all devices."""

    name = "nv_transformer"
    title = "NVIDIA Transformer for PyTorch (WMT)"
    example = (
        "Transformer | epoch 0 | step 2280 |avg loss 5.569 |avg tokens 36302.000 |"
        "tokens/s 289727.060 |walltime 305.120 |"
    )
    unread = "the model's description, checkpoints, and BLEU by sentence"

    def _epoch_time(self, line: Line, f: Fields) -> Iterator[Event]:
        yield EpochEnd(line.origin(), self.epoch, train_time=f["seconds"])

    def _loss(self, line: Line, f: Fields) -> Iterator[Event]:
        metric = Metric("loss", f["loss"], higher_is_better=False)
        yield Evaluation(line.origin(), (metric,), self.epoch)

    def _bleu(self, line: Line, f: Fields) -> Iterator[Event]:
        name = "bleu" if f["case"] == "UNCASED" else f"{f['case'].lower()} bleu"
        yield Evaluation(line.origin(), (Metric(name, f["bleu"]),), self.epoch)

    def _devices(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "devices", f["devices"])

    def _done(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunEnd(line.origin(), f["seconds"])

    def _total(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Summary(line.origin(), figures(f["pairs"]))

    statements = (
        progress(
            KeyValues(
                "Transformer | epoch {epoch:int} | step {step:int} |",
                delimiter="|",
                separator=" ",
                numbers={"throughput": "tokens/s", "loss": "avg loss"},
                required=("tokens/s",),
            ),
            IterationRecord(
                epoch="epoch",
                step="step",
                throughput=("throughput",),
                unit="tokens/s",
                scope=Scope.JOB,
                loss=("loss",),
                further=further(figures, ("avg loss", "tokens/s")),
            ),
            1.0,
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
