"""Sums over the rates and times of progress lines, each with its weight."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, inf
from operator import mul, truediv

from sixdim.metrics.values.exact import extended
from sixdim.parsers.spans import LineSpan


class FigureSums:
    """Sums of weighted figures; the weight of a line is the number of iterations it stands for.

    Attributes:
        timed: Iterations of the lines with a time.
        both: Iterations of those that have a rate, too.
        alone: Iterations of the lines with a rate and no time.
        time: Numbers whose exact sum is the time of all iterations, in seconds.
        work: The same for the work: times multiplied by rates.
        inverse: The same for the inverses of rates without a time.
    """

    timed: int = 0
    both: int = 0
    alone: int = 0
    time: Sequence[float] = ()
    work: Sequence[float] = ()
    inverse: Sequence[float] = ()

    def add(
        self,
        weights: Sequence[int],
        rates: Sequence[float | None],
        times: Sequence[float | None],
    ) -> None:
        """Adds lines; a figure that is no positive number is left out."""
        valid_rates, valid_times = _valid(rates), _valid(times)
        if valid_rates is not None and valid_times is not None:
            self._add_alike(weights, valid_rates, valid_times)
            return
        lines = [*zip(weights, map(_positive, rates), map(_positive, times), strict=True)]
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
        if times:
            seconds = [*map(mul, weights, times)]
            self.timed += iterations
            self.time = extended(self.time, seconds)
            if rates:
                self.both += iterations
                self.work = extended(self.work, [*map(mul, seconds, rates)])
        elif rates:
            self.alone += iterations
            self.inverse = extended(self.inverse, [*map(truediv, weights, rates)])

    def add_span(self, span: LineSpan) -> None:
        """Adds the sums of further lines."""
        last = span.last
        if last.duration is None:
            if last.throughput is not None:
                self.alone += span.iterations
                self.inverse = extended(self.inverse, span.slowness)
            return
        self.timed += span.iterations
        self.time = extended(self.time, span.seconds)
        if last.throughput is not None:
            self.both += span.iterations
            self.work = extended(self.work, span.work)

    def absorb(self, later: FigureSums) -> None:
        """Adds the lines that follow these."""
        self.timed += later.timed
        self.both += later.both
        self.alone += later.alone
        self.time = extended(self.time, later.time)
        self.work = extended(self.work, later.work)
        self.inverse = extended(self.inverse, later.inverse)

    def rate(self) -> float | None:
        """Returns work / time of the lines; see `LineSums.rate`."""
        alone = fsum(self.inverse)
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
        """Returns seconds of the iterations with a time."""
        return fsum(self.time)


def _valid(column: Sequence[float | None]) -> Sequence[float] | None:
    """Returns a column; empty if no line has a figure, None if only some are positive."""
    if None in column:
        return () if column.count(None) == len(column) else None
    figures: Sequence[float] = column  # type: ignore[assignment]  # it has no None
    total = sum(figures)
    return figures if total - total == 0 and min(figures) > 0 else None


def _positive(figure: float | None) -> float:
    """Returns the figure, or 0 where it is no positive number."""
    return figure if figure is not None and 0 < figure < inf else 0.0
