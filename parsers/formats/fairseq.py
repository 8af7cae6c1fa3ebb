"""fairseq: `simple` and `json` logs, the bars of early versions, and what was derived from it.

`wps`, words (tokens) per second, counts all devices.
"""

from __future__ import annotations

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Iteration, Scope
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole, figures
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import further
from sixdim.parsers.statements.rows import (
    NamedRecord,
    ends,
    epoch_end,
    evaluation,
    fact,
    line,
    progress,
)

_NAMES = {"ppl": ("perplexity", "")}
_NOT_SCORES = ("wps", "ups", "wpb", "bsz", "num_updates", "epoch", "wall")
_USED = ("loss", "wps", "epoch", "num_updates")
_BARS = ("", "| ")
"""What stands before a line: nothing today, a bar in early versions."""
_STEP = NamedRecord(unit="tokens/s", scope=Scope.JOB, further=further(*_USED))


def _pairs(head: str, *required: str) -> KeyValues:
    delimiter, separator = ("|", " ") if head.endswith("|") else (",", "=")
    updates = {} if "{step" in head else {"step": "num_updates"}
    return KeyValues(
        head,
        delimiter=delimiter,
        separator=separator,
        numbers={"loss": "loss", "throughput": "wps", **updates},
        whole=("step",),
        required=required,
    )


class Fairseq(Reader):
    name = "fairseq"
    title = "fairseq (simple and json logs)"
    example = (
        "epoch 001:     50 / 1637 loss=7.581, ppl=191.5, wps=320047, ups=4.1, wpb=74822, "
        "bsz=2574, num_updates=50, lr=0.00197"
    )
    unread = (
        "the model's and the task's description, the pace of tqdm bars, checkpoints, BLEU that "
        "generate prints"
    )

    training = progress(
        tuple(
            _pairs(bar + "epoch {epoch:int}: {step:int} / {steps:int} ", "loss", "wps")
            for bar in _BARS
        ),
        _STEP,
        0.9,
    )
    scores = evaluation(
        tuple(_pairs(bar + "epoch {epoch:int} | valid on {} subset |", "loss") for bar in _BARS),
        0.9,
        names=_NAMES,
        skip=_NOT_SCORES,
    )
    epochs = epoch_end(
        tuple(_pairs(bar + "epoch {epoch:int} |", "loss", "wps") for bar in _BARS),
        0.9,
        unit="tokens/s",
        scope=Scope.JOB,
        skip=("wps",),
    )

    @line(JsonRecord(required=("epoch", "valid_loss")), 0.3, "evaluation")
    def _valid_json(self, line: Line, f: Fields) -> Events:
        scores = {k.removeprefix("valid_"): v for k, v in f.items() if k.startswith("valid_")}
        metrics = figures(scores, _NOT_SCORES, names=_NAMES)
        step = as_whole(scores.get("num_updates"))
        yield Evaluation(line.origin(), metrics, as_whole(f["epoch"]), step)

    @line(JsonRecord(required=("train_wps", "train_loss")), 0.9, "epoch")
    def _epoch_json(self, line: Line, f: Fields) -> Events:
        values = figures({key.removeprefix("train_"): f[key] for key in f}, ("wps", "epoch"))
        speed = as_number(f["train_wps"]), "tokens/s", Scope.JOB
        yield EpochEnd(line.origin(), as_whole(f.get("epoch")), *speed, values=values)

    @line(JsonRecord(required=("epoch", "update", "num_updates")), 0.9, "iteration")
    def _step_json(self, line: Line, f: Fields) -> Events:
        yield Iteration(
            line.origin(),
            as_whole(f["epoch"]),
            as_whole(f["num_updates"]),
            throughput=as_number(f.get("wps")),
            unit="tokens/s",
            scope=Scope.JOB,
            loss=as_number(f.get("loss")),
            values=figures(self.wanted(f), _USED),
        )

    devices = (
        fact("training on {devices:int} devices {}...", 0.3, always=True),
        fact("| training on {devices:int} GPUs", 0.3, always=True),
    )
    end_of_training = (
        ends("done training in {duration:float} seconds", 0.3),
        ends("| done training in {duration:float} seconds", 0.2),
    )
