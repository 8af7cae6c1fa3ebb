"""Sums over the rates and times of progress lines, each with its weight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, inf
from operator import lt, mul, truediv

from sixdim.metrics.values.exact import extended
from sixdim.parsers.spans import Span


@dataclass  # with slots, it takes three times as long to pickle
class Growth:
    """The order of printed times: if they only grow, they are elapsed times, not durations.

    Attributes:
        first: The first printed time, in seconds.
        last: The last one.
        steps: How many times were longer than the one before; None once one was not.
    """

    first: float | None
    last: float | None
    steps: int | None

    @property
    def seconds(self) -> float:
        """From the first time to the last."""
        return 0.0 if self.first is None or self.last is None else self.last - self.first

    def add(self, times: Sequence[float]) -> None:
        """Adds times in the order of their lines."""
        if not times:
            return
        if self.first is None:
            self.first = times[0]
        if self.steps is not None:
            ordered = times if self.last is None else (self.last, *times)
            grows = all(map(lt, ordered, ordered[1:]))
            self.steps = self.steps + len(ordered) - 1 if grows else None
        self.last = times[-1]

    def extend(self, first: float, last: float, count: int, *, grows: bool) -> None:
        """Adds further times; `grows` says whether each is longer than the one before."""
        if self.steps is not None:
            longer = grows and self.last is not None and self.last < first
            self.steps = self.steps + count if longer else None
        self.last = last

    def absorb(self, later: Growth) -> None:
        """Adds the times that follow these."""
        if later.first is None:
            return
        grows = self.last is None or later.first > self.last
        both = self.steps is not None and later.steps is not None
        self.steps = (self.steps or 0) + (later.steps or 0) if both and grows else None
        self.first = later.first if self.first is None else self.first
        self.last = later.last


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
        if valid_rates is not None and valid_times is not None:
            self.growth.add(valid_times)
            self._add_alike(weights, valid_rates, valid_times)
            return
        lines = [*zip(weights, map(_positive, rates), map(_positive, times), strict=True)]
        self.growth.add([time for _, _, time in lines if time])
        for rated, timed in ((True, True), (False, True), (True, False)):
            some = [line for line in lines if (line[1] > 0, line[2] > 0) == (rated, timed)]
            if some:
                weights, rates, times = zip(*some, strict=True)
                self._add_alike(weights, rates if rated else (), times if timed else ())

    def _add_alike(
        self, weights: Sequence[int], rates: Sequence[float], times: Sequence[float]
    ) -> None:
        """Adds lines of which each has a rate, or none has one, and the same of times."""
        iterations = sum(weights)
        slowness = [*map(truediv, weights, rates)] if rates else []
        if times:
            seconds = [*map(mul, weights, times)]
            self.timed += iterations
            self.time = extended(self.time, seconds)
            if rates:
                self.both += iterations
                self.work = extended(self.work, [*map(mul, seconds, rates)])
                if self.growth.steps is not None:
                    self.grown = extended(self.grown, slowness)
        elif rates:
            self.alone += iterations
            self.inverse = extended(self.inverse, slowness)

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


def _valid(column: Sequence[float | None]) -> Sequence[float] | None:
    """The figures of a column; empty if no line has one, None if only some are positive numbers."""
    if None in column:
        return () if column.count(None) == len(column) else None
    figures: Sequence[float] = column  # type: ignore[assignment]  # it has no None
    total = sum(figures)
    return figures if total - total == 0 and min(figures) > 0 else None


def _positive(figure: float | None) -> float:
    """The figure, or 0 where it is no positive number."""
    return figure if figure is not None and 0 < figure < inf else 0.0
