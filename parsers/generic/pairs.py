"""Reads epochs whose count has no name: `[ Train | 1/9 ]` and `[ Valid | 1/9 ]`, or `1/9 | …`."""

from sixdim.parsers.events import Event, Origin
from sixdim.parsers.generic.epochs.epochs import Epochs
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, Plan
from sixdim.parsers.grammar.vocabulary.forms import Numbers
from sixdim.parsers.text.lines import Line


class Pairs:
    """Decides from the order of lines whether a count without a name counts epochs or batches.

    It counts epochs if each training line is followed by an evaluation line with the same number,
    from the first number on. Counts of batches run to the end of one split first. It also counts
    epochs if each line has the figures of both and the first two lines have consecutive numbers:
    the steps at which a training is evaluated are further apart.

    Attributes:
        ended: Whether the last line with such a count ended an epoch.
        held: The line that is held back.
    """

    def __init__(self, epochs: Epochs) -> None:
        self._epochs = epochs
        self.ended = False
        self._trained: tuple[int, int | None] | None = (
            None  # count on the last line, if it was the training's
        )
        self._last: int | None = None  # the last epoch with a line of both splits
        self._first: int | None = None  # count on the first line with the figures of both
        self.held: tuple[Line, Plan, Numbers] | None = None
        self._any_held = False

    def holds(self, line: Line, plan: Plan, numbers: Numbers) -> bool:
        """Returns whether it holds a line back.

        That is the first of all, if the next shows what it counts.
        """
        first = not self._any_held and not self._epochs.named and self._first is None
        trains = plan.trained is not None and plan.tested is None and plan.epoch == ABSENT
        if first and trains and numbers[plan.part] in (0, 1):
            self._any_held, self.held = True, (line, plan, numbers)
        return self.held is not None

    def release(self, plan: Plan, numbers: Numbers) -> tuple[Line, Plan, Numbers] | None:
        """Returns the line that was held back; the next one may show that it counts an epoch."""
        held, self.held = self.held, None
        if held is not None and plan.part != ABSENT and plan.trained is None:
            count = held[2][held[1].part]
            if numbers[plan.part] == count:
                self._epochs.label = count
        return held

    def add(self, events: list[Event], at: Origin, plan: Plan, numbers: Numbers) -> None:
        """Adds the end of the epoch that a line counts, if it counts epochs."""
        self.ended = False
        count, of_all = numbers[plan.part], numbers[plan.parts]
        if plan.epoch != ABSENT or (self._epochs.named and self._last is None):
            return
        if plan.trained is not None and plan.tested is not None:
            self._add_both(events, at, count, of_all)
            return
        if plan.trained is not None:
            alone = self._trained is None
            self._trained = (count, of_all) if alone else (-1, None)
            if alone and self._last is not None and count == self._last + 1:
                self._epochs.label = count
            return
        trained, self._trained = self._trained, None
        first = count in (0, 1) and count != of_all if self._last is None else count > self._last
        if trained == (count, of_all) and first:
            self._end(events, at, count, of_all)

    def _add_both(self, events: list[Event], at: Origin, count: int, of_all: int | None) -> None:
        """Adds the end of the epoch of a line that has the figures of both splits."""
        if self._first is None:
            self._first = count
        elif self._last is not None:
            if count > self._last or count == self._first:
                self._end(events, at, count, of_all)
        elif self._first in (0, 1) and count == self._first + 1:
            self._end(events, at, self._first, of_all)
            self._end(events, at, count, of_all)
        else:
            self._first = -1

    def counts_epoch(self, plan: Plan, numbers: Numbers) -> bool:
        """Returns whether the count of a line is known to be that of an epoch."""
        return self._last is not None and numbers[plan.part] == self._last

    def _end(self, events: list[Event], at: Origin, count: int, of_all: int | None) -> None:
        """Adds the end of an epoch, and the number of planned epochs."""
        self._last, self.ended = count, True
        self._epochs.end(events, at, count, of_all)
