"""Reads epochs counted behind the name of a split: `[ Train | 1/9 ]`, `[ Valid | 1/9 ]`."""

from __future__ import annotations

from sixdim.parsers.events import EpochEnd, Event, Origin, RunInfo
from sixdim.parsers.formats.generic_epochs import Epochs
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, Plan
from sixdim.parsers.grammar.vocabulary.forms import Numbers


class Pairs:
    """Decides from the order of lines whether a count behind a split counts epochs or batches.

    It counts epochs if each training line is followed by an evaluation line with the same number,
    from the first number on. Counts of batches run to the end of one split first.

    Args:
        epochs: The epochs of the log.
    """

    def __init__(self, epochs: Epochs) -> None:
        self._epochs = epochs
        self._trained: tuple[int, int | None] | None = (
            None  # count on the last line, if it was the training's
        )
        self._last: int | None = None  # the last epoch with a line of both splits

    def add(self, out: list[Event], at: Origin, p: Plan, numbers: Numbers) -> None:
        """Adds the end of the epoch that a line counts, if it counts epochs."""
        count, of_all = numbers[p.part], numbers[p.parts]
        if p.epoch != ABSENT or (self._epochs.named and self._last is None):
            return
        if p.trained is not None:
            alone = self._trained is None
            self._trained = (count, of_all) if alone else (-1, None)
            if alone and self._last is not None and count == self._last + 1:
                self._epochs.label = count
            return
        trained, self._trained = self._trained, None
        first = count in (0, 1) and count != of_all if self._last is None else count > self._last
        if trained != (count, of_all) or not first:
            return
        if self._last is None and of_all is not None:
            out.append(RunInfo(at, "epochs_planned", of_all))
        self._epochs.label, self._epochs.named, self._last = count, True, count
        out.append(EpochEnd(at, count))
