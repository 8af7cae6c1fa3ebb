"""Reads the training in a log that no format knows: rates, times, losses and steps."""

from __future__ import annotations

import re
from math import isclose
from typing import TypeAlias

from sixdim.parsers.events import EpochEnd, Event, Iteration, Metric, Origin, RunInfo, Scope
from sixdim.parsers.generic.epochs.epochs import Epochs
from sixdim.parsers.generic.training.counted_steps import CountedSteps
from sixdim.parsers.generic.training.elapsed import Elapsed
from sixdim.parsers.generic.training.epoch_lines import EpochLines
from sixdim.parsers.generic.training.epoch_times import EpochTimes
from sixdim.parsers.generic.training.rates import NO_RATE, BarTimes, Rate, Rates
from sixdim.parsers.generic.training.samples import Samples
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, Figures, Plan, Trained
from sixdim.parsers.grammar.vocabulary.forms import Numbers, metrics_at
from sixdim.parsers.grammar.vocabulary.names import INFERRED
from sixdim.parsers.grammar.vocabulary.words import words, words_of
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import Line

_Count: TypeAlias = int | None
"""A step, or the number of steps of an epoch."""
_NO_TRAINING = INFERRED | words(
    "caching downloading extracting fetching indexing loading preparing reading scanning tokenizing"
)
"""Words of a heading in front of an inference, an evaluation, or the preparation of data."""
_LONGEST_HEADING = 60
_new = tuple.__new__


