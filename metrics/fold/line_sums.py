"""What the progress lines of one epoch add up to, each weighted by the iterations it stands for.

A line stands for the iterations since the line before it: the difference of their steps. The first
one stands for as many as the second, but for no more than its own step says: a line of step 0 or 1
is one iteration, one of step 50 with 100 behind it is fifty. A step that does not rise (another
rank prints it, too) has the weight of the line before. Lines without a step count once each.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, inf
from operator import mul, sub, truediv
from typing import NamedTuple

from sixdim.metrics.fold.columns import complete
from sixdim.metrics.fold.growth import Growth
from sixdim.metrics.values.exact import expansion
from sixdim.parsers.events import Span

_EVALUATES = 2.0
"""How often the time of the line before is that of a line with an evaluation in it."""


class Totals(NamedTuple):
    """What the printed times come to.

    Attributes:
        seconds: Of the iterations of training.
        iterations: How many the lines stand for.
        evaluations_s: Seconds of the iterations that had an evaluation in them.
        evaluations: How many those are.
    """

    seconds: float
    iterations: int
    evaluations_s: float
    evaluations: int


class LineSums:
    """The weighted sums. A line is added by appending to the three buffers; `flush` empties them.

    Attributes:
        steps: Buffer of the lines' steps.
        rates: Buffer of their throughputs.
        times: Buffer of the seconds of an iteration that they print.
        evaluations: Iterations that were left out, because an evaluation was part of them.
        evaluations_s: Their seconds.
        growth: How the printed times grow.
    """

    __slots__ = (
        *("steps", "rates", "times", "evaluations", "evaluations_s"),
        *("growth", "_first_step", "_step", "_weight", "_evaluated"),
        *("_last", "_timed", "_time", "_both", "_work", "_alone", "_inverse", "_grown"),
    )

    def __init__(self) -> None:
        self.steps: list[int | None] = []
        self.rates: list[float | None] = []
        self.times: list[float | None] = []
        self.evaluations = 0
        self.evaluations_s = 0.0
        self.growth = Growth()
        self._first_step: int | None = None
        self._step: int | None = None
        self._weight = 0  # of the last line in the sums; 0 before the first
        self._evaluated: list[tuple[int | None, int]] = []
        self._last: tuple[float | None, float | None] = (None, None)
        self._timed = self._both = self._alone = 0  # iterations: with times, rates too, rates alone
        self._time: list[float] = []
        self._work: list[float] = []
        self._inverse: list[float] = []  # of the rates alone
        self._grown: list[float] = []  # as that, of the others, as long as times only grow

    def evaluated(self, step: int | None) -> None:
        """Says that an evaluation was made here, at a step where the log says so.

        The next line is left out where its time has the evaluation in it: where it is the line of
        that step, or takes more than twice as long as the line before.
        """
        self._evaluated.append((step, len(self.steps)))

    def flush(self, *, over: bool = False) -> None:
        """Adds the buffered lines to the sums; the first one alone waits for the second.

        Args:
            over: Whether no second one comes: a line that is alone counts once.
        """
        steps, rates, times = self.steps, self.rates, self.times
        if not steps or (len(steps) == 1 and not self._weight and not over):
            return
        if self._first_step is None:
            self._first_step = steps[0]
        weights = self._weights(steps)
        if self._evaluated:
            self._leave_out(weights)
        self._last = (rates[-1], times[-1])
        self._weight = weights[-1]
        self._step = next((step for step in reversed(steps) if step is not None), self._step)
        self._add(weights, rates, times)
        self._evaluated = [(step, place - len(steps)) for step, place in self._evaluated]
        for buffer in (steps, rates, times):
            buffer.clear()

    def follows(self, step: int | None) -> bool:
        """Whether these sums end with a line of that step, and no evaluation waits for the next."""
        self.flush()
        return not self.steps and not self._evaluated and step == self._step

    def add_span(self, span: Span) -> None:
        """Adds lines behind others: their sums."""
        last = span.last
        self._last = (last.throughput, last.duration)
        self._weight = span.weight
        self._step = last.step
        if span.first_duration is None or last.duration is None:
            if last.throughput is not None:
                self._alone += span.iterations
                self._inverse = _extended(self._inverse, [*span.slowness])
            return
        self.growth.extend(span.first_duration, last.duration, span.lines, grows=span.grows)
        self._timed += span.iterations
        self._time = _extended(self._time, [*span.seconds])
        if last.throughput is not None:
            self._both += span.iterations
            self._work = _extended(self._work, [*span.work])
            if self.growth.steps is not None:
                self._grown = _extended(self._grown, [*span.slowness])

    def rate(self, *, timed: bool = True) -> float | None:
        """Work / time of the lines: their throughput; None where they print none.

        Lines with a rate and no time count with the work that the others' iterations take in; where
        none has a time, this is the weighted harmonic mean of the rates.

        Args:
            timed: Whether the lines' times are those of iterations. Where they are not, they only
                grow; None for those that do not.
        """
        read = self._read()
        alone = fsum(read._inverse)
        if not timed:
            if read.growth.steps is None:
                return None
            seconds = alone + fsum(read._grown)
            return (read._both + read._alone) / seconds if seconds else None
        if not read._both:
            return read._alone / alone if alone else None
        work, seconds = fsum(read._work), fsum(read._time)
        if read._both < read._timed:
            seconds *= read._both / read._timed
        if not read._alone:
            return work / seconds
        each = work / read._both
        return (work + each * read._alone) / (seconds + each * alone)

    def seconds(self) -> float | None:
        """Mean seconds of an iteration; None where the lines print none."""
        read = self._read()
        return fsum(read._time) / read._timed if read._timed else None

    def elapsed_seconds(self) -> float | None:
        """Mean seconds of an iteration, where the printed times are time that has passed."""
        read = self._read()
        if read._step is None or read._first_step is None or not read.growth.steps:
            return None
        passed = read._step - read._first_step
        return read.growth.seconds / passed if passed > 0 else None

    def gap(self) -> int:
        """Iterations between the last two lines."""
        return self._read()._weight

    def totals(self) -> Totals:
        """Seconds and iterations, of training and of the lines that were left out."""
        read = self._read()
        return Totals(fsum(read._time), read._timed, read.evaluations_s, read.evaluations)

    def absorb(self, later: LineSums) -> None:
        """Adds the lines that follow these."""
        self.flush(over=len(later.steps) != 1 or bool(later._weight))
        later.flush()
        self.growth.absorb(later.growth)
        self._evaluated += [(step, place + len(self.steps)) for step, place in later._evaluated]
        self.evaluations += later.evaluations
        self.evaluations_s += later.evaluations_s
        self._timed += later._timed
        self._both += later._both
        self._alone += later._alone
        self._time = _extended(self._time, later._time)
        self._work = _extended(self._work, later._work)
        self._inverse = _extended(self._inverse, later._inverse)
        self._grown = _extended(self._grown, later._grown)
        if later._weight:
            self._step, self._weight, self._last = later._step, later._weight, later._last
        self.steps += later.steps
        self.rates += later.rates
        self.times += later.times

    def _read(self) -> LineSums:
        """These sums with every line in them."""
        self.flush()
        if not self.steps:
            return self
        alone = LineSums()  # the first line: the sums are empty
        alone.steps, alone.rates, alone.times = [*self.steps], [*self.rates], [*self.times]
        alone._evaluated, alone.evaluations = [*self._evaluated], self.evaluations
        alone.evaluations_s = self.evaluations_s
        alone.flush(over=True)
        return alone

    def _weights(self, steps: list[int | None]) -> list[int]:
        """The iterations that each of the buffered lines stands for."""
        before = self._step
        if not self._weight and len(steps) > 1:
            before = _before_first(steps[0], steps[1])
        if before is not None and None not in steps:
            gaps = [*map(sub, steps, [before, *steps[:-1]])]
            if min(gaps) > 0:
                return gaps
        weights: list[int] = []
        for step in steps:
            weight = 1
            if step is not None and before is not None:
                last = weights[-1] if weights else self._weight or 1
                weight = step - before if step > before else last
            before = before if step is None else step
            weights.append(weight)
        return weights

    def _leave_out(self, weights: list[int]) -> None:
        """Removes the figures of the lines whose iteration had an evaluation in it."""
        waiting: list[tuple[int | None, int]] = []
        for step, place in self._evaluated:
            if place >= len(self.steps):
                waiting.append((step, place))
                continue
            rate, time = self.rates[place], self.times[place]
            before = (self.rates[place - 1], self.times[place - 1]) if place else self._last
            alone = step is not None and self.steps[place] == step
            if alone or _evaluates(_slowness(rate, time), _slowness(*before)):
                usual = weights[place - 1] if place else self._weight
                stands_for = 1 if alone else usual or 1
                self.evaluations += stands_for
                self.evaluations_s += stands_for * (time or 0.0)
                self.rates[place] = self.times[place] = None
        self._evaluated = waiting

    def _add(
        self, weights: list[int], rates: list[float | None], times: list[float | None]
    ) -> None:
        """Adds lines to the sums; figures that are no positive numbers count for none."""
        valid_rates, valid_times = _valid(rates), _valid(times)
        if valid_rates is None or valid_times is None:
            lines = [
                (w, _positive(r), _positive(t))
                for w, r, t in zip(weights, rates, times, strict=True)
            ]
            both = [line for line in lines if line[1] and line[2]]
            unrated = [line for line in lines if line[2] and not line[1]]
            untimed = [line for line in lines if line[1] and not line[2]]
            self.growth.add([time for _, _, time in lines if time])
            self._add_timed([w for w, _, _ in both], [t for *_, t in both], [r for _, r, _ in both])
            self._add_timed([w for w, _, _ in unrated], [t for *_, t in unrated], [])
            self._add_rated([w for w, _, _ in untimed], [r for _, r, _ in untimed])
        elif valid_times:
            self.growth.add(valid_times)
            self._add_timed(weights, valid_times, valid_rates)
        elif valid_rates:
            self._add_rated(weights, valid_rates)

    def _add_rated(self, weights: list[int], rates: Sequence[float]) -> None:
        if weights:
            self._alone += sum(weights)
            self._inverse = _extended(self._inverse, [*map(truediv, weights, rates)])

    def _add_timed(
        self, weights: list[int], times: Sequence[float], rates: Sequence[float]
    ) -> None:
        if not weights:
            return
        iterations = sum(weights)
        seconds = [*map(mul, weights, times)]
        self._timed += iterations
        self._time = _extended(self._time, seconds)
        if rates:
            self._both += iterations
            self._work = _extended(self._work, [*map(mul, seconds, rates)])
            if self.growth.steps is not None:
                self._grown = _extended(self._grown, [*map(truediv, weights, rates)])


def _valid(column: list[float | None]) -> Sequence[float] | None:
    """As `complete`; None where a figure is no positive number, too."""
    figures = complete(column)
    if not figures:
        return figures
    total = sum(figures)
    return figures if total - total == 0 and min(figures) > 0 else None


def _before_first(first: int | None, second: int | None) -> int | None:
    """The step that the first line counts from; None where that is unknown."""
    if first is None or second is None:
        return None
    return first - min(max(first, 1), max(second - first, 1))


def _positive(figure: float | None) -> float:
    """The figure, or 0 where it is no positive number."""
    return figure if figure is not None and 0 < figure < inf else 0.0


def _slowness(rate: float | None, time: float | None) -> float | None:
    """What an iteration takes, in whatever the line prints."""
    if time is not None:
        return time
    return 1 / rate if rate else None


def _evaluates(slowness: float | None, before: float | None) -> bool:
    """Whether an iteration took so much longer than the one before that it evaluated, too."""
    return slowness is not None and before is not None and slowness > _EVALUATES * before


def _extended(parts: list[float], values: list[float]) -> list[float]:
    """Parts whose exact sum is that of the given ones and of further values."""
    return (expansion([*parts, *values]) or parts) if values else parts
