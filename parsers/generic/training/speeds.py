"""Finds the speed at each step: what the line prints, and what counts and times give."""

from __future__ import annotations

from math import isclose
from typing import NamedTuple, TypeAlias

from sixdim.parsers.events import Scope
from sixdim.parsers.generic.epochs.epochs import Epochs
from sixdim.parsers.generic.training.elapsed import Elapsed
from sixdim.parsers.generic.training.rates import NO_RATE, BarTimes, Rate, Rates
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, Plan, Trained
from sixdim.parsers.grammar.vocabulary.forms import Numbers

Count: TypeAlias = int | None
"""A step, or the number of steps of an epoch."""


class Speed(NamedTuple):
    """The speed at one step.

    Attributes:
        rate: The rate of the last steps.
        seconds: The seconds of one of the last iterations.
        mean: Mean seconds per iteration since the epoch began.
        whole: Mean rate since the epoch began.
        printed: The seconds of an iteration, if the line prints them.
    """

    rate: Rate = NO_RATE
    seconds: float | None = None
    mean: float | None = None
    whole: float | None = None
    printed: float | None = None

    def by_samples(self, *, surely: bool) -> Speed:
        """Returns the speed of a step that counts samples: its seconds are those of a sample.

        Args:
            surely: Whether it surely counts samples, and not only perhaps.
        """
        each = self.mean or (self.seconds if self.printed is None else None)
        rate, whole = self.rate, self.whole
        if surely and each and rate[0] is None:
            rate, whole = (1 / each, "samples/s", Scope.UNKNOWN), self.mean and 1 / self.mean
        return Speed(rate, self.printed, None, whole, self.printed)


class Speeds:
    """The speeds of the steps of one log.

    Attributes:
        bars: The times of its bars.
        printed: Returns the rate and the seconds of an iteration that a line prints: `Rates.of`.
        last_rate: The rate on the last line with a step.
    """

    def __init__(self, epochs: Epochs) -> None:
        self._epochs = epochs
        self.bars = BarTimes()
        self._elapsed = Elapsed()
        self.printed = Rates().of
        self.last_rate: float | None = None
        self._rounded: int | None = None  # the last step that is rounded to thousands
        self._rated: tuple[Plan | None, object] = None, None  # plan and place of the last rate

    def pause(self) -> None:
        """Notes an evaluation inside the training."""
        self.bars.pause()
        self._elapsed.pause()

    def at_step(
        self,
        plan: Plan,
        trained: Trained,
        numbers: Numbers,
        step: Count,
        steps: Count,
        rate: Rate,
        seconds: float | None,
    ) -> Speed:
        """Returns the speed at a step.

        Args:
            plan: The plan of its line.
            trained: The figures of the training among them.
            numbers: The numbers of the line.
            step: The step; None if it has no number.
            steps: How many the epoch has.
            rate: The rate that the line prints.
            seconds: The seconds of an iteration that it prints.
        """
        bar = plan.bar
        if trained.rounded and step == self._rounded:
            rate, seconds = NO_RATE, None  # the same rounded step again: it times other work
        self._rounded = step
        if step is not None and rate[0] is not None and self._is_other_rate(plan, step, rate[1]):
            rate, seconds = NO_RATE, None
        mean, whole = self.means(plan, trained, numbers, step, steps, rate, seconds)
        if bar is not None and step == 1 and steps != 1:
            rate, seconds, mean, whole = NO_RATE, None, None, None  # of one iteration: no speed
        if bar is not None:
            seconds = self.bars.pace(seconds)
        printed = seconds
        if step is not None and seconds is None and rate[0] is None:
            if trained.elapsed:
                elapsed: float = sum(numbers[place] for place in trained.elapsed)
                seconds = self._elapsed.since(self._epochs.label, step, elapsed)
            elif trained.time != ABSENT and step:
                passed = numbers[trained.time] or 0.0
                seconds = self._elapsed.of_run(self._epochs.label, step, passed)
        return Speed(rate, seconds, mean, whole, printed)

    def note(self, plan: Plan, step: int, rate: Rate) -> None:
        """Notes the rate of a step whose speed is not asked for by `at_step`."""
        self._rounded, self.last_rate = step, rate[0]
        if rate is not NO_RATE:
            self._rated = plan, (self._epochs.label, step, rate[1])

    def _is_other_rate(self, plan: Plan, step: int, unit: str) -> bool:
        """Returns whether a line of another form gave the rate of this step.

        T5X prints the speed of an evaluation under the name of the training's. A bar that gets its
        first figures is drawn again with its own speed.
        """
        before, self._rated = self._rated, (plan, (self._epochs.label, step, unit))
        return plan.bar is None and before[0] is not plan and before[1] == self._rated[1]

    def means(
        self,
        plan: Plan,
        trained: Trained,
        numbers: Numbers,
        step: Count,
        steps: Count,
        rate: Rate,
        seconds: float | None,
    ) -> tuple[float | None, float | None]:
        """Returns mean seconds/iteration and mean rate since the epoch began; None if unknown."""
        epochs, bar, rated = self._epochs, plan.bar, rate[0]
        mean = whole = None
        if bar is not None and not self.bars.restarted:
            mean = self.bars.mean(bar, epochs.label, step, steps, numbers)
            own = bar.seconds(numbers)
            if mean and own and rated is not None and isclose(own * rated, 1):
                whole = 1 / mean  # of the bar's own rate, as in images/s
        if trained.mean_time != ABSENT and seconds is not None:
            mean = numbers[trained.mean_time]
        if trained.time != ABSENT and step and (passed := numbers[trained.time]):
            mean = self._elapsed.mean(epochs.label, step, passed)
            whole = self._elapsed.rate(epochs.label, rated, passed, step) if rated else None
        return mean, whole