class Training:
    """The training of one log.

    Attributes:
        bars: The times of its bars.
        is_other_work: Whether the last heading announces work that is no training.
        heading_step: The step on the last line with a label, if that line has no figures.
    """

    def __init__(self, reader: Reader, epochs: Epochs) -> None:
        self._reader, self._epochs = reader, epochs
        self._rates, self.bars, self._elapsed = Rates(), BarTimes(), Elapsed()
        self._epoch_times, self._samples, self._lines = EpochTimes(), Samples(), EpochLines()
        self._steps = CountedSteps()
        self.is_other_work = False
        self.heading_step: int | None = None
        self._rounded: int | None = None  # the last step that is rounded to thousands
        self._last_rate: float | None = None  # of the last line with a step
        self._rated: tuple[Plan | None, object] = None, None  # plan and place of the last rate
        self._values: Figures = ()  # further figures of the last progress line
        self._wanted_values: Figures = ()  # the wanted ones among them

    def pause(self) -> None:
        """Notes an evaluation inside the training."""
        self.bars.pause()
        self._elapsed.pause()

    def note_heading(self, text: str) -> None:
        """Notes a heading, which announces the work of the counts and rates that follow it."""
        self.is_other_work = not _NO_TRAINING.isdisjoint(words_of(text[:_LONGEST_HEADING]))

    def add(
        self,
        events: list[Event],
        text: str,
        at: Origin,
        plan: Plan,
        trained: Trained,
        numbers: Numbers,
    ) -> None:
        """Adds the figures of the training on a line to the events."""
        rate, seconds = self._rates.of(trained, numbers)
        step, steps, bar = numbers[plan.step], numbers[plan.steps], plan.bar
        if bar is not None:
            self.bars.draw(bar, step, steps, numbers, evaluates=plan.tested is not None)
            if step == 0:
                return  # a bar counts the steps that are done
            if self.bars.restarted:
                seconds = None
        step, steps = self._own_count(plan, step, steps)
        is_done = self.is_other_work and self._steps.are_done(self._epochs.label, step)
        if is_done and max(plan.epoch, trained.loss) == ABSENT:
            return
        step = self._steps.count(self._epochs.label, step, steps)
        of_others = self._epochs.steps.finished_in_others(self._epochs.label, steps)
        if plan.epoch == ABSENT and not of_others:
            self._epochs.goes_on(step, bar=bar is not None, last=bar is not None and step == steps)
        if max(plan.epoch, plan.step) != ABSENT:
            measured = trained.has_figures or rate[0] is not None or seconds is not None
            self.heading_step = None if measured else step
        first = self._epochs.label != self._lines.summed
        sums_up = self._lines.sums_up(self._epochs.label, plan, trained)
        if plan.whole and (sums_up or rate[0] is None or trained.of_epoch):
            if self.heading_step is None:
                is_own = first and sums_up and self._last_rate != rate[0]
                of_epoch = rate if is_own or trained.of_epoch else NO_RATE
                self.add_epoch(events, text, at, trained, numbers, of_epoch, seconds)
                return
            step = self.heading_step
        counted = bar is None and min(plan.epoch, plan.step, plan.steps) != ABSENT
        measured = rate[0] is not None or seconds is not None or trained.has_values(numbers)
        if not (measured or counted):
            return
        labels = max(plan.epoch, plan.step, trained.loss)
        self.is_other_work = self.is_other_work and labels == ABSENT
        if of_others or self.is_other_work:
            return  # a line of an evaluation
        if trained.of_episodes:
            events.extend(self._reader.report(at, "steps_not_iterations", 1))
        if trained.rounded and step == self._rounded:
            rate, seconds = NO_RATE, None  # the same rounded step again: it times other work
        self._rounded = step
        if step is not None and rate[0] is not None and self._is_other_rate(plan, step, rate[1]):
            rate, seconds = NO_RATE, None
        mean, whole = self._means(plan, trained, numbers, step, steps, rate, seconds)
        if bar is not None and step == 1 and steps != 1:
            rate, seconds, mean, whole = NO_RATE, None, None, None  # of one iteration: no speed
        if bar is not None:
            seconds = self.bars.pace(seconds)
        own = seconds
        if trained.elapsed and step is not None and seconds is None and rate[0] is None:
            elapsed: float = sum(numbers[place] for place in trained.elapsed)
            seconds = self._elapsed.since(self._epochs.label, step, elapsed)
        elif trained.time != ABSENT and step and seconds is None and rate[0] is None:
            passed = numbers[trained.time] or 0.0
            seconds = self._elapsed.of_run(self._epochs.label, step, passed)
        of_samples = self._counts_samples(events, text, at, plan, step, steps)
        if of_samples is not False and bar is None:
            each = mean or (seconds if own is None else None)  # seconds of a sample
            if of_samples and each and rate[0] is None:
                rate, whole = (1 / each, "samples/s", Scope.UNKNOWN), mean and 1 / mean
            seconds, mean = own, None
        if step is not None:
            self._last_rate = rate[0]
        figures = metrics_at(self._wanted(trained.values), numbers) if trained.values else ()
        loss = numbers[trained.loss]
        parts = (at, self._epochs.label, step, steps, *rate, loss, seconds, figures, whole, mean)
        events.append(_new(Iteration, parts))
        self._end_epoch(events, at, plan, step, steps)

    def go_on(self, line: Line, plan: Plan, numbers: Numbers, before: Numbers) -> Iteration | None:
        """Returns the event of a line that differs from the one `before` in step and figures alone.

        Returns:
            None for a line that `add` must read.
        """
        epochs, trained, bar = self._epochs, plan.trained, plan.bar
        label, first, last, _ = self._steps.last
        step, steps = numbers[plan.step], numbers[plan.steps]
        if trained is None or not step or step == steps or step < last + (bar is None):
            return None
        if steps != before[plan.steps] or numbers[plan.epoch] != before[plan.epoch]:
            return None
        if label != epochs.label:
            return None
        if bar is not None:
            if step == 1:
                return None
        elif label is not None and epochs.steps.are_others(label, step, steps):
            return None
        (rate, seconds), loss = self._rates.of(trained, numbers), numbers[trained.loss]
        if loss is None and rate is NO_RATE and seconds is None and not trained.values:
            return None
        if plan.epoch == ABSENT and (epochs.is_over or not epochs.unnamed.count(step)):
            return None
        self._steps.last = label, first, step, step - last
        self._rounded, self._last_rate = step, rate[0]
        if rate is not NO_RATE:
            self._rated = plan, (label, step, rate[1])
        mean = whole = None
        if bar is not None:
            self.bars.draw(bar, step, steps, numbers, evaluates=False)
            seconds = None if self.bars.restarted else seconds
            mean, whole = self._means(plan, trained, numbers, step, steps, rate, seconds)
            seconds = self.bars.pace(seconds)
        figures = metrics_at(self._wanted(trained.values), numbers) if trained.values else ()
        at, (speed, unit, scope) = line.origin(), rate
        parts = (at, label, step, steps, speed, unit, scope, loss, seconds, figures, whole, mean)
        return _new(Iteration, parts)

    def _is_other_rate(self, plan: Plan, step: int, unit: str) -> bool:
        """Whether a line of another form gave the rate of this step: this one is no training's.

        T5X prints the speed of an evaluation under the name of the training's. A bar that gets its
        first figures is drawn again with its own speed.
        """
        before, self._rated = self._rated, (plan, (self._epochs.label, step, unit))
        return plan.bar is None and before[0] is not plan and before[1] == self._rated[1]

    def _own_count(self, plan: Plan, step: _Count, steps: _Count) -> tuple[_Count, _Count]:
        """Returns the step and the number of steps if they count the steps of the epoch."""
        epochs = self._epochs
        if epochs.inside_round:
            return None, None  # each epoch of the round counts them again
        if plan.bar is None and (
            (self.bars.any and epochs.steps.are_all(steps, epochs.planned.epochs))
            or epochs.steps.are_others(epochs.label, step, steps)
            or (self.bars.any and steps is None)
        ):
            return None, None  # the epoch's steps are counted by bars, or out of another total
        return step, steps

    def _means(
        self,
        plan: Plan,
        trained: Trained,
        numbers: Numbers,
        step: _Count,
        steps: _Count,
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

    def _counts_samples(
        self,
        events: list[Event],
        text: str,
        at: Origin,
        plan: Plan,
        step: int | None,
        steps: int | None,
    ) -> bool | None:
        """Adds what the count of a progress line shows; returns whether it is one of samples.

        None if it may be.
        """
        shared = "%)]" in text
        bare = plan.trained is not None and plan.trained.bare
        if not steps or not (bare or shared):
            return False
        of_samples = self._samples.are_counted(step, shared=shared)
        if of_samples is None:
            events.extend(self._reader.report(at, "steps_not_iterations", 1))
        elif of_samples:
            events.extend(self._reader.report(at, "samples_per_epoch", steps))
        return of_samples

    def _end_epoch(
        self,
        events: list[Event],
        at: Origin,
        plan: Plan,
        step: int | None,
        steps: int | None,
    ) -> None:
        """Adds the epoch's end where the count of a progress line shows it."""
        epochs = self._epochs
        if not steps:
            if plan.whole and self._lines.is_only(epochs.label):
                events.append(EpochEnd(at, epochs.label))
            return
        if step == steps:
            epochs.steps.finish(epochs.label, steps)
            if epochs.label is not None or plan.bar is not None:
                events.append(EpochEnd(at, epochs.label))

    def add_epoch(
        self,
        events: list[Event],
        text: str,
        at: Origin,
        trained: Trained,
        numbers: Numbers,
        rate: Rate,
        seconds: float | None,
    ) -> None:
        """Adds the figures of a whole epoch's training on a line."""
        loss, train = numbers[trained.loss], numbers[trained.train_time]
        time = numbers[trained.epoch_time]
        if time is not None:
            time = self._epoch_times.named(self._epochs.label, time)
        if trained.time != ABSENT:
            time = self._epoch_times.unnamed(self._epochs.label, numbers[trained.time])
        if self._epochs.inside_round:
            time = train = None
        figures = metrics_at(trained.values, numbers) if trained.values else ()
        if loss is not None:
            figures = (_new(Metric, ("loss", loss, "", False)), *figures)
        if (time or train) and (_has_zeros(text, time) or _has_zeros(text, train)):
            events.append(RunInfo(at, "times_have_fractions", 1))
        if rate[0] or time or train or figures:
            is_mean = self._steps.are_timed(self._epochs.label, seconds, train or time)
            mean = seconds if is_mean else None
            parts = (at, self._epochs.label, *rate, train, time, figures, mean)
            events.append(_new(EpochEnd, parts))

    def summed(self, label: int | None) -> bool:
        """Whether a line of the whole epoch would sum up steps that were printed before."""
        return label == self._lines.stepped

    def _wanted(self, values: Figures) -> Figures:
        """Returns the wanted figures of a progress line."""
        if values is not self._values:
            self._values = values
            wants = self._reader.wants
            self._wanted_values = tuple([one for one in values if wants(one[1].name)])
        return self._wanted_values


def _has_zeros(text: str, seconds: float | None) -> bool:
    """Whether a whole number of seconds is printed with decimals: `4.0 s`, `4.00sec`."""
    if not seconds or seconds % 1:
        return False
    printed = rf"(?<![\d.]){int(seconds)}\.0{{1,6}}\s?s(?:ecs?|econds?)?(?![a-z])"
    return re.search(printed, text) is not None
