"""Progress bars without a word of what they count, in a log of unknown words.

Where the line of an epoch has figures of training and of an evaluation, and two bars were drawn up
to their ends in front of it, the first of them is the training's: so is the first one of the next
epoch, if it counts as far.
"""

from __future__ import annotations

from sixdim.parsers.events import EpochEnd, Event, Iteration
from sixdim.parsers.formats.generic_epochs import Epochs
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, Plan
from sixdim.parsers.grammar.shapes.bars import mean_of_bar
from sixdim.parsers.grammar.shapes.holes import clock, pace
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_BAR = pattern(
    r"\d{1,3}%\|[^|]{0,200}+\| (\d{1,12})/(\d{1,12}) "
    r"\[(\d[\d:]{1,12}+)<[\d:?]{1,12}+, {0,3}+([\d.]{1,12}+(?:it/s|s/it))\]"
)
"""A bar with a pace: as long as it has none, no iteration was made."""
_COUNT = pattern(r"\d{1,3}%\|[^|]{0,200}+\| (\d{1,12})/(\d{1,12}) \[")
_PASSES = 2


class BareBars:
    """The bars between the lines of two epochs.

    Args:
        epochs: Those of the log.
    """

    def __init__(self, epochs: Epochs) -> None:
        self._epochs = epochs
        self._drawn: list[tuple[int, int]] = []  # count and length of the last two bars
        self._bars = 0  # since the last epoch's line
        self._training: int | None = None  # length of the training's
        self._label: int | None = None  # of the epoch whose line came last

    def draw(self, out: list[Event], line: Line, text: str) -> None:
        """Adds what one drawing says."""
        if (counted := _COUNT.match(text)) is None:
            return
        step, steps = int(counted[1]), int(counted[2])
        if self._drawn and self._drawn[-1][1] == steps and self._drawn[-1][0] <= step:
            self._drawn[-1] = step, steps
        else:
            self._drawn = [*self._drawn[1 - _PASSES :], (step, steps)]
            self._bars += 1
        if self._bars == 1 and steps == self._training:
            self._train(out, line, text)

    def _train(self, out: list[Event], line: Line, text: str) -> None:
        """Adds a drawing of the training's bar, in the epoch behind the one that was named."""
        if self._label is None or (found := _BAR.fullmatch(text)) is None:
            return
        step, steps, seconds = int(found[1]), int(found[2]), pace(found[4])
        self._epochs.goes_on(step, bar=True)
        label = self._epochs.label
        if label != self._label + 1 or seconds != seconds:
            return
        at, mean = line.origin(), mean_of_bar(step, clock(found[3]), seconds)
        out.append(Iteration(at, label, step, steps, duration=seconds, mean_duration=mean))
        if step == steps:
            out.append(EpochEnd(at, label))

    def end_epoch(self, p: Plan) -> None:
        """Says that the line of an epoch came, which stands behind its bars."""
        self._label = self._epochs.label
        if not self._drawn:
            self._training = None
            return
        trained = p.trained
        trains = trained is not None and (trained.loss != ABSENT or bool(trained.values))
        both = p.tested is not None and trains
        first, last = self._drawn if len(self._drawn) == _PASSES else ((0, 1), (0, 1))
        whole = first[0] == first[1] and last[0] == last[1]
        # An evaluation's own data are hardly more than what is trained on.
        self._training = first[1] if both and whole and first[1] >= last[1] else None
        self._drawn, self._bars = [], 0
