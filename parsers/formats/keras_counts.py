"""Finds Keras's bars whose counts may not be those of steps."""


class BarCounts:
    """The counts of the bars of one log.

    Keras draws the first count of each bar, which is 1 if the bar counts steps. Before 2.3 it may
    count samples and call them steps; later it may count several steps at once.
    """

    def __init__(self) -> None:
        self._first = 0  # count of the bar; 1 if a later one is no multiple of it
        self._before = 0  # that of the bar before
        self._grown = False  # the bar had a further count
        self._grouped = False  # the last full bar counted in groups

    def draw(self, count: int, steps: int | None) -> None:
        """Notes a drawing of a bar that is not full.

        A first one of more than half of the steps is no group: the log lacks the ones before it.
        """
        if not self._first and steps is not None and 2 * count > steps:
            return
        self._grown = self._first > 0
        if not self._first or count % self._first:
            self._first = 1 if self._first else count

    @property
    def in_groups(self) -> bool:
        """Whether the bar counts several at once, as far as it was drawn."""
        return self._first > 1 and self._before in (0, self._first)

    @property
    def alike(self) -> bool:
        """Whether the bar counts in equal groups, and the one before began with such a group."""
        return self._grown and self._first == self._before > 1

    def end(self) -> bool:
        """Notes that the bar is full; returns whether it counted in equal groups of several.

        A full bar that is drawn once more, after the validation, counts like before.
        """
        if self._first:
            alike = self._first == self._before or (self._grown and not self._before)
            self._before, self._first = self._first, 0
            self._grouped = alike and self._before > 1
        return self._grouped
