"""Finds that several trainings write into one log at once, by steps that go back and forth.

A run that was resumed goes back once and comes to the highest step again step by step, and ranks
that print the same lines are a few lines apart. Of two trainings that alternate, each goes on where
it was: the steps fall far back, and leap to where they were.
"""

from typing import TypeAlias

INTERLEAVED = "several trainings write into the log at once, and no line says whose it is"
_APART = 4
"""Lines from which on one writer is too far behind the other to be a rank of the same training."""
_FEWEST = 3
_OFTEN = 25
"""Leaps are no exception if there is one for so many lines that come after a later step."""


_Place: TypeAlias = "tuple[int, int]"
"""An epoch and a step in it; in logs without epochs all steps are of epoch 0."""


class Interleaving:
    """Looks at the lines whose step does not follow the one before.

    Attributes:
        found: Whether it is certain that several trainings write.
        begins: Line of the first leap.
        ends: Line of the last leap.
        is_over: Whether no further line counts, because the target is met.
    """

    def __init__(self) -> None:
        self.found = self.is_over = False
        self.begins = self.ends = 0
        self._highest: _Place | None = None
        self._behind: _Place | None = None  # the last line, if it is below that
        self._below = self._leaps = 0

    def add(
        self, before: tuple[int | None, float], now: tuple[int | None, int], length: int, line: int
    ) -> None:
        """Adds a line whose epoch is another one, or whose step is not the next above all others.

        Args:
            before: Epoch of the line before, and the highest step in it.
            now: Epoch and step of the line.
            length: Steps of an epoch, or 0.
            line: Its number.
        """
        if self.is_over:
            return
        place = now[0] or 0, now[1]
        if before[1] >= 0:
            last = before[0] or 0, int(before[1])
            # In the same epoch, the line before may have been below the highest one.
            if last != self._highest or place[0] != last[0]:
                self._reach(last, is_last=place[0] != last[0])
        highest = self._highest
        if highest is not None and place < highest:
            self._below += 1
            self._behind = place
            return
        if highest is not None and place > highest:
            self._leap(place, length, line)
        self._reach(place, is_last=True)

    def _reach(self, place: _Place, *, is_last: bool) -> None:
        """Adds a place that lines have reached; `is_last` says that the last of them did."""
        highest = self._highest
        if highest is None or place > highest or (place == highest and is_last):
            self._highest, self._behind = place, None
        elif is_last:
            self._behind = place

    def _leap(self, place: _Place, length: int, line: int) -> None:
        """Counts a leap from far below the highest place to right above it."""
        highest, behind = self._highest, self._behind
        if highest is None or behind is None:
            return
        length = max(length, highest[1], behind[1])
        if _steps(behind, place, length) > _APART * _steps(highest, place, length) > 0:
            self._leaps += 1
            self.begins, self.ends = self.begins or line, line
            self.found |= self._leaps >= _FEWEST and self._leaps * _OFTEN >= self._below


def _steps(place: _Place, later: _Place, length: int) -> int:
    """Returns the steps from a place to a later one, where an epoch has that many."""
    return (later[0] - place[0]) * length + later[1] - place[1]
