"""Rates and times of an iteration, in a log that no format knows."""

from __future__ import annotations

from typing import TypeAlias

from sixdim.parsers.events import Scope
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, ITERATIONS, Bar, Trained
from sixdim.parsers.grammar.vocabulary.forms import Numbers

Rate: TypeAlias = tuple[float | None, str, Scope]
"""A rate, its unit and its scope."""
NO_RATE: Rate = (None, "", Scope.UNKNOWN)


class Rates:
    """Keeps the rates of one log in one unit, and its times of an iteration to one timer."""

    def __init__(self) -> None:
        self._timer = ""  # name of the first time of an iteration that has one
        self._timed = False
        self._coarse: Trained | None = None  # of lines of which one had its time too coarse
        self._unit: str | None = None  # of the first rate

    def of(self, trained: Trained, numbers: Numbers) -> tuple[Rate, float | None]:
        """Returns the rate on a line, and the seconds of an iteration; None if unknown.

        The rate is in samples or tokens of the job, else of a device, and in the unit of the log's
        first rate. A rate in iterations only gives the seconds, also beside another rate: lines
        of unequal work then count by their time. If the log prints several times of an iteration,
        the first one counts.
        """
        if not trained.rates and trained.duration == ABSENT:
            return NO_RATE, None
        rate, seconds, iterations = NO_RATE, numbers[trained.duration], None
        if seconds is None and trained.duration != ABSENT:
            self._coarse = trained
        if trained is self._coarse:
            seconds = None  # else the slow epochs of `4ms/step`, `6ms/step` would be the speed
        for place, unit, scope in trained.rates:
            value = numbers[place]
            if unit == ITERATIONS:
                iterations = iterations or value
            elif value is not None and rate is NO_RATE and self._unit in (None, unit):
                self._unit = unit  # empty for a `throughput` without a unit
                rate = value, unit, scope
        if iterations is not None and (rate[0] is not None or self._unit is None):
            seconds = seconds or 1 / iterations
        if seconds is None:  # TF-Slim begins with 0 steps/s
            return rate, None
        timer = trained.timer
        if timer != self._timer:
            if self._timer or (self._timed and trained.duration == ABSENT):
                return rate, None
            self._timer = timer
        self._timed = True
        return rate, seconds


class BarTimes:
    """The times of the bars that count iterations, epoch by epoch.

    Attributes:
        any: Whether a bar was drawn.
        restarted: Whether a bar was set to 0 again without a new one: its time and pace then
            include other work.
    """

    def __init__(self) -> None:
        self.any = self.restarted = False
        self._label: int | None = None
        self._steps: int | None = None
        self._step = 0
        self._since = (0, 0.0)  # count and seconds of the bar when the epoch began

    def draw(self, bar: Bar, step: int | None, steps: int | None, numbers: Numbers) -> None:
        """Notes that a bar was drawn."""
        self.any = True
        if step == 0 and bar.seconds(numbers) is not None and bar.time(numbers) > 0:
            self.restarted |= self._steps == steps and self._step > 0

    def mean(
        self, bar: Bar, label: int | None, step: int | None, steps: int | None, numbers: Numbers
    ) -> float | None:
        """Returns mean seconds/iteration of the epoch; its bar may have begun before it."""
        if step is None:
            return None
        if self._label != label:
            goes_on = steps == self._steps and step > self._step
            self._since = (step, bar.time(numbers)) if goes_on else (0, 0.0)
        self._label, self._steps, self._step = label, steps, step
        return bar.mean(step, numbers, self._since)
