"""ESPnet 2: `7epoch:train:6751-7125batch: …, loss=1.6, train_time=0.014`, and results per epoch.

`train_time` is the mean time of the iterations since the last line, with the wait for data.
"""

from __future__ import annotations

from sixdim.parsers.events import EpochEnd, Evaluation, Events
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import ends, fact, line, progress

_NOT_SCORES = frozenset(("time", "total_count", "att_plot"))


class Espnet(Reader):
    name = "espnet"
    title = "ESPnet 2 (speech)"
    example = "7epoch:train:6751-7125batch: iter_time=0.001, loss=1.601, acc=0.5, train_time=0.014"
    unread = "the configuration and with it the batch (the speed is it/s), times in words"

    training = progress(
        KeyValues(
            "{epoch:int}epoch:train:{begin:int}-{step:int}batch: ",
            delimiter=", ",
            separator="=",
            numbers={"loss": "loss", "duration": "train_time"},
        ),
        NamedRecord(further=further("loss", "train_time")),
        1.0,
    )
    planned = fact("{:int}/{epochs_planned:int}epoch started...", 0.5)

    @line(
        KeyValues("{epoch:int}epoch results: [train] {}[valid] ", delimiter=", ", separator="="),
        1.0,
        "evaluation",
    )
    def _results(self, line: Line, f: Fields) -> Events:
        valid = {name: value for name, value in f["pairs"].items() if not name.startswith("[")}
        yield EpochEnd(line.origin(), f["epoch"])
        scores = figures(valid, skip=_NOT_SCORES)
        if scores:
            yield Evaluation(line.origin(), scores, f["epoch"])

    closing = ends("The training was finished at {epochs:int} epochs...", 0.5)
