"""Reads lines that are like the line before, in a log that no format knows.

Most lines of a training are: the next steps of the same epoch, or the next epoch on a line each.
Nothing is found out from such a line about how the log counts and what its figures are, so that it
need not be passed to all that look for it: its events are made in a third of the time.
"""

from collections.abc import Sequence

from sixdim.parsers.events import EpochEnd, Evaluation, Event, Iteration
from sixdim.parsers.generic.bars.drawings import Drawings
from sixdim.parsers.generic.epochs.epochs import Epochs
from sixdim.parsers.generic.evaluations.evaluations import Evaluations
from sixdim.parsers.generic.training.rates import NO_RATE
from sixdim.parsers.generic.training.training import Training
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, Plan
from sixdim.parsers.grammar.vocabulary.forms import Numbers
from sixdim.parsers.text.lines import Line


class Steady:
    """Makes the events of the lines of one log that are like the line before.

    Attributes:
        plan: The plan of the line before; None where no line can be like it.
    """

    def __init__(
        self,
        epochs: Epochs,
        evaluations: Evaluations,
        training: Training,
        bars: Drawings,
    ) -> None:
        self.plan: Plan | None = None
        self._numbers: Numbers = ()  # of the line before
        self._epochs, self._evaluations, self._training = epochs, evaluations, training
        self._bars = bars

    def forget(self) -> Plan | None:
        """Returns the plan of the line before, and sets it to None."""
        plan, self.plan = self.plan, None
        return plan

    def note(self, events: Sequence[Event], plan: Plan, numbers: Numbers) -> None:
        """Notes a line whose plan is steady, and its events."""
        epochs, kinds = self._epochs, [*map(type, events)]
        if plan.whole:
            usual = [EpochEnd] if plan.tested is None else [EpochEnd, Evaluation]
            usable = kinds == usual and epochs.named_by(plan)
        else:
            named = plan.bar is None or plan.epoch != ABSENT or epochs.named
            steps = [event.step for event in events if isinstance(event, Iteration)]
            usable = named and len(kinds) == 1 and steps == [numbers[plan.step]]
        if usable:
            self.plan, self._numbers = plan, numbers

    def read(self, line: Line, numbers: Numbers) -> list[Event] | None:
        """Returns the events of a line that has the plan of the last one, and is like it.

        Such a line has the totals of the last one, and a later step or the next epoch.

        Returns:
            None for another line.
        """
        plan, before = self.plan, self._numbers
        if plan is None or numbers[plan.epochs] != before[plan.epochs]:
            return None
        if plan.whole:
            events = self._epoch(line, plan, numbers)
            if events is None:
                return None
        else:
            event = self._training.go_on(line, plan, numbers, before)
            if event is None:
                return None
            self._evaluations.trained_to = step = event[2]
            if plan.bar is None:
                self._bars.steps.note_step(step, event[3])
            events = [event]
        self._numbers = numbers
        return events

    def _epoch(self, line: Line, plan: Plan, numbers: Numbers) -> list[Event] | None:
        """Returns the events of a line of the next epoch; None for another line."""
        number, after, tested = numbers[plan.epoch], numbers[plan.epochs], plan.tested
        label = (self._epochs.label or 0) + 1
        if number != self._numbers[plan.epoch] + 1 or (after is not None and number >= after):
            return None
        if plan.trained is None or self._training.summed(label):
            return None
        events: list[Event] = []
        at = line.origin()
        self._epochs.begin_next(label, number, after)
        self._training.add_epoch(events, line.text, at, plan.trained, numbers, NO_RATE, None)
        if tested is not None:
            self._bars.bare.note_evaluation()
            self._evaluations.add_next(events, at, tested, numbers)
        self._bars.bare.end_epoch(plan, numbers)
        return events
