"""The iterations of a run without epochs, cut into windows of equal length.

Ours, for want of a rule in the field: the run is held in 11 to 22 windows; once there are 22,
neighbours become one. So memory stays small at any length, and the cut depends on the order of
the records alone. Speed takes five windows from six elevenths of the run on, as DeepSpark takes
epochs 6 to 10 of its first eleven, and a card that rests on them is `short`.
"""

from __future__ import annotations

from metrics.epoch import Epoch
from parsers.events import Iteration, Iterations

LEAST = 11
MOST = 2 * LEAST
SKIP = 6
TAKE = 5


class IterationWindows:
    """Folds progress lines into windows.

    Attributes:
        size: Progress lines in a whole window.
    """

    def __init__(self) -> None:
        self.size = 1
        self._windows: list[Epoch] = []

    @property
    def begun(self) -> bool:
        """Whether there is any progress line."""
        return bool(self._windows)

    def add(self, event: Iteration) -> None:
        """Folds one progress line."""
        window = self._open()
        if not window.records:
            window.first_line = event.at.line
        window.add(event)

    def add_after(self, event: Iterations) -> None:
        """Folds a stretch of progress lines but its first, which was added."""
        window = self._open()
        if window.records and event.records - 1 <= self.size - window.records:
            window.add_after(event)
            return
        done = 1
        while done < event.records:
            for part in event.parts(done, self._shares(event.records - done)):
                self.add(part.first)
                self._windows[-1].add_after(part)
                done += part.records

    def _shares(self, records: int) -> list[int]:
        """How many of so many progress lines go into each window, while there is room for more."""
        window = self._open()
        shares = [min(records, self.size - window.records)]
        left = records - shares[0]
        while left and len(self._windows) + len(shares) <= MOST:
            shares.append(min(left, self.size))
            left -= shares[-1]
        return shares

    def _open(self) -> Epoch:
        """The window that the next progress line belongs to."""
        if not self._windows or self._windows[-1].records == self.size:
            if len(self._windows) == MOST:
                self._halve()
            self._windows.append(Epoch(len(self._windows), 0))
        return self._windows[-1]

    def whole(self) -> list[Epoch]:
        """The windows that are full, oldest first."""
        return [window for window in self._windows if window.records == self.size]

    def stable(self) -> list[Epoch]:
        """Five whole windows of the stable part; all there are where there are fewer than 11."""
        whole = self.whole()
        if len(whole) < LEAST:
            return whole
        first = len(whole) * SKIP // LEAST
        return whole[first : first + TAKE]

    def _halve(self) -> None:
        kept = self._windows[::2]
        for label, (window, later) in enumerate(zip(kept, self._windows[1::2], strict=True)):
            window.absorb(later)
            window.label = label
        self._windows = kept
        self.size *= 2
