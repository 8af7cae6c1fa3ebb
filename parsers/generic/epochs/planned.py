"""Finds the number of planned epochs in a log that no format knows, and whether one is epoch 0."""

from sixdim.parsers.events import Event, Origin, RunInfo
from sixdim.parsers.grammar.meaning.line_plan import Plan
from sixdim.parsers.grammar.vocabulary.forms import Numbers

_ROUND_EPOCHS = 5
"""Trainings are mostly planned for a multiple of this number of epochs."""


class Planned:
    """The number of planned epochs, by the numbers after the labels.

    Attributes:
        epochs: The number; None while it is unknown.
        has_zero: Whether an epoch has the label 0.
        from_zero: Whether epoch 0 was trained, so that a total may be one more than the last label.
    """

    def __init__(self) -> None:
        self.epochs: int | None = None
        self.has_zero = self.from_zero = False
        self._ends_with_total = False  # labels begin with 0, and the last is the number after it

    def last_of(self, done: int) -> int:
        """Returns the label of the last of a number of finished epochs."""
        return done - self.has_zero

    def add(
        self, events: list[Event], at: Origin, label: int | None, total: int, offset: int
    ) -> None:
        """Adds the number of planned epochs, by the number after a label, if that is new.

        If labels begin with 0, the last one equals that number (`9/9` of 10 epochs) or is one less
        (`9/10`). As most trainings are planned for a round number of epochs, such a number is
        assumed to be that of the epochs until a label reaches it; any other is unknown until then.

        Args:
            events: The events of the line.
            at: Where it stands.
            label: The label of its epoch.
            total: The number after it.
            offset: How much more than the label is printed in front of it.
        """
        if self.from_zero and not offset:
            self._ends_with_total |= total == label
            if not self._ends_with_total and total % _ROUND_EPOCHS:
                return
            total += self._ends_with_total
            if total != self.epochs and not self._ends_with_total:
                events.append(RunInfo(at, "epochs_assumed", total))
        if total != self.epochs:
            events.append(RunInfo(at, "epochs_planned", total))
        self.epochs = total


def comes_first(plan: Plan, numbers: Numbers, steps: int, step: int) -> bool:
    """Returns whether figures of epoch 0 are printed after the first step of the run.

    CS231n's solver prints `(Iteration 1 / 294)` and then `(Epoch 0 / 6)`.

    Args:
        plan: The plan of the line, which is the first that names an epoch.
        numbers: Its numbers.
        steps: The number of steps of the run, or of an epoch, on the line of the training before.
        step: The step on that line.
    """
    epochs = numbers[plan.epochs]
    if numbers[plan.epoch] != 0 or not epochs or plan.tested is None:
        return False
    return step == 1 and steps > epochs and steps % epochs == 0


class EpochZero:
    """Finds out whether epoch 0 was trained: only then the number after it is one too low.

    If its line has figures of an evaluation alone, the next epoch's lines show it.

    Attributes:
        trained: Whether the last line showed that there is an epoch 0, and that it was trained.
    """

    def __init__(self) -> None:
        self._unknown = False
        self.trained = False

    def knows(self, plan: Plan, label: int | None, *, trained: bool) -> bool:
        """Notes a line that names an epoch and the number of epochs; returns whether it is known.

        Args:
            plan: The plan of the line.
            label: The label of the epoch.
            trained: Whether the epoch, or a line before any epoch, has a figure of the training.
        """
        trained |= plan.trained is not None
        known_by_now = trained or plan.tested is not None
        if label == 0:
            self._unknown = plan.tested is not None and not trained
            self.trained = not self._unknown
        else:
            self.trained = self._unknown and known_by_now and not trained
            self._unknown &= not known_by_now
        return not self._unknown
