"""Reads the training in a log that no format knows: rates, times, losses and steps."""

import re

from sixdim.parsers.events import EpochEnd, Event, Iteration, Metric, Origin, RunInfo
from sixdim.parsers.generic.epochs.epochs import Epochs
from sixdim.parsers.generic.training.counted_steps import CountedSteps
from sixdim.parsers.generic.training.epoch_lines import EpochLines
from sixdim.parsers.generic.training.epoch_times import EpochTimes
from sixdim.parsers.generic.training.rates import NO_RATE, Rate
from sixdim.parsers.generic.training.samples import Samples
from sixdim.parsers.generic.training.speeds import Count, Speeds
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, Figures, Plan, Trained
from sixdim.parsers.grammar.vocabulary.forms import Numbers, metrics_at
from sixdim.parsers.grammar.vocabulary.names import INFERRED, TRAINED
from sixdim.parsers.grammar.vocabulary.words import words, words_of
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import Line

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
        self._speeds, self._samples, self._steps = Speeds(epochs), Samples(), CountedSteps()
        self.bars = self._speeds.bars
        self._epoch_times, self._lines = EpochTimes(), EpochLines()
        self.is_other_work = False
        self.heading_step: int | None = None
        self._values: Figures = ()  # further figures of the last progress line
        self._wanted_values: Figures = ()  # the wanted ones among them
        self._begun = False  # whether any line so far was one of the training

    def pause(self) -> None:
        """Notes an evaluation inside the training."""
        self._speeds.pause()

    def note_heading(self, text: str) -> None:
        """Notes a heading, which announces the work of the counts and rates that follow it."""
        said = words_of(text[:_LONGEST_HEADING])
        self.is_other_work = not _NO_TRAINING.isdisjoint(said)
        self._begun = self._begun or not TRAINED.isdisjoint(said)

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
        rate, seconds = self._speeds.printed(trained, numbers)
        labels = max(plan.epoch, plan.step, trained.loss)
        self._begun = self._begun or labels != ABSENT or self._epochs.label is not None
        if trained.unnamed and not self._begun:
            rate, seconds = NO_RATE, None  # of work that may be an inference
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
        measured = rate[0] is not None or seconds is not None
        if max(plan.epoch, plan.step) != ABSENT:
            self.heading_step = None if measured or trained.has_figures else step
        first = self._epochs.label != self._lines.summed
        sums_up = self._lines.sums_up(self._epochs.label, plan, trained)
        timed = max(trained.time, trained.train_time, trained.epoch_time) != ABSENT
        alone = rate[0] is None and (seconds is None or timed)
        if plan.whole and (sums_up or alone or trained.of_epoch):
            if self.heading_step is None:
                is_own = first and sums_up and self._speeds.last_rate != rate[0]
                of_epoch = rate if is_own or trained.of_epoch else NO_RATE
                self.add_epoch(events, text, at, trained, numbers, of_epoch, seconds)
                return
            step = self.heading_step
        counted = bar is None and min(plan.epoch, plan.step, plan.steps) != ABSENT
        # `Bal acc 0.5 | AUC 0.8`: beside a result, a figure of unknown meaning is no training's
        trains = plan.tested is None or labels != ABSENT
        if not (measured or counted or (trains and trained.has_values(numbers))):
            return
        self.is_other_work = self.is_other_work and labels == ABSENT
        if of_others or self.is_other_work:
            return  # a line of an evaluation
        if trained.of_episodes:
            events.extend(self._reader.report(at, "steps_not_iterations", 1))
        speed = self._speeds.at_step(plan, trained, numbers, step, steps, rate, seconds)
        of_samples = self._counts_samples(events, text, at, plan, step, steps)
        if of_samples is not False and bar is None:
            speed = speed.by_samples(surely=of_samples is True)
        if step is not None:
            self._speeds.last_rate = speed.rate[0]
        figures = metrics_at(self._wanted(trained.values), numbers) if trained.values else ()
        loss, (rate, seconds, mean, whole, _) = numbers[trained.loss], speed
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
        (rate, seconds), loss = self._speeds.printed(trained, numbers), numbers[trained.loss]
        if loss is None and rate is NO_RATE and seconds is None and not trained.values:
            return None
        if plan.epoch == ABSENT and (epochs.is_over or not epochs.unnamed.count(step)):
            return None
        self._steps.last = label, first, step, step - last
        self._speeds.note(plan, step, rate)
        mean = whole = None
        if bar is not None:
            self.bars.draw(bar, step, steps, numbers, evaluates=False)
            seconds = None if self.bars.restarted else seconds
            mean, whole = self._speeds.means(plan, trained, numbers, step, steps, rate, seconds)
            seconds = self.bars.pace(seconds)
        figures = metrics_at(self._wanted(trained.values), numbers) if trained.values else ()
        at, (speed, unit, scope) = line.origin(), rate
        parts = (at, label, step, steps, speed, unit, scope, loss, seconds, figures, whole, mean)
        return _new(Iteration, parts)

    def _own_count(self, plan: Plan, step: Count, steps: Count) -> tuple[Count, Count]:
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
            events.extend(self._epoch_times.decided(at))
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
        """Returns whether a line of the whole epoch would sum up steps that were printed before."""
        return label == self._lines.stepped

    def _wanted(self, values: Figures) -> Figures:
        """Returns the wanted figures of a progress line."""
        if values is not self._values:
            self._values = values
            wants = self._reader.wants
            self._wanted_values = tuple([one for one in values if wants(one[1].name)])
        return self._wanted_values


def _has_zeros(text: str, seconds: float | None) -> bool:
    """Returns whether a whole number of seconds is printed with decimals: `4.0 s`, `4.00sec`."""
    if not seconds or seconds % 1:
        return False
    printed = rf"(?<![\d.]){int(seconds)}\.0{{1,6}}\s?s(?:ecs?|econds?)?(?![a-z])"
    return re.search(printed, text) is not None
