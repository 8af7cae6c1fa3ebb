"""Reads lines with two counters whose outer one counts epochs: `iteration:7 step:30/652`.

The outer one may have no name: `[7/20] step 30/652`. Both may look like a step and its total:
`Batch 7/30` is batch 30 of epoch 7. A loop may also print the steps of the epoch on some lines and
those of the run on others.
"""

from sixdim.parsers.grammar.meaning.line_plan import ABSENT, NOTHING, Plan
from sixdim.parsers.grammar.vocabulary.forms import Numbers

_FEWEST = 20
"""Loops of fewer steps without a bar are those inside an iteration, as of meta-learning."""

_OFTEN = 3
"""So many steps without a total, behind others of their epoch that have one, are of the run."""


class OuterCounter:
    """Decides from the order of lines whether the counter in front of `step 30/652` counts epochs.

    It does if it stays the same while the steps rise. If both change from one line to the next,
    neither is known.
    """

    def __init__(self) -> None:
        self._last: tuple[int, int] | None = None
        self._counts_epochs: bool | None = None
        self._known: tuple[Plan, Plan] | None = None  # the last plan, without and with the epoch
        self._described: tuple[Plan, Plan] | None = None  # the last plan, without and with the step
        self._pairs_name_epochs = False

    def plan(self, plan: Plan, numbers: Numbers) -> Plan:
        """Returns the plan of a line with both counters, with the epoch and the step if known.

        The first line with two named counters, which shows nothing yet, is not read: it has no
        epoch to belong to.
        """
        if plan.outer == ABSENT:
            return plan if plan.part != ABSENT else self._pair(plan, numbers)
        if self._counts_epochs is None:
            outer, step = numbers[plan.outer], numbers[plan.inner]
            before, self._last = self._last, (outer, step)
            if before is None:
                return NOTHING
            if step - outer in (0, 1) and outer - before[0] in (0, 1):
                return self._of_bar(plan)
            if step > before[1]:
                few = plan.bar is None and numbers[plan.inner + 1] < _FEWEST
                self._counts_epochs = outer == before[0] and not few
        if not self._counts_epochs:
            return plan
        if self._known is None or self._known[0] is not plan:
            counts = plan._replace(
                epoch=plan.outer, epochs=plan.parts, step=plan.inner, steps=plan.inner + 1
            )
            bar, has_total = (plan.bar, True) if plan.parts != ABSENT else (None, False)
            self._known = plan, counts._replace(bar=bar, naming=("outer counter", has_total))
        return self._known[1]

    def _of_bar(self, plan: Plan) -> Plan:
        """Returns the plan of a bar whose description shows its own count: `iter 7: 2%|▏| 7/360`.

        Of two counters that are no bar's nothing is known as long as they are equal.
        """
        if plan.bar is None:
            return NOTHING
        if self._described is None or self._described[0] is not plan:
            self._described = (
                plan,
                plan._replace(outer=ABSENT, step=plan.inner, steps=plan.inner + 1),
            )
        return self._described[1]

    def _pair(self, plan: Plan, numbers: Numbers) -> Plan:
        """Returns the plan of a line with a step and its total, or with an epoch and its step.

        A second number that is 0 cannot be a total. Lines of an evaluation keep their plan.
        """
        if numbers[plan.steps] == 0 and plan.step != ABSENT:
            self._pairs_name_epochs = True
        if not self._pairs_name_epochs or plan.trained is None:
            return plan
        if self._known is None or self._known[0] is not plan:
            counts = plan._replace(epoch=plan.step, step=plan.steps, steps=ABSENT)
            self._known = plan, counts._replace(naming=("outer counter", False))
        return self._known[1]


class StepsOfEpoch:
    """Distinguishes the count of the epoch's steps from others, such as that of the run's steps."""

    def __init__(self) -> None:
        self._counted: tuple[int | None, int, int] = (None, 0, 0)  # epoch, steps, step
        self._behind = 0  # steps without a total that were less than one with a total before
        self._finished: tuple[int | None, int] | None = None  # the last finished epoch, its steps

    @property
    def last(self) -> tuple[int, int]:
        """The total of the last count with one, and that count; zeros for none."""
        return self._counted[1:]

    def are_others(self, label: int | None, step: int | None, steps: int | None) -> bool:
        """Returns whether a line counts other steps than those of its epoch.

        The count then goes on from the epoch's last line to another total, or beyond the total, or
        is behind again and again. A line without a step may be the heading of another training.

        Args:
            label: The epoch of the line.
            step: The step on the line.
            steps: The total after it.
        """
        epoch, total, last = self._counted
        if step is None:
            self._counted = None, 0, 0
            return False
        if epoch == label is not None and steps is None:
            self._behind += step < last < total
            if self._behind >= _OFTEN:
                return True
        most = total if steps is None else last
        if epoch == label is not None and steps != total and step > most:
            return True
        if steps is not None:
            self._counted = label, steps, step
        return False

    def finish(self, label: int | None, steps: int) -> None:
        """Notes the last step of an epoch."""
        self._finished = label, steps

    def rename(self, label: int | None, name: int) -> None:
        """Notes that the finished epoch with this label is named after its last step."""
        if self._finished is not None and self._finished[0] == label:
            self._finished = name, self._finished[1]

    def finished_in_others(self, label: int | None, steps: int | None) -> bool:
        """Returns whether an epoch was finished with a number of steps other than `steps`."""
        if self._finished is None or steps is None or label is None:
            return False
        return label == self._finished[0] and steps != self._finished[1]

    def are_all(self, steps: int | None, epochs: int | None) -> bool:
        """Returns whether all planned epochs have so many steps.

        An example is `20/120`, of 6 epochs of 20 steps.
        """
        return self._finished is not None and steps == self._finished[1] * (epochs or 0)
