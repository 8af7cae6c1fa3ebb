"""Finds the epoch of lines of training that do not name it, in a log that no format knows."""

_FEWEST = 3
"""The fewest lines of training before any name of an epoch that show that it is named late."""


class UnnamedLines:
    """Decides whether a line of training without an epoch is one of the next epoch.

    Some logs name an epoch only after its bars and steps. If the first epoch is named so, steps
    after the figures of an epoch count for the next one. Once a later name shows that this was
    wrong, only steps that begin again do.

    Attributes:
        step: The step of the last such line; None without any.
        reported: Whether a line has figures of the whole current epoch.
    """

    def __init__(self) -> None:
        self.step: int | None = None
        self.reported = False
        self._rose = False  # compared with the line before that
        self._came_first = False  # steps were printed before any line named an epoch
        self._uncounted = 0  # lines of training without a step before any line named an epoch
        self._named_late = False  # a line named the epoch before the current one

    def name(self, *, late: bool) -> None:
        """Notes a line that names another epoch; `late` if it is the one before the current one."""
        self._named_late |= late
        self.reported = False

    def begin_next(
        self, step: int | None, label: int | None, *, is_over: bool, bar: bool, last: bool
    ) -> bool:
        """Notes such a line; returns whether it is one of the epoch after the current one.

        Args:
            step: The step of the line.
            label: The current epoch; None before the first one.
            is_over: Whether a line says that the current epoch is over.
            bar: Whether the line is a progress bar, which may draw the same step twice.
            last: Whether the bar is full. A full bar that was drawn before begins no epoch.
        """
        if step is None:
            begins = self._begins_uncounted(label, bar=bar)
        else:
            before, self.step = self.step, step
            if bar and self._rose and step == before:
                return False
            self._rose = before is not None and step > before
            if last and self._rose:
                return False
            if label is None:
                self._came_first = True
            anew = self._came_first and self.reported and not (self._rose and self._named_late)
            begins = label is not None and (is_over or anew)
        self.reported &= not begins
        return begins

    def _begins_uncounted(self, label: int | None, *, bar: bool) -> bool:
        """As `begin_next`, for a line without a step: `[120/300] - loss: 0.5` may count anything.

        The figures of an epoch end it if several such lines came before the first ones.
        """
        if label is None:
            self._uncounted += not bar
            return False
        return self._uncounted >= _FEWEST and self.reported and not (bar or self._named_late)

    def count(self, step: int) -> bool:
        """Notes a step that follows the one before in its epoch, or is drawn again by a bar.

        Returns:
            False if it may be one of the next epoch: `begin_next` must decide.
        """
        if self._came_first and self.reported:
            return False
        self._rose = self._rose or step != self.step
        self.step = step
        return True
