"""Rates and times of an iteration, in a log that no format knows."""

from typing import TypeAlias

from sixdim.parsers.events import Scope
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, ITERATIONS, Bar, Trained
from sixdim.parsers.grammar.shapes.bars import FEW, PAUSE_HOLDS, PAUSE_LEVEL, TIMES
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


_AGREES = 0.1
"""Part by which the pace of a bar's first drawing may differ from the mean of its iterations."""
_MEASURED_S = 10.0
"""Seconds between two drawings, cut to whole ones, that are exact enough."""


class BarTimes:
    """The times of the bars that count iterations, epoch by epoch.

    The bar of an epoch in which an evaluation takes place shows the time of both. What passes from
    the drawing before an evaluation to the one after it is left out of the mean. So is what was
    done before the first drawing of a bar that did not begin with 0, as that of a resumed training.

    Attributes:
        any: Whether a bar was drawn.
        restarted: Whether a bar was set to 0 again without a new one: its time and pace then
            include other work.
    """

    def __init__(self) -> None:
        self.any = self.restarted = self._interrupted = self._evaluates = False
        self._label: int | None = None
        self._steps: int | None = None
        self._step = 0
        self._drawn: tuple[Bar, Numbers] | None = None
        # Count and length of the last drawing, and its seconds if it is the bar's first one.
        self._last: tuple[int, int | None, float | None] = 0, None, None
        self._first = (0, 0.0)  # count and seconds with which the bar's mean begins
        self._since = (0, 0.0)  # count and seconds of the bar that are not in the epoch's mean
        self._mean: float | None = None
        self._paused: float | None = None  # seconds of the bar before an evaluation that follows it
        self._least = _MEASURED_S  # seconds of an interrupted bar from which its mean follows
        self._pace: float | None = None  # of the last drawing
        self._level = 0.0  # the last pace before the evaluation
        self._holds = 0  # how many more paces may include the evaluation's time

    def draw(
        self, bar: Bar, step: int | None, steps: int | None, numbers: Numbers, *, evaluates: bool
    ) -> None:
        """Notes that a bar was drawn.

        Figures of an evaluation that it did not show before (`evaluates`) took time since then.
        """
        self.any = True
        if evaluates and not self._evaluates:
            self.pause()
        self._evaluates = evaluates
        if step == 0 and bar.seconds(numbers) is not None and bar.time(numbers) > 0:
            self.restarted |= self._steps == steps and self._step > 0
        if step is not None and bar.elapsed:
            self._find_first(bar, step, steps, numbers)

    def _find_first(self, bar: Bar, step: int, steps: int | None, numbers: Numbers) -> None:
        """Finds out with which count the mean of a bar begins, from its first two drawings."""
        count, total, jumped = self._last
        if (step, steps) == (count, total):
            return  # drawn again
        self._last = step, steps, None
        if steps != total or step < count:
            self._first = _first_drawing(bar, step, steps, numbers)
            count, jumped = 0, None
        if not count:
            self._last = step, steps, bar.time(numbers) if step > FEW else None
        elif jumped is not None and count > TIMES * (step - count) > 0 and not self._interrupted:
            # Its first count includes the iterations of an earlier run.
            since, self._first = self._first, (count, jumped)
            self._since = self._first if self._since == since else self._since

    def pause(self) -> None:
        """Notes an evaluation after the last drawing."""
        if self._drawn is not None and self._paused is None:
            bar, numbers = self._drawn
            self._paused = bar.time(numbers) if bar.elapsed else None

    def mean(
        self, bar: Bar, label: int | None, step: int | None, steps: int | None, numbers: Numbers
    ) -> float | None:
        """Returns mean seconds/iteration of the epoch; its bar may have begun before it."""
        if step is None:
            return None
        if self._label != label or self._drawn is None:
            goes_on = steps == self._steps and step > self._step
            self._begin((step, bar.time(numbers)) if goes_on else self._first)
        elif self._paused is not None:
            if step in (self._step, steps):
                return self._mean  # drawn again, or for the last time, after the evaluation
            self._leave_out(step, bar.time(numbers))
        elif step == steps == self._step and bar.time(numbers) > _time_of(self._drawn):
            return self._mean  # other work was done before the full bar was closed
        self._label, self._steps, self._step = label, steps, step
        self._drawn = bar, numbers
        if not self._interrupted:
            self._mean = bar.mean(step, numbers, self._since)
        else:
            passed, done = bar.time(numbers) - self._since[1], step - self._since[0]
            self._mean = passed / done if done > 0 and passed >= self._least else None
        return self._mean

    def pace(self, seconds: float | None) -> float | None:
        """Returns the pace of a drawing; None while this moving mean includes an evaluation."""
        if self._holds and seconds != self._pace and seconds is not None:
            near = seconds <= self._level * (1 + PAUSE_LEVEL)
            self._holds = 0 if near else self._holds - 1
        self._pace = seconds
        return None if self._holds else seconds

    def _begin(self, since: tuple[int, float]) -> None:
        self._since, self._paused, self._least = since, None, _MEASURED_S
        self._interrupted, self._holds = False, 0

    def _leave_out(self, step: int, seconds: float) -> None:
        """Leaves out what passed since the drawing before the evaluation."""
        before, self._paused = self._paused or 0.0, None
        if step < self._step:
            self._begin(self._first)  # another bar
            return
        since, left_out = self._since
        self._since = since + step - self._step, left_out + seconds - before
        if not self._holds:  # else the last pace includes the evaluation before
            self._level = self._pace or 0.0
        self._interrupted, self._holds = True, PAUSE_HOLDS
        self._least += _MEASURED_S  # both drawings cut their seconds


def _time_of(drawn: tuple[Bar, Numbers]) -> float:
    return drawn[0].time(drawn[1])


def _first_drawing(bar: Bar, step: int, steps: int | None, numbers: Numbers) -> tuple[int, float]:
    """Returns count and seconds with which the mean of a bar begins, from its first drawing.

    They are 0 unless the bar began with a higher count: it has counted before any time passed, or
    its count does not agree with its time and pace.
    """
    passed, pace = bar.time(numbers), bar.seconds(numbers)
    if step <= FEW or step == steps:
        return 0, 0.0
    if pace is None:
        return (0, 0.0) if passed else (step, 0.0)
    agrees = passed / (1 + _AGREES) <= pace * step <= (passed + 1) * (1 + _AGREES)
    return (0, 0.0) if agrees else (step, passed)
