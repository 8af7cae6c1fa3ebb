"""Recognises an evaluation before the training, which some logs call that of epoch 0."""

from __future__ import annotations

from sixdim.parsers.grammar.meaning.line_plan import Plan
from sixdim.parsers.grammar.vocabulary.forms import Numbers


def comes_first(plan: Plan, numbers: Numbers, steps: int, step: int) -> bool:
    """Whether figures of epoch 0 are printed after the first step of the run.

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
