"""NVIDIA's Transformer example (PyTorch, derived from fairseq): `Transformer | epoch 0 | …`."""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Metric,
    Scope,
    Summary,
)
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Fields
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import further
from sixdim.parsers.statements.rows import NamedRecord, ends, fact, line, progress
from sixdim.parsers.text.lines import Line


def _whole_run(step: str) -> KeyValues:
    head = f"Transformer | epoch {{epoch:int}} | step {step} |"
    return KeyValues(head, delimiter="|", separator=" ", numbers={})


class NvidiaTransformer(Reader):
    """Reads one log. `tokens/s` counts all devices."""

    name = "nv_transformer"
    title = "NVIDIA Transformer for PyTorch (WMT)"
    example = (
        "Transformer | epoch 0 | step 2280 |avg loss 5.569 |avg tokens 36302.000 |"
        "tokens/s 289727.060 |walltime 305.120 |"
    )
    unread = "the model's description, checkpoints, and BLEU by sentence"

    training = progress(
        KeyValues(
            "Transformer | epoch {epoch:int} | step {step:int} |",
            delimiter="|",
            separator=" ",
            numbers={"throughput": "tokens/s", "loss": "avg loss"},
            required=("tokens/s",),
        ),
        NamedRecord(
            unit="tokens/s",
            scope=Scope.JOB,
            further=further(figures, ("avg loss", "tokens/s")),
        ),
        1.0,
    )

    @line(_whole_run("()"), 1.0, "summary")
    @line(_whole_run("RUN"), 1.0, "summary")  # by the logger's version
    def _total(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Summary(line.origin(), figures(f["pairs"]))

    @line("Epoch time: {seconds:float}", 0.1, "epoch time")
    def _epoch_time(self, line: Line, f: Fields) -> Iterator[Event]:
        yield EpochEnd(line.origin(), self.epoch, train_time=f["seconds"])

    @line("Validation loss on subset {subset:word} {loss:float}", 0.3, "evaluation")
    def _loss(self, line: Line, f: Fields) -> Iterator[Event]:
        metric = Metric("loss", f["loss"], higher_is_better=False)
        yield Evaluation(line.origin(), (metric,), self.epoch)

    @line(
        "| Eval completed in: {seconds:float}s | {case:word} BLEU {bleu:float}", 0.6, "evaluation"
    )
    def _bleu(self, line: Line, f: Fields) -> Iterator[Event]:
        name = "bleu" if f["case"] == "UNCASED" else f"{f['case'].lower()} bleu"
        yield Evaluation(line.origin(), (Metric(name, f["bleu"]),), self.epoch)

    devices = fact("| training on {devices:int} GPUs", 0.3, always=True)
    end_of_training = ends("| done training in {duration:float} seconds", 0.3)
