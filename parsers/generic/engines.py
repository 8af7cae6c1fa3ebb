"""ignite's engines: the evaluator prints the same lines as the trainer, inside its epochs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sixdim.parsers.events import EpochEnd, Event, RunEnd, RunInfo
from sixdim.parsers.grammar.shapes.holes import duration
from sixdim.parsers.grammar.vocabulary.starting import is_an_engines
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

if TYPE_CHECKING:
    import re

_CLOCK = r"(\d{1,4}+:\d\d:\d\d(?:\.\d{1,6}+)?+)"
_BEGIN = pattern(
    r"Engine run (?:starting with max_epochs=(\d{1,9}+)\.|"
    r"resuming from iteration (\d{1,12}+), epoch (\d{1,9}+) until (\d{1,9}+) epochs)"
)
"""MONAI's engines say that they resume, at iteration 0, when they start."""
_EPOCH = pattern(r"Epoch\[(\d{1,9}+)\] Complete\. Time taken: " + _CLOCK)
_END = pattern(r"Engine run (?:complete|finished)\. Time taken:? " + _CLOCK)
_DEEPEST = 8


def is_of_engine(text: str) -> bool:
    """Returns whether an engine prints this line at its start or end, or after an epoch."""
    return is_an_engines(text) and any(one.search(text) for one in (_BEGIN, _EPOCH, _END))


class Engines:
    """The running engines, outermost first; the outermost trains if it runs for several epochs."""

    def __init__(self) -> None:
        self._running: list[int] = []  # number of epochs that each engine was started for
        self._evaluated = False  # an evaluation ended since the last epoch of training
        self._whole = False  # the trainer's times include the evaluations

    def read(self, line: Line, text: str, label: int | None) -> tuple[Event, ...] | None:
        """Returns the events of an engine's line; None for any other line."""
        if not is_an_engines(text):
            return None
        if (begins := _BEGIN.search(text)) is not None:
            self._running = [*self._running[:_DEEPEST], _epochs_of(begins)]
            return ()
        if (epoch := _EPOCH.search(text)) is not None:
            return self._epoch(line, int(epoch[1]), duration(epoch[2]), label)
        if "Engine run is terminating" in text:
            self._running.clear()
        if (ends := _END.search(text)) is None:
            return None
        epochs = self._running.pop() if self._running else 0
        if self._running:
            self._evaluated = True
            return ()
        return (RunEnd(line.origin(), duration(ends[1])),) if epochs > 1 else ()

    def _epoch(
        self, line: Line, epoch: int, seconds: float, label: int | None
    ) -> tuple[Event, ...]:
        """Returns the end of a training epoch; no event if the engine may be an evaluator."""
        if len(self._running) != 1 or self._running[0] < 2 or label not in (None, epoch):
            return ()
        planned = RunInfo(line.origin(), "epochs_planned", self._running[0])
        # Old versions stop the clock before they evaluate: their epoch 1 has no evaluation in it.
        self._whole |= self._evaluated and epoch == 1
        self._evaluated = False
        if self._whole:
            return planned, EpochEnd(line.origin(), epoch, epoch_time=seconds)
        return planned, EpochEnd(line.origin(), epoch, train_time=seconds)


def _epochs_of(begins: re.Match[str]) -> int:
    """Returns the number of epochs that an engine was started for.

    MONAI's evaluator counts on: it runs one epoch, from the label of the trainer's last epoch.
    """
    if begins[1]:
        return int(begins[1])
    iteration, epoch, until = int(begins[2]), int(begins[3]), int(begins[4])
    return 1 if iteration == 0 and until - epoch == 1 else until
