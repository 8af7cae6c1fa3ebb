"""fairseq: `simple` and `json` logs, the bars of early versions, and derived programs.

`wps`, words (tokens) per second, counts all devices. Up to version 0.8 it is the mean since the
epoch began, later the mean since the line before. Batches differ in size, so the time of an update
is `wpb` (words per batch) / `wps`. The first versions write `train loss`, `valid loss`, `words/s`,
and the seconds of the epoch's training as `s/checkpoint`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Iteration, Scope
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole, figures
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.figure_rows import epoch_end
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import ends, fact, ignored, line
from sixdim.parsers.text.patterns import pattern

_NAMES = {"ppl": ("perplexity", "")}
_NOT_SCORES = ("wps", "ups", "wpb", "bsz", "num_updates", "epoch", "wall", "best")
_VALID = pattern(r"^valid[ _]")
_USED = ("loss", "wps", "epoch", "num_updates")
_BARS = ("", "| ")
"""The text in front of a line: empty today, a bar in early versions."""
_FIRST_VERSIONS = {"throughput": "words/s", "train_time": "s/checkpoint"}
_STEP = NamedRecord(unit="tokens/s", scope=Scope.JOB, further=further(*_USED))
_MEANS = replace(_STEP, mean_throughput="throughput")


def _pairs(head: str, *required: str, **numbers: str) -> KeyValues:
    delimiter, separator = ("|", " ") if head.endswith("|") else (",", "=")
    updates = {} if "{step" in head else {"step": "num_updates"}
    return KeyValues(
        head,
        delimiter=delimiter,
        separator=separator,
        numbers={"loss": "loss", "throughput": "wps", **updates, **numbers},
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

    _epoch = _step = _left = _gap = 0
    """The epoch, its latest step, the steps that are left of it, and those between two lines."""

    @line(_pairs("epoch {epoch:int}: {step:int} / {steps:int} ", "loss", "wps"), 0.9, "iteration")
    def _updates(self, line: Line, f: Fields) -> Events:
        self._follow(f)
        for event in _STEP.read(self, line, f):
            yield event._replace(duration=_seconds(f["pairs"]))

    @line(
        tuple(
            _pairs(f"| epoch {{epoch:int}}{colon} {{step:int}} / {{steps:int}} ", "loss", "wps")
            for colon in (":", "")
        ),
        0.9,
        "iteration",
    )
    def _means(self, line: Line, f: Fields) -> Events:
        self._follow(f)
        yield from _MEANS.read(self, line, f)

    halfway = ignored(
        tuple(
            f"{bar}epoch {{:int}} | valid on {{}} subset{colon} {{:int}} / {{:int}} {{}}"
            for bar in _BARS
            for colon in (":", "")
        ),
        0.3,
        "evaluation",
    )

    @line(
        tuple(
            _pairs(bar + "epoch {epoch:int} | valid on {} subset |", loss)
            for bar in _BARS
            for loss in ("loss", "valid_loss", "valid loss")
        ),
        0.9,
        "evaluation",
    )
    def _valid_line(self, line: Line, f: Fields) -> Events:
        yield self._evaluation(line, f["epoch"], f["pairs"])

    epochs = epoch_end(
        (
            _pairs("| epoch {epoch:int} |", "train loss", "words/s", **_FIRST_VERSIONS),
            *(_pairs(bar + "epoch {epoch:int} |", "loss", "wps") for bar in _BARS),
        ),
        0.9,
        unit="tokens/s",
        scope=Scope.JOB,
        skip=("words/s", "s/checkpoint", "wps"),
    )

    @line(JsonRecord(required=("epoch", "valid_loss")), 0.3, "evaluation")
    def _valid_json(self, line: Line, f: Fields) -> Events:
        scores = {key: value for key, value in f.items() if key.startswith("valid_")}
        yield self._evaluation(line, as_whole(f["epoch"]), scores)

    @line(JsonRecord(required=("train_wps", "train_loss")), 0.9, "epoch")
    def _epoch_json(self, line: Line, f: Fields) -> Events:
        values = figures({key.removeprefix("train_"): f[key] for key in f}, ("wps", "epoch"))
        rate = as_number(f["train_wps"])
        epoch = as_whole(f.get("epoch"))
        yield EpochEnd(line.origin(), epoch, rate, "tokens/s", Scope.JOB, values=values)

    @line(JsonRecord(required=("epoch", "update", "num_updates")), 0.9, "iteration")
    def _step_json(self, line: Line, f: Fields) -> Events:
        place = as_whole(f["epoch"]), as_whole(f["num_updates"]), None
        speed, loss = (as_number(f.get("wps")), "tokens/s", Scope.JOB), as_number(f.get("loss"))
        values = figures(self.wanted(f), _USED)
        yield Iteration(line.origin(), *place, *speed, loss, _seconds(f), values)

    devices = fact(
        ("training on {devices:int} devices {}...", "| training on {devices:int} GPUs"),
        0.3,
        always=True,
    )
    end_of_training = (
        ends("done training in {duration:float} seconds", 0.3),
        ends("| done training in {duration:float} seconds", 0.2),
    )

    def _follow(self, f: Fields) -> None:
        """Stores the latest step of the epoch, and the steps between two lines."""
        before = self._step if f["epoch"] == self._epoch else 0
        self._epoch, self._step = f["epoch"], f["step"]
        self._gap, self._left = self._step - before, f["steps"] - self._step

    def _evaluation(self, line: Line, epoch: int | None, pairs: Mapping[str, object]) -> Evaluation:
        scores = {_VALID.sub("", key): value for key, value in pairs.items()}
        metrics = figures(scores, _NOT_SCORES, names=_NAMES)
        midway = epoch == self._epoch and self._left > self._gap
        step = as_whole(scores.get("num_updates"))
        return Evaluation(line.origin(), metrics, epoch, step, midway=midway)


def _seconds(pairs: Mapping[str, object]) -> float | None:
    """Returns the seconds of one update; None if they are unknown."""
    words, speed = as_number(pairs.get("wpb")), as_number(pairs.get("wps"))
    return words / speed if words and speed else None
