"""Avalanche (continual learning): its text logger, and its interactive one with bars.

Experiences are trained one after another, and each counts its epochs from 0. This reader numbers
the epochs of all experiences consecutively, as epochs of one run.
"""

from __future__ import annotations

from sixdim.parsers.events import EpochEnd, Evaluation, Event, Events, Metric, Origin
from sixdim.parsers.grammar.shapes.holes import NUMBER, number
from sixdim.parsers.grammar.shapes.shape import Broken, Fields, Unanchored
from sixdim.parsers.statements.common_shapes import BAR, iteration_of_bar
from sixdim.parsers.statements.format import Line
from sixdim.parsers.statements.gathering import Gathering
from sixdim.parsers.statements.rows import ignored, line, remembers
from sixdim.parsers.text.patterns import pattern

_NAMES = {"Loss": ("loss", "", False), "Top1_Acc": ("acc1", "fraction", True)}
"""Name, unit and direction of a metric, by the name that Avalanche prints."""
_FIGURE = pattern(
    r"(?P<name>[A-Za-z]\w{0,60}?)_(?P<of>Epoch|Stream)/(?P<phase>train|eval)_phase/"
    rf"(?P<stream>\w{{1,40}}?)_stream(?:/(?P<task>Task\d{{1,6}}))?+ = (?P<value>{NUMBER})"
)


class _Figure(Unanchored):
    """A metric of an epoch or of a stream, with the phase, the stream and the task."""

    clue = "_phase/"

    def match(self, text: str) -> Fields | Broken | None:
        """Returns the parts of its name, and its value as a number."""
        found = _FIGURE.fullmatch(text)
        return None if found is None else {**found.groupdict(), "value": number(found["value"])}


class Avalanche(Gathering):
    name = "avalanche"
    title = "Avalanche (continual learning)"
    tried = "avalanche 0.6.0"
    example = "Top1_Acc_Epoch/train_phase/train_stream/Task000 = 0.5906"
    unread = (
        "the experiences as such (their epochs are counted on), figures of mini-batches and of "
        "single experiences, evaluations of the training's own stream, the batch"
    )

    def __init__(self) -> None:
        self._first = 0  # label of the experience's first epoch
        self._epoch = 0  # label of the current epoch
        self._trained: int | None = None  # label of the last finished epoch
        self._step = 0
        self._trains = False
        # Figures of the current evaluation, by the printed name and the task.
        self.gathered: dict[tuple[str, str | None], Metric] = {}
        self._at: tuple[Origin, str] | None = None  # where it was read, and its stream

    def goes_on(self, line: Line) -> bool:
        """See `Gathering.goes_on`."""
        return "/eval_phase/" in line.text

    def complete(self) -> list[Event]:
        """See `Gathering.complete`."""
        if self._at is None:
            return []
        (at, stream), self._at = self._at, None
        found, self.gathered = self.gathered, {}
        several = len({task for _name, task in found if task}) > 1
        metrics = tuple(
            metric._replace(name=f"{task}/{name}".lower()) if several and task else metric
            for (name, task), metric in found.items()
        )
        return [Evaluation(at, metrics, self._trained, data=stream)]

    phases = tuple(  # the training that an evaluation interrupts goes on after it
        remembers(f"-- >> {which} phase << --", 0.8, "header", _trains=trains)
        for which, trains in (
            ("Start of training", True),
            ("Start of eval", False),
            ("End of training", False),
            ("End of eval", True),
        )
    )

    # The library's examples print this after each experience: it does not end the run.
    completed = ignored("Training completed", 0.0, "message")

    @line("Epoch {epoch:int} ended.", 0.2, "epoch")
    def _end_of_epoch(self, line: Line, f: Fields) -> Events:
        if self._trained is not None and self._first + f["epoch"] <= self._trained:
            self._first = self._epoch  # another experience begins
        self._trained = self._first + f["epoch"]
        self._epoch, self._step = self._trained + 1, 0
        yield EpochEnd(line.origin(), self._trained)

    @line(_Figure(), 0.8, "figure")
    def _figure(self, line: Line, f: Fields) -> Events:
        metric = _metric(f["name"], f["value"])
        if f["phase"] == "train" and f["name"] == "Time":
            yield EpochEnd(line.origin(), self._trained, train_time=f["value"])
        elif f["phase"] == "train":
            yield EpochEnd(line.origin(), self._trained, values=(metric,))
        elif f["of"] == "Stream" and f["stream"] != "train":
            self.gathered[f["name"], f["task"]] = metric
            self._at = line.origin(), f["stream"]

    @line(BAR + "...", 0.0, "progress")
    def _bar(self, line: Line, f: Fields) -> Events:
        if not self._trains or f["step"] <= self._step:
            return
        self._step = f["step"]
        yield iteration_of_bar(line.origin(), self._epoch, f)


def _metric(name: str, value: float) -> Metric:
    known, unit, higher = _NAMES.get(name, (name.lower(), "", True))
    return Metric(known, value, unit, higher)
