"""What the progress lines of one epoch add up to, each weighted by the iterations it stands for.

A line stands for the iterations since the line before it: the difference of their steps. The first
one stands for as many as the second, but for no more than its own step says: a line of step 0 or 1
is one iteration, one of step 50 with 100 behind it is fifty. A step that does not rise (another
rank prints it, too) has the weight of the line before. Lines without a step count once each.
"""

from __future__ import annotations

import math
from itertools import pairwise
from operator import sub
from typing import NamedTuple

from sixdim.metrics.values.exact import ExactSum

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
        first_time: The first printed time, in seconds.
        last_time: The last one.
        growth: How often a printed time was longer than the one before; None once one was not.
    """

    __slots__ = (
        *("steps", "rates", "times", "evaluations", "evaluations_s"),
        *("first_time", "last_time", "growth", "_first_step", "_step", "_weight", "_evaluated"),
        *("_slowness",),
        *("_rated", "_inverse", "_timed", "_time", "_both", "_work"),
    )

    def __init__(self) -> None:
        self.steps: list[int | None] = []
        self.rates: list[float | None] = []
        self.times: list[float | None] = []
        self.evaluations = 0
        self.evaluations_s = 0.0
        self.first_time: float | None = None
        self.last_time: float | None = None
        self.growth: int | None = 0
        self._first_step: int | None = None
        self._step: int | None = None
        self._weight = 0  # of the last line in the sums; 0 before the first
        self._evaluated: tuple[int | None, int] | None = None
        self._slowness: float | None = None
        self._rated = self._timed = self._both = 0  # iterations
        self._inverse: ExactSum | None = None
        self._time: ExactSum | None = None
        self._work: ExactSum | None = None

    def evaluated(self, step: int | None) -> None:
        """Says that an evaluation was made here, at a step where the log says so.

        The next line is left out where its time has the evaluation in it: where it is the line of
        that step, or takes more than twice as long as the line before.
        """
        self.flush()
        self._evaluated = (step, len(self.steps))

    def flush(self, *, over: bool = False) -> None:
        """Adds the buffered lines to the sums; the first one alone waits for the second.

        Args:
            over: Whether no second one comes: a line that is alone counts once.
        """
        steps, rates, times = self.steps, self.rates, self.times
        if not steps or (len(steps) == 1 and not self._weight and not over):
            return
        self._leave_out()
        if self._first_step is None:
            self._first_step = steps[0]
        weights = self._weights(steps)
        slow = (_slowness(*one) for one in zip(reversed(rates), reversed(times), strict=True))
        self._slowness = next((one for one in slow if one is not None), self._slowness)
        self._add(weights, rates, times)
        self._step, self._weight = steps[-1], weights[-1]
        if self._evaluated is not None:
            self._evaluated = (self._evaluated[0], 0)
        for buffer in (steps, rates, times):
            buffer.clear()

    def rate(self, *, timed: bool = True) -> float | None:
        """Work / time of the lines: their throughput; None where they print none.

        Args:
            timed: Whether the lines' times are those of iterations. Where they are not, or are
                missing, this is the weighted harmonic mean of the rates.
        """
        read = self._read()
        if not read._rated:
            return None
        if timed and read._both == read._rated == read._timed:
            assert read._work is not None and read._time is not None
            return read._work.sum() / read._time.sum()
        return read._rated / read._inverse.sum() if read._inverse else None

    def seconds(self) -> float | None:
        """Mean seconds of an iteration; None where the lines print none."""
        read = self._read()
        return read._time.sum() / read._timed if read._time and read._timed else None

    def elapsed_seconds(self) -> float | None:
        """Mean seconds of an iteration, where the printed times are time that has passed."""
        read = self._read()
        if read._step is None or read._first_step is None or not read.growth:
            return None
        assert read.first_time is not None and read.last_time is not None
        passed = read._step - read._first_step
        return (read.last_time - read.first_time) / passed if passed > 0 else None

    def gap(self) -> int:
        """Iterations between the last two lines."""
        return self._read()._weight

    def totals(self) -> Totals:
        """Seconds and iterations, of training and of the lines that were left out."""
        read = self._read()
        seconds = read._time.sum() if read._time else 0.0
        return Totals(seconds, read._timed, read.evaluations_s, read.evaluations)

    def absorb(self, later: LineSums) -> None:
        """Adds the lines that follow these."""
        self._leave_out()
        later._leave_out()
        self.flush(over=len(later.steps) != 1 or bool(later._weight))
        later.flush()
        self._absorb_growth(later)
        self.evaluations += later.evaluations
        self.evaluations_s += later.evaluations_s
        self._rated += later._rated
        self._timed += later._timed
        self._both += later._both
        self._inverse = _merged(self._inverse, later._inverse)
        self._time = _merged(self._time, later._time)
        self._work = _merged(self._work, later._work)
        if later._weight:
            self._step, self._weight = later._step, later._weight
        self.steps += later.steps
        self.rates += later.rates
        self.times += later.times

    def _absorb_growth(self, later: LineSums) -> None:
        if later.first_time is None:
            return
        grows = self.last_time is None or later.first_time > self.last_time
        both = self.growth is not None and later.growth is not None
        self.growth = (self.growth or 0) + (later.growth or 0) if both and grows else None
        self.first_time = later.first_time if self.first_time is None else self.first_time
        self.last_time = later.last_time

    def _read(self) -> LineSums:
        """These sums with every line in them."""
        self.flush()
        if not self.steps:
            return self
        alone = LineSums()  # the first line: the sums are empty
        alone.steps, alone.rates, alone.times = [*self.steps], [*self.rates], [*self.times]
        alone._evaluated, alone.evaluations = self._evaluated, self.evaluations
        alone.evaluations_s = self.evaluations_s
        alone.flush(over=True)
        return alone

    def _weights(self, steps: list[int | None]) -> list[int]:
        """The iterations that each of the buffered lines stands for."""
        known = [step for step in steps if step is not None]
        before = self._step
        if len(known) == len(steps) and (before is not None or len(known) > 1):
            if before is None:
                before = known[0] - min(max(known[0], 1), max(known[1] - known[0], 1))
            gaps = [*map(sub, known, [before, *known[:-1]])]
            if min(gaps) > 0:
                return gaps
        else:
            gaps = [1] * len(steps)
        weights: list[int] = []
        for gap in gaps:
            weights.append(gap if gap > 0 else weights[-1] if weights else self._weight or 1)
        return weights

    def _leave_out(self) -> None:
        """Removes the figures of the line whose iteration had an evaluation in it."""
        if self._evaluated is None:
            return
        step, place = self._evaluated
        if place >= len(self.steps):
            return
        self._evaluated = None
        at, slow = self.steps[place], _slowness(self.rates[place], self.times[place])
        before = self._slowness
        if place:
            before = _slowness(self.rates[place - 1], self.times[place - 1]) or before
        alone = at is not None and at == step
        if alone or (slow is not None and before is not None and slow > _EVALUATES * before):
            stands_for = 1 if alone else self._weight or 1
            self.evaluations += stands_for
            self.evaluations_s += stands_for * (self.times[place] or 0.0)
            self.rates[place] = self.times[place] = None

    def _add(
        self, weights: list[int], rates: list[float | None], times: list[float | None]
    ) -> None:
        if rates.count(None) < len(rates):
            rated = [
                (w, r)
                for w, r in zip(weights, rates, strict=True)
                if r is not None and 0 < r < math.inf
            ]
            self._rated += sum(w for w, _ in rated)
            self._inverse = _extended(self._inverse, [w / r for w, r in rated])
        if times.count(None) == len(times):
            return
        timed = [
            (w, t, r)
            for w, t, r in zip(weights, times, rates, strict=True)
            if t is not None and 0 < t < math.inf
        ]
        self._timed += sum(w for w, _, _ in timed)
        self._time = _extended(self._time, [w * t for w, t, _ in timed])
        both = [(w, t * r) for w, t, r in timed if r is not None and 0 < r < math.inf]
        if both:
            self._both += sum(w for w, _ in both)
            self._work = _extended(self._work, [w * work for w, work in both])
        self._grow([t for _, t, _ in timed])

    def _grow(self, times: list[float]) -> None:
        if not times:
            return
        if self.first_time is None:
            self.first_time = times[0]
        if self.growth is not None:
            ordered = times if self.last_time is None else [self.last_time, *times]
            grows = all(before < after for before, after in pairwise(ordered))
            self.growth = self.growth + len(ordered) - 1 if grows else None
        self.last_time = times[-1]


def _slowness(rate: float | None, time: float | None) -> float | None:
    """What an iteration takes, in whatever the line prints."""
    if time is not None:
        return time
    return 1 / rate if rate else None


def _extended(total: ExactSum | None, values: list[float]) -> ExactSum:
    total = total or ExactSum()
    total.extend(values)
    return total


def _merged(total: ExactSum | None, later: ExactSum | None) -> ExactSum | None:
    if later is None:
        return total
    total = total or ExactSum()
    total.merge(later)
    return total
