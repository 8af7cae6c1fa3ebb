"""Coqui's Trainer (Coqui TTS): a heading for a step or an epoch, then one line per figure.

A figure of the training is followed by its running mean since the epoch began. `step_time` leaves
out the wait for data, which is `loader_time`: an evaluation inside an epoch is part of the next.

Epochs count from 0. They are of the number of epochs, or in later versions of the last label, which
only the last epoch shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from sixdim.parsers.events import EpochEnd, Evaluation, Event, Events, Iteration, Metric, Origin
from sixdim.parsers.grammar.shapes.figures import as_number, figure
from sixdim.parsers.statements.format import Fields, Line
from sixdim.parsers.statements.gathering import Gathering
from sixdim.parsers.statements.rows import fact, ignored, line, remembers, starts

_Figures: TypeAlias = dict[str, tuple[float, float]]
_TIMES = ("step_time", "loader_time")


class Coqui(Gathering):
    name = "coqui"
    title = "Coqui TTS (and other programs with Coqui's Trainer)"
    example = "--> STEP: 24/39 -- GLOBAL_STEP: 275"
    unread = "the configuration and with it the batch (the speed is it/s), steps of an evaluation"

    _epoch: int | None = None
    _head: Line | None = None
    _is_tested = False  # whether the epoch has an evaluation
    _is_paused = False  # whether an evaluation came after the last step
    _place: Fields
    """Fields of the line that the figures stand below."""

    def __init__(self) -> None:
        self.gathered: _Figures = {}
        self._place = {}

    begins = starts("> Training Environment:", 0.5)
    devices = fact("| > Num. of GPUs: {devices:int}", 0.3)

    @line("> EPOCH: {epoch:int}/{epochs_planned:int}", 0.8, "epoch")
    def _begin(self, line: Line, f: Fields) -> Events:
        self._epoch, self._is_tested, self._is_paused = f["epoch"], False, False
        planned = max(f["epochs_planned"], f["epoch"] + 1)
        yield from self.report(line.origin(), "epochs_planned", planned)

    @line(
        (
            "--> STEP: {step:int}/{steps:int} -- GLOBAL_STEP: {:int}",
            "--> TIME: {} -- STEP: {step:int}/{steps:int} -- GLOBAL_STEP: {:int}",
            "--> TRAIN PERFORMACE -- EPOCH TIME: {train_time:float} sec -- GLOBAL_STEP: {:int}",
            "--> EVAL PERFORMANCE",
        ),
        1.0,
        "heading",
    )
    def _heading(self, line: Line, f: Fields) -> Events:
        self._head, self._place = line, f
        return ()

    @line("| > {name:until}: {value:text}", 0.0, "figure")
    def _figure(self, _line: Line, f: Fields) -> Events:
        value, _, mean = f["value"].partition("(")
        number, of_epoch = as_number(value.strip()), as_number(mean.rstrip(")"))
        if self._head is not None and number is not None:
            self.gathered[f["name"]] = number, number if of_epoch is None else of_epoch
        return ()

    evaluates = remembers(
        "> EVALUATION", 0.2, "evaluation begins", _is_tested=True, _is_paused=True
    )
    best = ignored("> BEST MODEL : {}", 0.3, "best")

    def goes_on(self, line: Line) -> bool:
        """As `Gathering.goes_on`."""
        return line.text.lstrip().startswith("| >")

    def complete(self) -> Sequence[Event]:
        """As `Gathering.complete`."""
        head, place, figures = self._head, self._place, self.gathered
        self._head, self._place, self.gathered = None, {}, {}
        if head is None or not figures:
            return ()
        at = head.origin()
        values = tuple(
            figure(name, value)
            for name, (value, _mean) in figures.items()
            if not name.endswith(_TIMES)
        )
        if "step" in place:
            event = _iteration(at, self._epoch, place, figures, values)
            if self._is_tested:
                event = event._replace(mean_duration=None)
            if self._is_paused:
                event, self._is_paused = event._replace(duration=None), False
            return (event,)
        # Without evaluations, the heading of an evaluation stands above the training's means. A
        # model with several optimizers has no `avg_loss`: a setting decides which loss counts.
        if "train_time" in place or "avg_loss" not in figures or not self._is_tested:
            return (EpochEnd(at, self._epoch, train_time=place.get("train_time"), values=values),)
        tested = (one._replace(name=one.name.removeprefix("avg_")) for one in values)
        return (Evaluation(at, tuple(tested), self._epoch, data="val"),)


def _iteration(
    at: Origin, epoch: int | None, place: Fields, figures: _Figures, values: tuple[Metric, ...]
) -> Iteration:
    """Returns the event of a step, whose duration includes the wait for data."""
    times = [figures[name] for name in _TIMES if name in figures]
    latest, mean = map(sum, zip(*times, strict=True)) if len(times) == 2 else (None, None)
    loss = figures["loss"][0] if "loss" in figures else None
    return Iteration(
        at,
        epoch,
        place["step"],
        place["steps"],
        loss=loss,
        duration=latest,
        values=values,
        mean_duration=mean,
    )
