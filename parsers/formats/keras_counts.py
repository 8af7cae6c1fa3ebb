"""Finds Keras's bars whose counts may not be those of steps."""

from __future__ import annotations


class BarCounts:
    """The counts of the bars of one log.

    Keras draws the first count of each bar, which is 1 if the bar counts steps. Before 2.3 it may
    count samples and call them steps; later it may count several steps at once.
    """

    def __init__(self) -> None:
        self._first = 0  # count of the bar; 1 if a later one is no multiple of it
        self._before = 0  # that of the bar before
        self._grown = False  # the bar had a further count

    def draw(self, count: int) -> None:
        """Notes a drawing of a bar that is not full."""
        self._grown = self._first > 0
        if not self._first or count % self._first:
            self._first = 1 if self._first else count

    def end(self) -> bool:
        """Notes that the bar is full; returns whether it counted in equal groups of several."""
        alike = self._first == self._before or (self._grown and not self._before)
        self._before, self._first = self._first or self._before, 0
        return alike and self._before > 1
