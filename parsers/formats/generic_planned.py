"""Finds the number of planned epochs, in a log that no format knows."""

from __future__ import annotations

from sixdim.parsers.events import Event, Origin, RunInfo

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
