"""Progress bars named `Epoch:` and, inside it, `Iteration:`, in a log of unknown words.

A bar named `Epoch:` may count the batches of one epoch. It counts epochs where another bar is drawn
up to its end in front of each of its counts.
"""

from __future__ import annotations

from sixdim.parsers.events import EpochEnd, Event, Iteration, RunInfo
from sixdim.parsers.formats.generic_epochs import Epochs
from sixdim.parsers.grammar.shapes.bars import mean_of_bar
from sixdim.parsers.grammar.shapes.holes import clock, pace
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_INNER = "iter|iterations?|steps?|batch|batches"
_BAR = pattern(
    rf"(?i)(epochs?|{_INNER}): {{1,4}}\d{{1,3}}%\|[^|]{{0,200}}+\| (\d{{1,9}}+)/(\d{{1,9}}+) "
    r"\[(\d[\d:]{1,12}+)<[\d:?]{1,12}+(?:, {0,3}+([\d.]{1,12}+(?:it/s|s/it)))?+"
)


class NestedBars:
    """The bars of the epochs of one log, and those inside them.

    Args:
        epochs: Those of the log.
    """

    def __init__(self, epochs: Epochs) -> None:
        self._epochs = epochs
        self._planned: int | None = None  # what the outer bar counts up to
        self._done = 0
        self._whole = False  # an inner bar came to its end since the outer one's last count
        self._begun = False  # an outer bar without an epoch was recognised

    def draw(self, out: list[Event], line: Line, text: str) -> None:
        """Adds what one drawing says."""
        if self._epochs.named or (found := _BAR.match(text)) is None:
            return
        count, total = int(found[2]), int(found[3])
        if found[1].lower().startswith("epoch"):
            self._outer(out, line, count, total)
        elif self._planned is not None and self._done < self._planned:
            self._whole |= count == total
            self._inner(out, line, count, total, clock(found[4]), found[5])

    def recognises(self, text: str) -> bool:
        """Whether a line is a drawing of an inner bar, in a log with an outer one."""
        if (found := _BAR.match(text)) is None:
            return False
        outer = found[1].lower().startswith("epoch")
        self._begun = self._begun or (outer and found[2] == "0")
        return self._begun and not outer

    def _outer(self, out: list[Event], line: Line, count: int, total: int) -> None:
        """Adds a drawing of the bar of the epochs."""
        if count == 0:
            self._planned, self._done, self._whole = total, 0, False
        elif total == self._planned and self._whole and count == self._done + 1:
            if count == 1:
                out.append(RunInfo(line.origin(), "epochs_planned", total))
            out.append(EpochEnd(line.origin(), count))
            self._done, self._whole, self._epochs.label = count, False, count

    def _inner(
        self,
        out: list[Event],
        line: Line,
        step: int,
        steps: int,
        passed: float,
        printed: str | None,
    ) -> None:
        """Adds a drawing of the bar of an epoch's iterations."""
        seconds = None if printed is None else pace(printed)
        if not step or seconds is None or seconds != seconds:
            return
        self._epochs.label = label = self._done + 1
        mean = mean_of_bar(step, passed, seconds)
        at = line.origin()
        out.append(Iteration(at, label, step, steps, duration=seconds, mean_duration=mean))
