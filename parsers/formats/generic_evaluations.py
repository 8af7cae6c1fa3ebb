"""Which of the figures in a log of unknown words are those of a whole evaluation."""

from __future__ import annotations

from math import inf

from sixdim.parsers.events import Evaluation, Event, Origin
from sixdim.parsers.formats.generic_epochs import Epochs
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, NOTHING, Plan
from sixdim.parsers.grammar.vocabulary.forms import Numbers, metrics_at

_new = tuple.__new__


class Evaluations:
    """The evaluations of one log, line by line.

    Args:
        epochs: Those of the log.

    Attributes:
        waiting: A line, what it counts and its evaluation, which the next line may be a batch of.
        running: Whether the last line was of one batch of an evaluation.
        data: Of which split the lines are that do not say it, by a heading since the training.
    """

    def __init__(self, epochs: Epochs) -> None:
        self.waiting: tuple[Plan, float, Evaluation] | None = None
        self.running = False
        self.data = ""
        self._epochs = epochs
        self._data_set: str | None = None  # of the first evaluation
        self._split: set[str] = set()  # metrics that are named by what they are of
        self._parts: float | None = None  # how many there are of what waits
        self._drawn = (0, 0)  # first step of a bar behind it, and its length
        self._progress: set[Plan] = set()  # of lines that stand for a batch of an evaluation

    def add(
        self, out: list[Event], at: Origin, p: Plan, numbers: Numbers, last_step: int | None
    ) -> None:
        """Adds the evaluation that a line says, unless it is of a batch or of other data.

        Args:
            out: What it is added to.
            at: Where the line stands.
            p: Which of its numbers are which figures.
            numbers: Those.
            last_step: The step of the line before, where that said nothing else.
        """
        step, steps = numbers[p.step], numbers[p.steps]
        if p.says_split:
            self._split |= p.names
        elif p.names <= self._split and not self.running:
            return  # of the training, where another line says that it is of the evaluation
        if self._data_set is None:
            self._data_set = p.data_set
        if p.data_set and p.data_set != self._data_set:
            return  # of other data than what the log calls by the same name
        step = last_step if step is None else step
        batch = steps is not None and self._epochs.trained_in_other_steps(steps)
        self.running = (p.partial or batch) and step != steps
        metrics = metrics_at(p.tested, numbers)
        if self.running or not metrics:
            return
        label = self._epochs.label
        step = step if label is None else None
        parts = (at, metrics, label, step, "raw", False, False, p.data or self.data)
        evaluation = _new(Evaluation, parts)
        part = numbers[p.part]
        if batch:
            self.waiting = p, inf, evaluation
        elif p.part == ABSENT or p.parts == ABSENT or part == numbers[p.parts]:
            out.append(evaluation)
        else:
            self.running = True
            if part and p not in self._progress:
                self.waiting = p, part, evaluation
                self._parts, self._drawn = numbers[p.parts], (0, 0)

    def draw(self, out: list[Event], step: int, steps: int) -> None:
        """Adds the evaluation that waits where other work went on behind it, by progress bars.

        Behind a batch a bar of other work draws a small part of its length, and there are no two
        of them: where there are, the number counts evaluations, not batches.
        """
        first, length = self._drawn
        if steps == self._parts:
            return
        if not length or (steps == length and step < first):
            self._drawn = step, steps
        elif steps != length or step - first > steps / 2:
            self.flush(out)

    def flush(self, out: list[Event], p: Plan = NOTHING, numbers: Numbers = (None,)) -> None:
        """Adds the evaluation that waits for this line, which might be its next batch's."""
        if self.waiting is None:
            return
        (before, part, evaluation), self.waiting = self.waiting, None
        now = numbers[p.part]
        if p == before and now is not None and now > part:
            self._progress.add(p)
        elif p == before and now == part:
            return  # the same evaluation, said again
        elif not p.tested or (p.says_split and part < inf):  # else it is what the batches come to
            out.append(evaluation)
