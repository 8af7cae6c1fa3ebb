"""Decides which lines without a step stand for their epoch, in a log that no format knows."""

from math import inf

from sixdim.parsers.grammar.meaning.line_plan import ABSENT, Plan, Trained

_SINGLES = 2
"""After this many further epochs with one line each, all epochs are taken to have one line."""


class EpochLines:
    """Follows the lines of each epoch, with and without a step.

    Attributes:
        stepped: The epoch of the last line with a step and a figure.
        summed: The epoch of the last line that was taken to sum an epoch up.
    """

    def __init__(self) -> None:
        self.stepped: int | None = None
        self.summed: int | None = None
        self._sums_up = True  # no step followed such a line in its epoch
        self._single: int | None = None  # epoch of the last line with a rate and without a step
        self._singles: float = 0  # epochs after the first that had exactly one such line

    def sums_up(self, label: int | None, plan: Plan, trained: Trained) -> bool:
        """Whether a line without a step sums up its epoch, of which earlier lines have steps.

        Its rate is the epoch's unless the last line with a step has the same. If steps follow it in
        its epoch, the log prints two kinds of progress lines.
        """
        has_figures = trained.loss != ABSENT or trained.rates
        if plan.step != ABSENT:
            self._sums_up = self._sums_up and label != self.summed
            self.stepped = label
        elif plan.epoch != ABSENT and label == self.stepped and has_figures:
            self.summed = label
            return self._sums_up
        return False

    def is_only(self, label: int | None) -> bool:
        """Notes a line with a rate and without a step; returns whether it is its epoch's only line.

        It is taken for the only line once three consecutive epochs had exactly one such line.
        """
        before, self._single = self._single, label
        if before is not None and before == label:
            self._singles = -inf
        follows = before is not None and label == before + 1
        self._singles = self._singles + 1 if follows else min(self._singles, 0)
        return self._singles >= _SINGLES
