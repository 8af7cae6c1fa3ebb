"""Training in a log that no format knows: rates, times, losses and steps."""

from __future__ import annotations

from math import nan

from sixdim.parsers.events import EpochEnd, Event, Iteration, Metric, Origin, Scope
from sixdim.parsers.formats.generic_epochs import Epochs
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, ITERATIONS, Plan
from sixdim.parsers.grammar.shapes.bars import mean_of_bar
from sixdim.parsers.grammar.vocabulary.forms import Numbers, metrics_at
from sixdim.parsers.statements.format import Reader

_UNKNOWN = Scope.UNKNOWN
_NO_RATE: tuple[float | None, str, Scope] = (None, "", _UNKNOWN)
_new = tuple.__new__


class Training:
    """The training of one log.

    Args:
        reader: The reader of the log.
        epochs: The epochs of the log.

    Attributes:
        infers: Whether the last heading is that of an inference or an evaluation.
    """

    def __init__(self, reader: Reader, epochs: Epochs) -> None:
        self._reader, self._epochs = reader, epochs
        self.infers = False
        self._rounded: int | None = None  # the last step that is rounded to thousands
        self._barred = False  # whether progress bars count the iterations
        self._timer = ""  # name of the first time of an iteration
        self._rated: str | None = None  # unit of the first rate
        self._values: tuple[tuple[int, Metric], ...] = ()  # figures of the last line
        self._wanted_values: tuple[tuple[int, Metric], ...] = ()  # those of them that are wanted

    def add(self, out: list[Event], text: str, at: Origin, p: Plan, numbers: Numbers) -> None:
        """Adds the figures of the training on a line.

        Args:
            out: Events, to which they are added.
            text: The line.
            at: Where the line was read.
            p: What the numbers of the line are.
            numbers: The numbers of the line.
        """
        rate, unit, scope = self._rate(p, numbers) if p.rates else _NO_RATE
        seconds = numbers[p.duration]
        if unit == ITERATIONS:  # becomes samples per second where the batch is known
            seconds = seconds or 1 / (rate or 1)
            rate, unit, scope = _NO_RATE
        if self._timer and p.timer != self._timer:
            seconds = None  # of several times of an iteration the first one counts
        self._timer = self._timer or p.timer
        step, steps = numbers[p.step], numbers[p.steps]
        self._barred |= p.bar
        if self._barred and steps is None and not p.bar:
            step = None  # bars count the steps of an epoch: this is the run's
        of_others = steps is not None and self._epochs.trained_in_other_steps(steps)
        if p.epoch == ABSENT and not of_others:
            self._epochs.goes_on(step, bar=p.bar)
        loss, values = numbers[p.loss], p.values
        if p.whole and (rate is None or p.of_epoch):
            self._reported(out, at, p, numbers, (rate, unit, scope))
            return
        if rate is None and loss is None and seconds is None and not values:
            return
        self.infers = self.infers and max(p.epoch, p.step, p.loss) == ABSENT
        if of_others or self.infers:
            return  # a line of an evaluation
        if p.rounded and step == self._rounded:
            rate, unit, scope, seconds = (
                *_NO_RATE,
                None,
            )  # the same rounded step again: of other work
        self._rounded = step
        figures = metrics_at(self._wanted(values), numbers) if values else ()
        mean, whole = _mean_of(p, numbers) if p.elapsed else None, None
        if p.mean_time != ABSENT and seconds is not None:
            mean = numbers[p.mean_time]
        if p.time != ABSENT and step and (passed := numbers[p.time]):
            mean = self._epochs.mean_of(passed, step)
            whole = self._epochs.rate_of(rate, passed, step) if rate else None
        label = self._epochs.label
        parts = (at, label, step, steps, rate, unit, scope, loss, seconds, figures, whole, mean)
        out.append(_new(Iteration, parts))
        if not steps:
            if p.whole and self._epochs.have_a_line_each():
                out.append(EpochEnd(at, label))
            return
        shared = "%)]" in text
        if (p.bare or shared) and self._epochs.counts_samples(step, shared=shared):
            out.extend(self._reader.report(at, "samples_per_epoch", steps))
        if step == steps and (self._epochs.trained(step) or p.bar):
            out.append(EpochEnd(at, label))

    def _reported(
        self,
        out: list[Event],
        at: Origin,
        p: Plan,
        numbers: Numbers,
        rate: tuple[float | None, str, Scope],
    ) -> None:
        """Adds the figures of a whole epoch's training on a line."""
        loss, time, train = numbers[p.loss], numbers[p.epoch_time], numbers[p.train_time]
        if p.time != ABSENT:
            time = self._epochs.time_of(numbers[p.time])
        figures = metrics_at(p.values, numbers) if p.values else ()
        if loss is not None:
            figures = (_new(Metric, ("loss", loss, "", False)), *figures)
        if rate[0] or time or train or figures:
            said = (at, self._epochs.label, *rate, train, time, figures, None)
            out.append(_new(EpochEnd, said))

    def _wanted(self, values: tuple[tuple[int, Metric], ...]) -> tuple[tuple[int, Metric], ...]:
        """Those figures of a progress line that are wanted."""
        if values is not self._values:
            self._values = values
            wants = self._reader.wants
            self._wanted_values = tuple([one for one in values if wants(one[1].name)])
        return self._wanted_values

    def _rate(self, p: Plan, numbers: Numbers) -> tuple[float | None, str, Scope]:
        """The line's rate: samples or tokens of the job, else of a device, else iterations.

        Only rates in the unit of the log's first rate count.
        """
        iterations = None
        for place, unit, scope in p.rates:
            value = numbers[place]
            if value is None:
                continue
            if unit == ITERATIONS:
                iterations = value
                continue
            if self._rated is None:
                self._rated = unit  # empty for a `throughput` without a unit
            if unit == self._rated:
                return value, unit, scope
        if iterations is None or self._rated is not None:
            return _NO_RATE
        return iterations, ITERATIONS, _UNKNOWN


def _mean_of(p: Plan, numbers: Numbers) -> float | None:
    """Mean seconds of an iteration since the line's progress bar began."""
    elapsed = sum([numbers[place] for place in p.elapsed])
    pace, rate = numbers[p.pace], numbers[p.bar_rate]
    if pace is None:
        pace = 1 / rate if rate else nan
    return mean_of_bar(numbers[p.step], elapsed, pace)
