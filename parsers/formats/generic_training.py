"""Reads the training in a log that no format knows: rates, times, losses and steps."""

from __future__ import annotations

from math import isclose
from typing import TypeAlias

from sixdim.parsers.events import EpochEnd, Event, Iteration, Metric, Origin, Scope
from sixdim.parsers.formats.generic_epochs import Epochs
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, ITERATIONS, Bar, Figures, Plan, Trained
from sixdim.parsers.grammar.vocabulary.forms import Numbers, metrics_at
from sixdim.parsers.grammar.vocabulary.names import INFERRED
from sixdim.parsers.grammar.vocabulary.words import words, words_of
from sixdim.parsers.statements.format import Reader

_Rate: TypeAlias = tuple[float | None, str, Scope]
"""A rate, its unit and its scope."""
_NO_RATE: _Rate = (None, "", Scope.UNKNOWN)
_NO_TRAINING = INFERRED | words(
    "caching downloading extracting fetching indexing loading preparing reading scanning tokenizing"
)
"""Words of a heading in front of an inference, an evaluation, or the preparation of data."""
_LONGEST_HEADING = 60
_new = tuple.__new__


class Training:
    """The training of one log.

    Args:
        reader: The reader of the log.
        epochs: The epochs of the log.

    Attributes:
        is_other_work: Whether the last heading announces work that is no training.
        heading_step: The step on the last line with a label, if that line has no figures.
    """

    def __init__(self, reader: Reader, epochs: Epochs) -> None:
        self._reader, self._epochs = reader, epochs
        self.is_other_work = False
        self.heading_step: int | None = None
        self._stepped: int | None = None  # epoch of the last line with a step and a figure
        self._summed: int | None = None  # epoch of the last line taken to sum an epoch up
        self._sums_up = True  # no step followed such a line in its epoch
        self._rounded: int | None = None  # the last step that is rounded to thousands
        self._barred = False  # whether progress bars count the iterations
        self._drawn: tuple[int | None, int | None, int] = (None, None, 0)  # epoch, steps, step
        self._put_back = False  # a bar was set to 0 again: its time and pace include other work
        self._epoch_began = (0, 0.0)  # count and seconds of the epoch's bar when the epoch began
        self._timer = ""  # name of the first time of an iteration
        self._coarse: Trained | None = None  # of lines of which one had it too coarse
        self._rated: str | None = None  # unit of the first rate
        self._last_rate: float | None = None  # of the last line with a step
        self._values: Figures = ()  # further figures of the last progress line
        self._wanted_values: Figures = ()  # the wanted ones among them

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
        """Adds the figures of the training on a line.

        Args:
            events: Events, to which they are added.
            text: The line.
            at: Where the line was read.
            plan: What the numbers of the line are.
            trained: The figures of the training among them.
            numbers: The numbers of the line.
        """
        rate, seconds = _NO_RATE, None
        if trained.rates or trained.duration != ABSENT:
            rate, seconds = self._rate(trained, numbers)
        step, steps, bar, epochs = numbers[plan.step], numbers[plan.steps], plan.bar, self._epochs
        if bar is not None:
            self._barred = True
            if step == 0 and seconds is not None and bar.time(numbers) > 0:
                self._put_back |= self._drawn[1] == steps and self._drawn[2] > 0
            if self._put_back:
                seconds = None
                if step == 0:
                    return
        if epochs.inside_round:
            step = steps = None  # each epoch of the round counts them again
        elif bar is None and (
            epochs.steps.are_others(epochs.label, step, steps) or (self._barred and steps is None)
        ):
            step = steps = None  # the epoch's steps are counted by bars, or out of another total
        of_others = steps is not None and epochs.trained_in_other_steps(steps)
        if plan.epoch == ABSENT and not of_others:
            epochs.goes_on(step, bar=bar is not None, last=bar is not None and step == steps)
        if max(plan.epoch, plan.step) != ABSENT:
            measured = trained.has_figures or rate[0] is not None or seconds is not None
            self.heading_step = None if measured else step
        first = epochs.label != self._summed
        sums_up = self._sums_up_epoch(plan, trained)
        if plan.whole and (sums_up or rate[0] is None or trained.of_epoch):
            if self.heading_step is None:
                is_own = first and sums_up and self._last_rate != rate[0]
                of_epoch = rate if is_own or trained.of_epoch else _NO_RATE
                self._add_epoch(events, at, trained, numbers, of_epoch)
                return
            step = self.heading_step
        loss, values = numbers[trained.loss], trained.values
        if rate[0] is None and loss is None and seconds is None and not values:
            return
        self.is_other_work = (
            self.is_other_work and max(plan.epoch, plan.step, trained.loss) == ABSENT
        )
        if of_others or self.is_other_work:
            return  # a line of an evaluation
        if trained.of_episodes:
            events.extend(self._reader.report(at, "steps_are_episodes", 1))
        if trained.rounded and step == self._rounded:
            rate, seconds = _NO_RATE, None  # the same rounded step again: it times other work
        self._rounded = step
        figures = metrics_at(self._wanted(values), numbers) if values else ()
        mean, whole = None, None
        if bar is not None and not self._put_back:
            mean = self._mean_of_bar(bar, step, steps, numbers)
            own = bar.seconds(numbers)
            if mean and own and rate[0] is not None and isclose(own * rate[0], 1):
                whole = 1 / mean  # of the bar's own rate, as in images/s
        if trained.mean_time != ABSENT and seconds is not None:
            mean = numbers[trained.mean_time]
        if trained.time != ABSENT and step and (passed := numbers[trained.time]):
            mean = epochs.mean_of(passed, step)
            whole = epochs.rate_of(rate[0], passed, step) if rate[0] else None
        if trained.elapsed and step is not None and seconds is None and rate[0] is None:
            elapsed: float = sum(numbers[place] for place in trained.elapsed)
            seconds = epochs.elapsed.since(epochs.label, step, elapsed)
        if step is not None:
            self._last_rate = rate[0]
        parts = (at, epochs.label, step, steps, *rate, loss, seconds, figures, whole, mean)
        events.append(_new(Iteration, parts))
        self._end_epoch(events, text, at, plan, step, steps)

    def _sums_up_epoch(self, plan: Plan, trained: Trained) -> bool:
        """Whether a line without a step sums up its epoch, of which earlier lines have steps.

        Its rate is the epoch's unless the last line with a step has the same. If steps follow it in
        its epoch, the log prints two kinds of progress lines.
        """
        label = self._epochs.label
        has_figures = trained.loss != ABSENT or trained.rates
        if plan.step != ABSENT:
            self._sums_up = self._sums_up and label != self._summed
            self._stepped = label
        elif plan.epoch != ABSENT and label == self._stepped and has_figures:
            self._summed = label
            return self._sums_up
        return False

    def _mean_of_bar(
        self, bar: Bar, step: int | None, steps: int | None, numbers: Numbers
    ) -> float | None:
        """Returns mean seconds/iteration of the epoch; its bar may have begun before it."""
        if step is None:
            return None
        label, steps_before, last = self._drawn
        if self._epochs.label != label:
            goes_on = steps == steps_before and step > last
            self._epoch_began = (step, bar.time(numbers)) if goes_on else (0, 0.0)
        self._drawn = self._epochs.label, steps, step
        return bar.mean(step, numbers, self._epoch_began)

    def _end_epoch(
        self,
        events: list[Event],
        text: str,
        at: Origin,
        plan: Plan,
        step: int | None,
        steps: int | None,
    ) -> None:
        """Adds what the count of a progress line shows: the epoch's end, and its samples."""
        epochs = self._epochs
        if not steps:
            if plan.whole and epochs.have_a_line_each():
                events.append(EpochEnd(at, epochs.label))
            return
        shared = "%)]" in text
        bare = plan.trained is not None and plan.trained.bare
        if (bare or shared) and epochs.counts_samples(step, shared=shared):
            events.extend(self._reader.report(at, "samples_per_epoch", steps))
        if step == steps and (epochs.trained(steps) or plan.bar is not None):
            events.append(EpochEnd(at, epochs.label))

    def _add_epoch(
        self, events: list[Event], at: Origin, trained: Trained, numbers: Numbers, rate: _Rate
    ) -> None:
        """Adds the figures of a whole epoch's training on a line."""
        loss, train = numbers[trained.loss], numbers[trained.train_time]
        time = self._epochs.printed_time(numbers[trained.epoch_time])
        if trained.time != ABSENT:
            time = self._epochs.time_of(numbers[trained.time])
        if self._epochs.inside_round:
            time = train = None
        figures = metrics_at(trained.values, numbers) if trained.values else ()
        if loss is not None:
            figures = (_new(Metric, ("loss", loss, "", False)), *figures)
        if rate[0] or time or train or figures:
            parts = (at, self._epochs.label, *rate, train, time, figures, None)
            events.append(_new(EpochEnd, parts))

    def _wanted(self, values: Figures) -> Figures:
        """Returns the wanted figures of a progress line."""
        if values is not self._values:
            self._values = values
            wants = self._reader.wants
            self._wanted_values = tuple([one for one in values if wants(one[1].name)])
        return self._wanted_values

    def _rate(self, trained: Trained, numbers: Numbers) -> tuple[_Rate, float | None]:
        """Returns the rate on a line, and the seconds of an iteration; None if unknown.

        The rate is in samples or tokens of the job, else of a device, and in the unit of the log's
        first rate. A rate in iterations only gives the seconds, also beside another rate: lines
        of unequal work then count by their time. If the log prints several times of an iteration,
        the first one counts.
        """
        rate, seconds, iterations = _NO_RATE, numbers[trained.duration], None
        if seconds is None and trained.duration != ABSENT:
            self._coarse = trained
        if trained is self._coarse:
            seconds = None  # else the slow epochs of `4ms/step`, `6ms/step` would be the speed
        for place, unit, scope in trained.rates:
            value = numbers[place]
            if unit == ITERATIONS:
                iterations = iterations or value
            elif value is not None and rate is _NO_RATE and self._rated in (None, unit):
                self._rated = unit  # empty for a `throughput` without a unit
                rate = value, unit, scope
        if iterations is not None and (rate[0] is not None or self._rated is None):
            seconds = seconds or 1 / iterations
        timer = trained.timer
        if timer != self._timer:
            if self._timer:
                return rate, None
            self._timer = timer
        return rate, seconds
