"""What the sanity checks need of a run, folded line by line in memory that does not grow."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from sixdim.metrics.fold.clocks import Clocks
from sixdim.metrics.fold.columns import FEW, Columns, complete
from sixdim.parsers.events import Evaluation, Iteration, Origin, Problem, Scope, Span

WHOLE = {"%": 100.0, "fraction": 1.0}
"""What no share is above, by its unit."""
_MOST_PAIRS = 512
# What must pass between two lines to say anything; a clock of whole seconds needs more.
_APART_US, _APART_WHOLE_US = 20_000, 20_000_000
_AGAIN = 3
_MOST_LINES = 10
_EXCEPTION = 25
_AFTER_JUMP = 2
"""Lines behind a jump of the clock that are looked at one by one: they say where it goes on."""


@dataclass(slots=True)
class Counted:
    """How many lines, and the first few of them."""

    count: int = 0
    lines: list[int] = field(default_factory=list)

    def add(self, line: int) -> None:
        """Counts a line."""
        self.count += 1
        if len(self.lines) < _MOST_LINES:
            self.lines.append(line)

    def extend(self, line: int, count: int) -> None:
        """Counts so many lines from a line on."""
        self.count += count
        self.lines += range(line, line + min(count, _MOST_LINES - len(self.lines)))

    def few(self, of: int) -> bool:
        """Whether they are the exception among so many: one in 25 at most."""
        return 0 < self.count * _EXCEPTION <= of


class ChecksState:
    """Clock, steps and rates of one run.

    Attributes:
        slowest: Lowest throughput of a progress line, and its line.
        fastest: Highest throughput of a progress line, and its line.
        per_iteration: Throughput x time between two progress lines / iterations between them:
            samples of one iteration, for the first few hundred pairs.
        pair_lines: First and last line of those pairs.
        unit: Unit of the throughput.
        scope: Scope of the throughput.
        rated: Progress lines with a throughput.
        bare: Progress lines without one behind the first that has one, and their first lines.
        again: Progress lines with a throughput at a step that had one, and their first lines.
        beyond: Whether any evaluation gave a share above the whole.
    """

    __slots__ = (
        *("slowest", "fastest", "per_iteration", "pair_lines", "unit", "scope", "rated", "bare"),
        *("again", "beyond", "_clocks", "_pair_with", "_paired", "_low", "_high"),
        *("_step_epoch", "_highest_step", "_repeated"),
    )

    def __init__(self) -> None:
        self.slowest: tuple[float, int] | None = None
        self.fastest: tuple[float, int] | None = None
        self.per_iteration = array("d")
        self.pair_lines: tuple[int, int] | None = None
        self.unit = ""
        self.scope = Scope.UNKNOWN
        self.rated = 0
        self.bare = Counted()
        self.again = Counted()
        self.beyond = False
        self._clocks = Clocks()
        self._pair_with: Iteration | None = None
        self._paired = False
        self._low, self._high = math.inf, -math.inf  # a rate between is possible and no extreme
        self._step_epoch: int | None = None
        self._highest_step: int | None = None
        self._repeated = 0

    def advance(self, at: Origin) -> Problem | None:
        """Looks at the clock of any event; returns a problem where it jumped."""
        return self._clocks.advance(at)

    def add(self, event: Iteration) -> list[Problem]:
        """Looks at a progress line; returns what does not fit: mostly nothing."""
        at, _epoch, step, _steps, rate, unit, scope, _loss, _duration, _values, _, _ = event
        line, _offset, now, rank, host, _file = at
        found: list[Problem] = []
        if now is not None:
            clocks = self._clocks
            inside = clocks.earliest_us <= now <= clocks.latest_us
            if inside and rank == clocks.rank and host == clocks.host:
                clocks.earliest_us = now
            elif (problem := clocks.advance(at)) is not None:
                found.append(problem)
        if step is not None:
            self._add_step(event, found)
        if rate is None:
            if self.rated:
                self.bare.add(line)
            return found
        self.rated += 1
        if self._low <= rate <= self._high and (self._paired or now is None):
            self.unit, self.scope, self._pair_with = unit, scope, None
        else:
            self._other_rate(event, rate, found)
        return found

    def fits(self, span: Span) -> bool:
        """Whether the lines of a span can be added at once: none of them has a problem."""
        at, epoch, step, _steps, rate, unit, scope, *_ = last = span.last
        clocks = self._clocks
        if span.first_us is not None and at.time_us is not None:
            inside = clocks.earliest_us <= span.first_us and at.time_us <= clocks.latest_us
            if not inside or at.rank != clocks.rank or at.host != clocks.host:
                return False
        if step is not None:
            highest = self._highest_step
            if highest is None or epoch != self._step_epoch:
                return False
            again = step < highest - 1 and self._repeated >= _AGAIN
            if highest != step - span.iterations and not again:
                return False
        if rate is None:
            return not self.rated
        if unit != self.unit or scope is not self.scope or not self.rated:
            return False
        return self._paired or last.at.time_us is None or span.pairs is not None

    def add_span(self, span: Span) -> None:
        """Looks at the lines of a span that fits."""
        last = span.last
        if last.at.time_us is not None:
            self._clocks.earliest_us = last.at.time_us
        if last.step is not None and self._highest_step is not None:
            if last.step > self._highest_step:
                self._highest_step, self._repeated = last.step, 0
            else:
                self._repeated += span.lines
                if last.throughput is not None and last.at.rank in (None, 0):
                    self.again.extend(last.at.line - span.lines + 1, span.lines)
        if span.slowest is None or span.fastest is None:
            return
        self.rated += span.lines
        if self.slowest is None or span.slowest[0] < self.slowest[0]:
            self.slowest, self._low = span.slowest, span.slowest[0]
        if self.fastest is None or span.fastest[0] > self.fastest[0]:
            self.fastest, self._high = span.fastest, span.fastest[0]
        paired = self._paired or last.at.time_us is None or last.step is None
        self._pair_with = None if paired else last
        if not paired:
            for samples, before, line in span.pairs or ():
                self._add_pair(samples, before, line)

    def extend(self, records: Sequence[Iteration], columns: Columns) -> list[Problem]:
        """Looks at progress lines that follow each other; as `add` on each, and faster.

        Args:
            records: The lines.
            columns: The same as columns.
        """
        found: list[Problem] = []
        for begin, end in pairwise((0, *_jumps(columns), len(records))):
            usual = min(begin + _AFTER_JUMP, end)
            found += [problem for record in records[begin:usual] for problem in self.add(record)]
            rest, part = records[usual:end], columns.part(usual, end)
            if len(rest) >= FEW and self._usual(part):
                found += self._add_usual(rest, part)
            else:
                found += [problem for record in rest for problem in self.add(record)]
        return found

    def _usual(self, columns: Columns) -> bool:
        """Whether neither the clock nor the rates of these lines are a problem."""
        rates = complete(columns.rates)
        return rates is not None and self._possible(rates) and self._clocks.fits(columns)

    def _add_usual(self, records: Sequence[Iteration], columns: Columns) -> list[Problem]:
        """Adds such lines."""
        found: list[Problem] = []
        now, step = columns.times_us[-1], columns.steps[-1]
        if now is not None:
            self._clocks.earliest_us = now
        if not self._rises(columns):
            for record in records:
                self._add_step(record, found)
        elif step is not None:
            self._highest_step, self._repeated = step, 0
        rates = complete(columns.rates)
        if rates:
            self.unit, self.scope = columns.unit, columns.scope
            self._add_rates(rates, columns.lines)
            if self._paired or now is None:
                self._pair_with = None
            else:
                for record, rate in zip(records, rates, strict=True):
                    self._pair_up(record, rate)
        return found

    def _rises(self, columns: Columns) -> bool:
        """Whether each step is above the one before; also where no line has one."""
        steps, highest = complete(columns.steps), self._highest_step
        if not steps:
            return steps is not None
        if highest is None or columns.epoch != self._step_epoch:
            return False
        return all(map(int.__lt__, (highest, *steps), steps))

    def _possible(self, rates: Sequence[float]) -> bool:
        """Whether all rates can be true; without any, whether none is missing, either."""
        if not rates:
            return not self.rated
        total = sum(rates)
        return total - total == 0 and min(rates) >= 0

    def _add_rates(self, rates: Sequence[float], lines: Sequence[int]) -> None:
        """Adds possible rates, given their lines."""
        self.rated += len(rates)
        low, high = min(rates), max(rates)
        if self.slowest is None or low < self.slowest[0]:
            self.slowest, self._low = (low, lines[rates.index(low)]), low
        if self.fastest is None or high > self.fastest[0]:
            self.fastest, self._high = (high, lines[rates.index(high)]), high

    def add_evaluation(self, event: Evaluation) -> None:
        """Looks at the figures of an evaluation."""
        self.beyond = self.beyond or any(
            metric.unit in WHOLE and metric.value > WHOLE[metric.unit] for metric in event.metrics
        )

    def _add_step(self, event: Iteration, found: list[Problem]) -> None:
        """Looks at a step: one that comes again without a new epoch is a problem.

        It is a resume, or ranks that write at once.
        """
        step, highest = event.step, self._highest_step
        if step is None:
            return
        if highest is None or event.epoch != self._step_epoch or step > highest:
            self._step_epoch, self._highest_step, self._repeated = event.epoch, step, 0
            return
        chief = event.at.rank in (None, 0)
        if chief and event.throughput is not None:
            self.again.add(event.at.line)
        if step >= highest - 1:
            return
        self._repeated += 1
        if self._repeated == _AGAIN and chief:
            text = f"step {step} comes again after {highest}: resumed, or ranks mixed"
            found.append(Problem(event.at, "steps_again", text))

    def _other_rate(self, event: Iteration, rate: float, found: list[Problem]) -> None:
        """Looks at a rate that is impossible, an extreme, or to be paired with the one before."""
        line = event.at.line
        if not math.isfinite(rate):
            text = "throughput records that are nan or infinite were left out"
            found.append(Problem(event.at, "nan_records", text))
            return
        if rate < 0:
            found.append(Problem(event.at, "negative_records", "throughput records below 0"))
        self.unit, self.scope = event.unit, event.scope
        if self.slowest is None or rate < self.slowest[0]:
            self.slowest, self._low = (rate, line), max(rate, 0.0)
        if self.fastest is None or rate > self.fastest[0]:
            self.fastest, self._high = (rate, line), rate
        self._pair_up(event, rate)

    def _pair_up(self, event: Iteration, rate: float) -> None:
        """Pairs a progress line with the one before, as long as more pairs are needed."""
        before, self._pair_with = self._pair_with, None
        if not self._paired and event.at.time_us is not None and event.step is not None:
            self._pair_with = event
            if before is not None and before.epoch == event.epoch:
                self._pair(before, event, rate)

    def _pair(self, before: Iteration, now: Iteration, rate: float) -> None:
        """Works out the samples of one iteration from two progress lines of one epoch."""
        begin, end = before.at.time_us or 0, now.at.time_us or 0
        steps = (now.step or 0) - (before.step or 0)
        if steps <= 0 or end - begin <= (_APART_US if end % 1_000_000 else _APART_WHOLE_US):
            return
        self._add_pair(rate * (end - begin) / 1e6 / steps, before.at.line, now.at.line)

    def _add_pair(self, samples: float, before: int, line: int) -> None:
        """Adds the samples of one iteration, unless there are enough."""
        if not self._paired:
            self.per_iteration.append(samples)
            self.pair_lines = (self.pair_lines[0] if self.pair_lines else before, line)
            self._paired = len(self.per_iteration) >= _MOST_PAIRS


def _jumps(columns: Columns) -> list[int]:
    """Where lines begin whose clock is before that of the line in front of them."""
    times = complete(columns.times_us) or ()
    return [place for place, (before, now) in enumerate(pairwise(times), 1) if now < before]
