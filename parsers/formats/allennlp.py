"""AllenNLP: the table of an epoch's mean figures, and the bars of training and validation.

Bars of the training and of the validation look alike. Where no line of the logger says which of
them is drawn, as on stderr alone, the bar of the first length is the training's. Epochs count from
0, those of the first versions from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from sixdim.parsers.events import EpochEnd, Evaluation, Event, Events, Origin, RunEnd, RunStart
from sixdim.parsers.grammar.shapes.figures import as_number, figures
from sixdim.parsers.statements.common_shapes import BAR, iteration_of_bar
from sixdim.parsers.statements.format import Fields, Line
from sixdim.parsers.statements.gathering import Gathering
from sixdim.parsers.statements.rows import ignored, line

_MOST = 64
"""Largest number of rows of a table that are read."""
_ROW = "{name:word} | {trained:float} | "


class _Table(NamedTuple):
    """The figures of an epoch, by name."""

    at: Origin
    trained: dict[str, float]
    tested: dict[str, float]


class AllenNLP(Gathering):
    name = "allennlp"
    title = "AllenNLP (language)"
    example = "accuracy      |     0.721  |     0.762"
    unread = (
        "the parameters, memory, the metrics after the training (the time of an epoch includes its "
        "validation)"
    )

    gathered: _Table | None = None
    _epoch = 0
    _trained: Mapping[str, float] = MappingProxyType({})
    _validates: bool | None = None
    """Whether the logger says that the validation runs; None if it does not say what runs."""
    _named = _from_zero = False  # lines name the epochs, and one of them is 0
    _length = 0  # batches of the first bar
    _drawn = 0, 0  # batch and batches of the last drawing

    def goes_on(self, line: Line) -> bool:
        """See `Gathering.goes_on`: whether a line is a row of the table."""
        known = self.recognise(line)
        return known is not None and known[0].what == "evaluation"

    def complete(self) -> tuple[Event, ...]:
        """See `Gathering.complete`: the evaluation of a table."""
        table, self.gathered = self.gathered, None
        if table is None:
            return ()
        self._trained = table.trained
        scores = figures({name: str(value) for name, value in table.tested.items()})
        return (Evaluation(table.at, scores, self._epoch),) if scores else ()

    @line("Beginning training.", 0.3, "header")
    def _begin(self, line: Line, _f: Fields) -> Events:
        yield RunStart(line.origin(), timed=True)

    @line("Epoch {epoch:int}/{last:int}", 0.05, "epoch")
    def _begin_epoch(self, line: Line, f: Fields) -> Events:
        self._epoch, self._trained = f["epoch"], {}
        self._named, self._validates = (
            True,
            None,
        )  # `Training` may stand after an empty bar on its line
        self._from_zero |= f["epoch"] == 0
        if not self._from_zero:
            return ()
        return self.report(line.origin(), "epochs_planned", f["last"] + 1)

    @line("Training", 0.0, "phase")
    def _train(self, _line: Line, _f: Fields) -> Events:
        self._validates = False
        return ()

    @line("Validating", 0.2, "phase")
    def _validate(self, _line: Line, _f: Fields) -> Events:
        self._validates = True
        return ()

    @line("Training | Validation", 0.5, "evaluation")
    def _head(self, line: Line, _f: Fields) -> Events:
        self.gathered = _Table(line.origin(), {}, {})
        return ()

    @line((_ROW + "{tested:float}", _ROW + "N/A"), 0.0, "evaluation")
    @line("{name:word} | N/A | {tested:float}", 0.0, "evaluation")
    def _row(self, _line: Line, f: Fields) -> Events:
        for split, found in zip(("trained", "tested"), (self.gathered or ())[1:], strict=False):
            if split in f and len(found) < _MOST:
                found[f["name"]] = f[split]
        return ()

    @line("Epoch duration: {time:duration}", 0.5, "epoch")
    def _end_epoch(self, line: Line, f: Fields) -> Events:
        values = figures({name: str(value) for name, value in self._trained.items()})
        yield EpochEnd(line.origin(), self._epoch, epoch_time=f["time"], values=values)

    @line("{} ||: " + BAR + "]", 0.7, "progress")
    def _bar(self, line: Line, f: Fields) -> Events:
        step, steps = f["step"], f["steps"]
        before, self._drawn = self._drawn, (step, steps)
        self._length = self._length or steps
        if self._drawn == before:
            return
        validates = self._validates
        if validates is None:
            validates = steps != self._length
            anew = steps != before[1] or step < before[0]
            self._epoch += anew and not validates and not self._named and before[1] > 0
        pairs = line.text.partition(" ||:")[0].split(", ")
        printed = dict(pair.split(": ", 1) for pair in pairs if ": " in pair)
        if not validates:
            yield iteration_of_bar(
                line.origin(), self._epoch, f, loss=as_number(printed.get("loss"))
            )
        elif self._validates is None and step == steps:
            yield Evaluation(line.origin(), figures(printed), self._epoch)

    @line(("loading best weights", "Ran out of patience. Stopping training."), 0.2, "end")
    def _end(self, line: Line, _f: Fields) -> Events:
        yield RunEnd(line.origin())

    time_left = ignored("Estimated training time remaining: {}", 0.3, "progress")
    memory = ignored(
        ("Peak CPU memory usage MB: {}", "Worker {:int} memory usage: {}"), 0.3, "header"
    )
