"""Reads how many tested samples were right after each epoch: `Epoch 3: 9129 / 10000`.

Many descendants of a textbook's first network print nothing else.
"""

from sixdim.parsers.events import EpochEnd, Evaluation, Event, Metric, Origin
from sixdim.parsers.text.patterns import pattern

_LINE = pattern(r"[Ee]poch (\d{1,6}+) ?: ?(\d{1,9}+) ?/ ?(\d{3,9}+)$")
_FEWEST = 3
"""Lines that show that the counts are neither those of epochs nor those of trained samples."""


class Correct:
    """The counts of one log; they are of correct samples if each epoch has one, and they vary."""

    def __init__(self) -> None:
        self._last: tuple[int, int] | None = None  # epoch and all
        self._held: list[tuple[Origin, int, int, int]] = []  # epoch, correct, all; until decided
        self._decided: bool | None = None

    def add(self, events: list[Event], at: Origin, text: str, label: int | None) -> None:
        """Adds the result of an epoch, once it is sure with those of the epochs before."""
        found = _LINE.match(text) if self._decided is not False else None
        if found is None or label is None:
            return
        correct, total = int(found[2]), int(found[3])
        follows = self._last is None or self._last == (label - 1, total)
        self._last = label, total
        self._held.append((at, label, correct, total))
        if not follows or correct > total:
            self._decided = False
        elif self._decided is None and len(self._held) == _FEWEST:
            first, second, third = (one[2] for one in self._held)
            self._decided = third - second != second - first
        if self._decided:
            events.append(EpochEnd(at, label))
            for place, epoch, right, of_all in self._held:
                score = Metric("acc1", right / of_all, "fraction")
                events.append(Evaluation(place, (score,), epoch))
            self._held.clear()
