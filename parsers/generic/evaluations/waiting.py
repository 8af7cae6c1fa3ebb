"""Holds back an evaluation that may be one of a batch, in a log that no format knows."""

from math import inf

from sixdim.parsers.events import Evaluation, Event
from sixdim.parsers.grammar.meaning.line_plan import NOTHING, Plan
from sixdim.parsers.grammar.vocabulary.forms import Numbers


class WaitingEvaluation:
    """The evaluation that may cover one batch only, until the lines after it show it.

    Attributes:
        held: The evaluation, with the plan of its line and the number of the batch before it.
    """

    def __init__(self) -> None:
        self.held: tuple[Plan, float, Evaluation] | None = None
        self._parts: float | None = None  # total after the count on its line
        self._drawn = (0, 0)  # first step and length of a bar after it
        self._progress: set[Plan] = set()  # plans of lines that show one batch of an evaluation

    def hold(self, plan: Plan, numbers: Numbers, evaluation: Evaluation) -> None:
        """Holds an evaluation whose line has a count that may be the number of a batch."""
        part = numbers[plan.part]
        if part and plan not in self._progress:
            self.held = plan, part, evaluation
            self._parts, self._drawn = numbers[plan.parts], (0, 0)

    def draw(self, events: list[Event], step: int, steps: int) -> None:
        """Adds the evaluation if progress bars show that other work followed it.

        Between two batches another bar could advance only by a small part of its length. If it
        advances by more, or a second bar begins, the count was of evaluations, not of batches.
        """
        first, length = self._drawn
        if steps == self._parts:
            return
        if not length or (steps == length and step < first):
            self._drawn = step, steps
        elif steps != length or step - first > steps / 2:
            self.release(events)

    def release(
        self, events: list[Event], plan: Plan = NOTHING, numbers: Numbers = (None,)
    ) -> None:
        """Adds the evaluation, unless this line shows that it covered one batch only."""
        if self.held is None:
            return
        (before, part, evaluation), self.held = self.held, None
        now = numbers[plan.part]
        again = now is not None and plan == before
        if again and now > part:
            self._progress.add(plan)
        elif again and now == part:
            return  # the same evaluation, printed again
        elif plan.tested is None or (plan.tested.names_split and part < inf):
            # else this line has the mean of the batches
            events.append(evaluation)
