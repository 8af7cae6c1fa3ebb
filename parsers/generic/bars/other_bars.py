"""Reads progress bars that do not say that they train, in a log that no format knows.

The lines after or between their drawings may show it.
"""

from math import inf

from sixdim.parsers.events import EpochEnd, Event, Iteration, Origin
from sixdim.parsers.generic.bars.bars import EpochBars
from sixdim.parsers.generic.epochs.epochs import Epochs
from sixdim.parsers.generic.training.rates import BarTimes
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, Plan
from sixdim.parsers.grammar.vocabulary.forms import Numbers
from sixdim.parsers.grammar.vocabulary.names import EVALUATED

_OUTER = frozenset({("epoch",), ("epochs",)})
_INNER = frozenset(
    (word,) for word in ("iter", "iteration", "iterations", "step", "steps", "batch", "batches")
)
_PASSES = 2
_MOST_BARS = 8
_FEWEST_ALONE = 2
"""The fewest epochs with one bar each that show that it is the training's."""
_LONG_S = 2
"""The fewest whole seconds that can be compared with another time."""


class BareBars:
    """Bars without a word, between the lines of two epochs.

    If an epoch's line has figures of training and of an evaluation, and two bars were drawn to
    their ends in front of it, the first bar was the training's. The first bar of the next epoch is,
    too, if it has the same length. So is the bar in front of a line of the training, if another,
    shorter one stands between that line and the evaluation's, and the only bar in front of each
    line of a log whose lines have figures of training alone, or that took most of the time that the
    line prints. The same holds for the first bar after a heading like `Epoch 3`, if none of the
    other bars after that heading was longer.
    """

    def __init__(self, epochs: Epochs) -> None:
        self._epochs = epochs
        self._drawn: list[tuple[int, int]] = []  # count and length of the last two bars
        self._bars = 0  # bars since the last epoch's line
        self._evaluated = False  # an evaluation was printed since
        self._alone: float = 0  # epochs in front of whose line stood one bar
        self._latest: tuple[Plan, Numbers] | None = None  # the last drawing
        self._training: int | None = None  # length of the training's bar
        self._before = 0  # length of the only bar in front of the last line, if that one trains
        self._label: int | None = None  # of the epoch whose line came last
        # The same of the bars after a heading; the second are those before the line of the epoch.
        self._headed: list[tuple[int, int]] | None = None
        self._finished: list[tuple[int, int]] = []
        self._of_heading = 0  # length of the training's bar after each heading

    def draw(self, events: list[Event], at: Origin, plan: Plan, numbers: Numbers) -> None:
        """Adds the iteration that one drawing shows, and the end of its epoch."""
        step, steps, drawn = numbers[plan.step], numbers[plan.steps], self._drawn
        if self._headed is not None:
            self._draw_after_heading(events, at, plan, numbers)
            return
        if drawn and drawn[-1][1] == steps and drawn[-1][0] <= step:
            drawn[-1] = step, steps
        else:
            self._drawn = [*drawn[1 - _PASSES :], (step, steps)]
            self._bars += 1
        self._latest = plan, numbers
        if self._bars != 1 or steps != self._training or self._label is None:
            return
        if plan.bar is None or (seconds := plan.bar.seconds(numbers)) is None:
            return
        self._epochs.goes_on(step, bar=True, last=step == steps)
        label, mean = self._epochs.label, plan.bar.mean(step, numbers)
        if label == self._label + 1:
            events.append(Iteration(at, label, step, steps, duration=seconds, mean_duration=mean))
            if step == steps:
                events.append(EpochEnd(at, label))

    def begin_epoch(self) -> None:
        """Notes a heading that begins an epoch, whose bars follow it."""
        # A bar may be drawn, with the count 0, before the heading of its epoch is printed.
        begun = [
            bar for bar in (self._finished if self._headed is None else self._headed) if bar[0]
        ]
        whole = bool(begun) and begun[0][0] == begun[0][1] == max(steps for _, steps in begun)
        self._of_heading = begun[0][1] if whole else 0
        self._headed = []

    def _draw_after_heading(
        self, events: list[Event], at: Origin, plan: Plan, numbers: Numbers
    ) -> None:
        step, steps, bars = numbers[plan.step], numbers[plan.steps], self._headed or []
        again = bool(bars) and bars[-1][1] == steps and bars[-1][0] <= step
        if not again and len(bars) == _MOST_BARS:
            return
        self._headed = [*bars[: len(bars) - again], (step, steps)]
        if len(self._headed) > 1 or steps != self._of_heading or not step or plan.bar is None:
            return
        label, seconds = self._epochs.label, plan.bar.seconds(numbers)
        if label is None or seconds is None:
            return
        mean = plan.bar.mean(step, numbers)
        events.append(Iteration(at, label, step, steps, duration=seconds, mean_duration=mean))

    def note_evaluation(self) -> None:
        """Notes a line with figures of an evaluation: the bar in front of it may be that one's."""
        self._evaluated = True
        if self._before and self._bars == 1 and self._drawn[0][0] == self._drawn[0][1]:
            self._training = self._before if self._before > self._drawn[0][1] else None
            self._drawn, self._bars = [], 0

    def end_epoch(self, plan: Plan, numbers: Numbers) -> None:
        """Notes the line of an epoch, which comes after the bars of the epoch."""
        self._label = self._epochs.label
        self._alone = self._alone + 1 if self._bars == 1 and not self._evaluated else -inf
        self._evaluated = False
        if self._headed is not None:
            self._finished, self._headed = self._headed, None
        self._before = 0
        figures = plan.trained is not None and plan.trained.has_figures
        if not self._drawn:
            self._training = None if figures else self._training
            return
        both = figures and plan.tested is not None
        first, last = self._drawn if len(self._drawn) == _PASSES else ((0, 1), (0, 1))
        alone = self._alone >= _FEWEST_ALONE or (self._bars == 1 and self._took_most(plan, numbers))
        if figures and alone:
            both, first, last = True, self._drawn[-1], self._drawn[-1]
        whole = first[0] == first[1] and last[0] == last[1]
        trained = figures and plan.tested is None
        if trained and self._bars == 1 and self._drawn[0][0] == self._drawn[0][1]:
            self._before = self._drawn[0][1]
        # An evaluation hardly has more data than the training.
        if self._before == 0 or self._before != self._training:
            self._training = first[1] if both and whole and first[1] >= last[1] else None
        self._drawn, self._bars = [], 0

    def _took_most(self, plan: Plan, numbers: Numbers) -> bool:
        """Whether the last bar took most of the time of the epoch, as an evaluation hardly does."""
        trained, drawn = plan.trained, self._latest
        if trained is None or drawn is None or drawn[0].bar is None:
            return False
        seconds = drawn[0].bar.time(drawn[1])
        time = numbers[max(trained.epoch_time, trained.train_time, trained.time)]
        return time is not None and seconds >= _LONG_S and seconds > time / 2


