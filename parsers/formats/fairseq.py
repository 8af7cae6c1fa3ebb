"""fairseq: `simple` and `json` logs, the bars of early versions, and what was derived from it.

`wps`, words (tokens) per second, counts all devices.
"""

from __future__ import annotations

from collections.abc import Mapping

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Iteration, Metric, Scope
from sixdim.parsers.grammar.shapes.figures import figures, printed
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import further
from sixdim.parsers.statements.rows import NamedRecord, ends, fact, line, progress

_CANONICAL = {"ppl": "perplexity"}
_USED = ("loss", "wps", "epoch", "num_updates")
_BARS = ("", "| ")
"""What stands before a line: nothing today, a bar in early versions."""
_STEP = NamedRecord(throughput=("wps",), unit="tokens/s", scope=Scope.JOB, further=further(*_USED))


def _pairs(head: str, *required: str) -> KeyValues:
    delimiter, separator = ("|", " ") if head.endswith("|") else (",", "=")
    return KeyValues(
        head,
        delimiter=delimiter,
        separator=separator,
        numbers={key: key for key in required},
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

    training = tuple(
        progress(
            _pairs(bar + "epoch {epoch:int}: {step:int} / {steps:int} ", "loss", "wps"), _STEP, 0.9
        )
        for bar in _BARS
    )

    @line(_pairs("epoch {epoch:int} | valid on {} subset |", "loss"), 0.9, "evaluation")
    @line(_pairs("| epoch {epoch:int} | valid on {} subset |", "loss"), 0.9, "evaluation")
    def _valid_line(self, line: Line, f: Fields) -> Events:
        yield self._evaluation(line, f["epoch"], f["pairs"])

    @line(_pairs("epoch {epoch:int} |", "loss", "wps"), 0.9, "epoch")
    @line(_pairs("| epoch {epoch:int} |", "loss", "wps"), 0.9, "epoch")
    def _epoch_line(self, line: Line, f: Fields) -> Events:
        yield self._epoch_end(line, f["epoch"], f["pairs"])

    @line(JsonRecord(required=("epoch", "valid_loss")), 0.3, "evaluation")
    def _valid_json(self, line: Line, f: Fields) -> Events:
        pairs = {key: value for key, value in f.items() if key.startswith("valid_")}
        yield self._evaluation(line, _whole(f.get("epoch")), pairs)

    @line(JsonRecord(required=("train_wps", "train_loss")), 0.9, "epoch")
    def _epoch_json(self, line: Line, f: Fields) -> Events:
        pairs = {key.removeprefix("train_"): value for key, value in f.items()}
        yield self._epoch_end(line, _whole(f.get("epoch")), pairs)

    @line(JsonRecord(required=("epoch", "update", "num_updates")), 0.9, "iteration")
    def _step_json(self, line: Line, f: Fields) -> Events:
        yield Iteration(
            line.origin(),
            _whole(f.get("epoch")),
            _whole(f.get("num_updates")),
            None,
            throughput=_value(f, "wps"),
            unit="tokens/s",
            scope=Scope.JOB,
            loss=_value(f, "loss"),
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

    def _epoch_end(self, line: Line, epoch: int | None, pairs: Mapping[str, object]) -> EpochEnd:
        speed, values = _value(pairs, "wps"), figures(pairs, ("wps", "epoch"))
        return EpochEnd(line.origin(), epoch, speed, "tokens/s", Scope.JOB, values=values)

    def _evaluation(self, line: Line, epoch: int | None, pairs: Mapping[str, object]) -> Evaluation:
        names = {key.removeprefix("valid_"): value for key, value in pairs.items()}
        renamed = {_CANONICAL.get(key, key): value for key, value in names.items()}
        metrics = figures(renamed, ("wps", "ups", "wpb", "bsz", "num_updates", "epoch", "wall"))
        return Evaluation(line.origin(), metrics, epoch, _whole(names.get("num_updates")))


def _value(pairs: Mapping[str, object], name: str) -> float | None:
    found: Metric | None = printed(name, pairs.get(name))
    return None if found is None else found.value


def _whole(text: object) -> int | None:
    digits = str(text)
    return int(digits) if digits.isdecimal() and len(digits) < 16 else None
