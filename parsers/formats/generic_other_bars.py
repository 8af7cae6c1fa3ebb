"""Progress bars whose words and figures do not say that they train, in a log of unknown words.

What follows them, or stands inside them, may show it.
"""

from __future__ import annotations

from sixdim.parsers.events import EpochEnd, Event, Iteration, Origin, RunInfo
from sixdim.parsers.formats.generic_epochs import Epochs
from sixdim.parsers.grammar.meaning.line_plan import Plan
from sixdim.parsers.grammar.vocabulary.forms import Numbers

_OUTER = frozenset({("epoch",), ("epochs",)})
_INNER = frozenset(
    (word,) for word in ("iter", "iteration", "iterations", "step", "steps", "batch", "batches")
)
_PASSES = 2


class BareBars:
    """Bars without a word, between the lines of two epochs.

    Where the line of an epoch has figures of training and of an evaluation, and two bars were drawn
    up to their ends in front of it, the first of them is the training's: so is the first one of the
    next epoch, if it counts as far.

    Args:
        epochs: Those of the log.
    """

    def __init__(self, epochs: Epochs) -> None:
        self._epochs = epochs
        self._drawn: list[tuple[int, int]] = []  # count and length of the last two bars
        self._bars = 0  # since the last epoch's line
        self._training: int | None = None  # length of the training's
        self._label: int | None = None  # of the epoch whose line came last

    def draw(self, out: list[Event], at: Origin, p: Plan, numbers: Numbers) -> None:
        """Adds what one drawing says."""
        step, steps, drawn = numbers[p.step], numbers[p.steps], self._drawn
        if drawn and drawn[-1][1] == steps and drawn[-1][0] <= step:
            drawn[-1] = step, steps
        else:
            self._drawn = [*drawn[1 - _PASSES :], (step, steps)]
            self._bars += 1
        if self._bars != 1 or steps != self._training or self._label is None:
            return
        if p.bar is None or (seconds := p.bar.seconds(numbers)) is None:
            return
        self._epochs.goes_on(step, bar=True)
        label, mean = self._epochs.label, p.bar.mean(step, numbers)
        if label == self._label + 1:
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
        both = p.tested is not None and trained is not None and trained.has_figures
        first, last = self._drawn if len(self._drawn) == _PASSES else ((0, 1), (0, 1))
        whole = first[0] == first[1] and last[0] == last[1]
        # An evaluation's own data are hardly more than what is trained on.
        self._training = first[1] if both and whole and first[1] >= last[1] else None
        self._drawn, self._bars = [], 0


class NestedBars:
    """Bars named `Epoch:`, and bars named `Iteration:` inside them.

    A bar named `Epoch:` may count the batches of one epoch. It counts epochs where another bar is
    drawn up to its end in front of each of its counts.

    Args:
        epochs: Those of the log.
    """

    def __init__(self, epochs: Epochs) -> None:
        self._epochs = epochs
        self._planned: int | None = None  # what the outer bar counts up to
        self._done = 0
        self._whole = False  # an inner bar came to its end since the outer one's last count
        self._begun = False  # an outer bar without an epoch was recognised

    def recognises(self, p: Plan, numbers: Numbers) -> bool:
        """Whether a line is a drawing of an inner bar, in a log with an outer one."""
        self._begun |= p.other_bar in _OUTER and numbers[p.step] == 0
        return self._begun and p.other_bar in _INNER

    def draw(self, out: list[Event], at: Origin, p: Plan, numbers: Numbers) -> None:
        """Adds what one drawing says."""
        if self._epochs.named:
            return
        if p.other_bar in _OUTER:
            self._draw_outer(out, at, numbers[p.step], numbers[p.steps])
        elif p.other_bar in _INNER and self._planned is not None and self._done < self._planned:
            self._draw_inner(out, at, p, numbers)

    def _draw_outer(self, out: list[Event], at: Origin, count: int, total: int) -> None:
        """Adds a drawing of the bar of the epochs."""
        if count == 0:
            self._planned, self._done, self._whole = total, 0, False
        elif total == self._planned and self._whole and count == self._done + 1:
            if count == 1:
                out.append(RunInfo(at, "epochs_planned", total))
            out.append(EpochEnd(at, count))
            self._done, self._whole, self._epochs.label = count, False, count

    def _draw_inner(self, out: list[Event], at: Origin, p: Plan, numbers: Numbers) -> None:
        """Adds a drawing of the bar of an epoch's iterations."""
        step, steps = numbers[p.step], numbers[p.steps]
        self._whole |= step == steps
        if not step or p.bar is None or (seconds := p.bar.seconds(numbers)) is None:
            return
        self._epochs.label = label = self._done + 1
        mean = p.bar.mean(step, numbers)
        out.append(Iteration(at, label, step, steps, duration=seconds, mean_duration=mean))