class NestedBars:
    """Reads a bar of epochs around bars of iterations, none of which says what it counts.

    If one bar begins directly after another, it begins inside the other. The outer bar counts
    epochs if most of the inner one is drawn before each of its counts. Both are a training's if one
    has figures of training, or if they are named `Epoch:` and `Iteration:`.
    """

    def __init__(self, epochs: Epochs, bars: EpochBars, times: BarTimes) -> None:
        self._epochs, self._bars, self._times = epochs, bars, times
        self._begun = 0  # total of the last drawing, if its count was 0
        self._words: tuple[str, ...] | None = ()  # words in front of the last drawing
        self._outer = self._inner = 0  # totals of two nested bars; 0 while unknown
        self._done = 0  # count of the outer bar
        self._drawn = 0  # last count of the inner bar since the outer one advanced
        self._trains = False  # whether the bars show a training
        self._announced = False  # a bar named `Epoch:` was drawn

    def recognises(self, plan: Plan, numbers: Numbers) -> bool:
        """Whether a line is a drawing of an inner bar, after an outer bar named `Epoch:`."""
        self._announced |= plan.other_bar in _OUTER and numbers[plan.step] == 0
        return self._announced and plan.other_bar in _INNER

    def draw(
        self, events: list[Event], text: str, at: Origin, plan: Plan, numbers: Numbers
    ) -> bool:
        """Adds a drawing of an outer or an inner bar to the events.

        Returns:
            False if the line has figures of an iteration, which the caller must add.
        """
        count, total = numbers[plan.step], numbers[plan.steps]
        if total is None or self._epochs.named or not EVALUATED.isdisjoint(plan.other_bar or ()):
            return False
        follows = self._follows(count, total, plan.other_bar)
        if not self._outer:
            return False
        self._trains |= plan.other_bar is None
        if not follows or not self._trains:
            return True
        if total == self._outer:
            counts = plan._replace(done=plan.step, epochs=plan.steps, step=ABSENT, steps=ABSENT)
            self._bars.add(events, text, at, counts, numbers)
            return True
        if total != self._inner:
            return True  # a bar of other work inside an epoch
        self._epochs.label = label = self._done + 1
        self._epochs.namings.number_first()
        if plan.other_bar is None:
            return False
        if count and plan.bar is not None and (seconds := plan.bar.seconds(numbers)) is not None:
            mean = self._times.mean(plan.bar, label, count, total, numbers)
            pace = self._times.pace(seconds)
            events.append(Iteration(at, label, count, total, duration=pace, mean_duration=mean))
        return True

    def _follows(self, count: int, total: int, words: tuple[str, ...] | None) -> bool:
        """Notes the count of a bar; returns whether it continues the nested bars."""
        begun, outer_words = self._begun, self._words
        self._begun, self._words = (0 if count else total), words
        if begun and begun != total and not (self._done and self._trains):
            named = outer_words in _OUTER and words in _INNER
            if named or not count:
                self._outer, self._inner, self._done = begun, total, 0
                self._drawn, self._trains = count, named
                return True
        if total == self._inner:
            self._drawn = count
        elif total == self._outer and count != self._done:
            if count != self._done + 1 or 2 * self._drawn <= self._inner:
                if not self._done:
                    self._outer = self._inner = 0
                return False
            self._done, self._drawn = count, 0
        return True
