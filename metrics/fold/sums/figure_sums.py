"""Sums over the rates and times of progress lines, each with its weight."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, inf
from operator import mul, truediv

from sixdim.metrics.fold.sums.growth import Growth
from sixdim.metrics.values.exact import extended, with_value
from sixdim.parsers.spans import Span


class FigureSums:
    """Sums of weighted figures; the weight of a line is the number of iterations it stands for.

    Attributes:
        timed: Iterations of the lines with a time.
        both: Iterations of those that have a rate, too.
        alone: Iterations of the lines with a rate and no time.
        growth: How the printed times grow.
        time: Numbers whose exact sum is the time of all iterations, in seconds.
        work: The same for the work: times multiplied by rates.
        inverse: The same for the inverses of rates without a time.
        grown: The same for the inverses of rates with a time, as long as times only grow.
    """

    timed: int = 0
    both: int = 0
    alone: int = 0
    time: Sequence[float] = ()
    work: Sequence[float] = ()
    inverse: Sequence[float] = ()
    grown: Sequence[float] = ()

    def __init__(self) -> None:
        self.growth = Growth(None, None, 0)

    def add(
        self,
        weights: Sequence[int],
        rates: Sequence[float | None],
        times: Sequence[float | None],
    ) -> None:
        """Adds lines; a figure that is no positive number is left out."""
        valid_rates, valid_times = _valid(rates), _valid(times)
        if valid_rates is None or valid_times is None:
            self._add_mixed(weights, rates, times)
        elif valid_times:
            self.growth.add(valid_times)
            self._add_timed(weights, valid_times, valid_rates)
        elif valid_rates:
            self._add_rated(weights, valid_rates)

    def add_line(self, weight: int, rate: float | None, time: float | None) -> None:
        """As `add` for one line, in a third of the time."""
        rate, time = _positive(rate), _positive(time)
        if time:
            self.growth.add((time,))
            self.timed += weight
            self.time = with_value(self.time, weight * time)
            if rate:
                self.both += weight
                self.work = with_value(self.work, weight * time * rate)
                if self.growth.steps is not None:
                    self.grown = with_value(self.grown, weight / rate)
        elif rate:
            self.alone += weight
            self.inverse = with_value(self.inverse, weight / rate)

    def add_span(self, span: Span) -> None:
        """Adds the sums of further lines."""
        last = span.last
        if span.first_duration is None or last.duration is None:
            if last.throughput is not None:
                self.alone += span.iterations
                self.inverse = extended(self.inverse, span.slowness)
            return
        self.growth.extend(span.first_duration, last.duration, span.lines, grows=span.grows)
        self.timed += span.iterations
        self.time = extended(self.time, span.seconds)
        if last.throughput is not None:
            self.both += span.iterations
            self.work = extended(self.work, span.work)
            if self.growth.steps is not None:
                self.grown = extended(self.grown, span.slowness)

    def absorb(self, later: FigureSums) -> None:
        """Adds the lines that follow these."""
        self.growth.absorb(later.growth)
        self.timed += later.timed
        self.both += later.both
        self.alone += later.alone
        self.time = extended(self.time, later.time)
        self.work = extended(self.work, later.work)
        self.inverse = extended(self.inverse, later.inverse)
        self.grown = extended(self.grown, later.grown)

    def rate(self, *, timed: bool) -> float | None:
        """Work / time of the lines; see `LineSums.rate`."""
        alone = fsum(self.inverse)
        if not timed:
            if self.growth.steps is None:
                return None
            seconds = alone + fsum(self.grown)
            return (self.both + self.alone) / seconds if seconds else None
        if not self.both:
            return self.alone / alone if alone else None
        work, seconds = fsum(self.work), self.seconds()
        if self.both < self.timed:
            seconds *= self.both / self.timed
        if not self.alone:
            return work / seconds
        each = work / self.both
        return (work + each * self.alone) / (seconds + each * alone)

    def seconds(self) -> float:
        """Seconds of the iterations with a time."""
        return fsum(self.time)

    def _add_mixed(
        self,
        weights: Sequence[int],
        rates: Sequence[float | None],
        times: Sequence[float | None],
    ) -> None:
        """Adds lines of which some lack a figure."""
        lines = [
            (weight, _positive(rate), _positive(time))
            for weight, rate, time in zip(weights, rates, times, strict=True)
        ]
        self.growth.add([time for _, _, time in lines if time])
        both = [line for line in lines if line[1] and line[2]]
        unrated = [line for line in lines if line[2] and not line[1]]
        untimed = [line for line in lines if line[1] and not line[2]]
        self._add_timed([w for w, _, _ in both], [t for *_, t in both], [r for _, r, _ in both])
        self._add_timed([w for w, _, _ in unrated], [t for *_, t in unrated], [])
        self._add_rated([w for w, _, _ in untimed], [r for _, r, _ in untimed])

    def _add_rated(self, weights: Sequence[int], rates: Sequence[float]) -> None:
        self.alone += sum(weights)
        self.inverse = extended(self.inverse, [*map(truediv, weights, rates)])

    def _add_timed(
        self, weights: Sequence[int], times: Sequence[float], rates: Sequence[float]
    ) -> None:
        iterations = sum(weights)
        seconds = [*map(mul, weights, times)]
        self.timed += iterations
        self.time = extended(self.time, seconds)
        if rates:
            self.both += iterations
            self.work = extended(self.work, [*map(mul, seconds, rates)])
            if self.growth.steps is not None:
                self.grown = extended(self.grown, [*map(truediv, weights, rates)])


def _valid(column: Sequence[float | None]) -> Sequence[float] | None:
    """The figures of a column; empty if no line has one.

    Returns:
        None where some lines lack one, or one is no positive number.
    """
    if None in column:
        return () if column.count(None) == len(column) else None
    figures: Sequence[float] = column  # type: ignore[assignment]  # it has no None
    total = sum(figures)
    return figures if total - total == 0 and min(figures) > 0 else None


def _positive(figure: float | None) -> float:
    """The figure, or 0 where it is no positive number."""
    return figure if figure is not None and 0 < figure < inf else 0.0
