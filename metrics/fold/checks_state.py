"""What the sanity checks need of a run, folded line by line in memory that does not grow."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, field
from typing import TypeAlias

from sixdim.parsers.events import Evaluation, Iteration, Origin, Problem, Scope, Stretch

WHOLE = {"%": 100.0, "fraction": 1.0}
"""What no share is above, by its unit."""
_BACK_US = 2_000_000  # clocks of one second and of a microsecond may stand side by side
_YEARLESS_US = 10 * 365 * 86_400 * 1_000_000  # clocks without a year stand near 1970
_LEAP_US = 7 * 86_400 * 1_000_000
_MOST_WRITERS = 4096
_MOST_PAIRS = 512
# What must pass between two lines to say anything; a clock of whole seconds needs more.
_APART_US, _APART_WHOLE_US = 20_000, 20_000_000
_AGAIN = 3
_MOST_LINES = 10
_EXCEPTION = 25

_Writer: TypeAlias = tuple[str | None, int | None, bool]
"""Host, rank, and whether the clock has no year."""


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


class Clocks:
    """The clock of each writer of the log: a rank on a host, with years in its dates or without.

    A line of the writer of the line before needs no more than the comparisons with `rank`, `host`,
    `earliest_us` and `latest_us`: inside these its clock neither jumps back nor leaps ahead.

    Attributes:
        rank: Rank of the last writer.
        host: Host of the last writer.
        earliest_us: The last writer's clock, to be set to that of a line inside the limits.
        latest_us: Up to where the clock of the next line is looked at no further.
    """

    __slots__ = ("_last_us", "_times", "_writer", "earliest_us", "host", "latest_us", "rank")

    def __init__(self) -> None:
        self.rank: int | None = None
        self.host: str | None = None
        self._times: dict[_Writer, int] = {}
        self._last_us: int | None = None
        self._writer: _Writer | None = None
        self._forget_writer()

    def advance(self, at: Origin) -> Problem | None:
        """Sets the clock of a line's writer; returns a problem where it jumped."""
        now = at.time_us
        if now is None:
            return None
        self._store_writer()
        writer = (at.host, at.rank, now < _YEARLESS_US)
        before = self._times.get(writer)
        if before is not None or len(self._times) < _MOST_WRITERS:
            self._times[writer] = now
            self._expect(writer, now)
        if before is not None and before - now > _BACK_US:
            self._forget_writer()  # what comes next is compared with the time before the jump
            text = f"the log's clock jumps back by {(before - now) / 1e6:.0f} s"
            return Problem(at, "clock_back", text)
        if now < _YEARLESS_US:
            return None
        last, self._last_us = self._last_us, now
        if last is not None and now - last > _LEAP_US:
            days = (now - last) / 86_400e6
            text = f"the log's clock leaps ahead by {days:.0f} days: written by hand, or two clocks"
            return Problem(at, "clock_leap", text)
        return None

    def _expect(self, writer: _Writer, now: int) -> None:
        self._writer = writer
        self.host, self.rank, yearless = writer
        self.earliest_us = now
        self.latest_us = _YEARLESS_US - 1 if yearless else now + _LEAP_US

    def _store_writer(self) -> None:
        """Puts the clock of the last writer, which lines may have advanced, with the others."""
        if self._writer is not None:
            self._times[self._writer] = self.earliest_us
            if self.earliest_us >= _YEARLESS_US:
                self._last_us = self.earliest_us
        self._forget_writer()

    def _forget_writer(self) -> None:
        self._writer = None
        self.earliest_us, self.latest_us = 1, 0  # no clock is inside these


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
        at, epoch, step, _steps, rate, unit, scope, _loss, _duration, _values, _, _ = event
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
            highest = self._highest_step
            if highest is not None and step > highest and epoch == self._step_epoch:
                self._highest_step, self._repeated = step, 0
            else:
                self._other_step(event, step, found)
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

    def fits(self, stretch: Stretch) -> bool:
        """Whether the lines of a stretch can be added at once: none of them has a problem."""
        at, epoch, step, _steps, rate, unit, scope, *_ = last = stretch.last
        clocks = self._clocks
        if stretch.first_us is not None and at.time_us is not None:
            inside = clocks.earliest_us <= stretch.first_us and at.time_us <= clocks.latest_us
            if not inside or at.rank != clocks.rank or at.host != clocks.host:
                return False
        if step is not None:
            highest = self._highest_step
            if highest is None or epoch != self._step_epoch:
                return False
            again = step < highest - 1 and self._repeated >= _AGAIN
            if highest != step - stretch.iterations and not again:
                return False
        if rate is None:
            return not self.rated
        if unit != self.unit or scope is not self.scope or not self.rated:
            return False
        return self._paired or last.at.time_us is None or stretch.pairs is not None

    def add_stretch(self, stretch: Stretch) -> None:
        """Looks at the lines of a stretch that fits."""
        last = stretch.last
        if last.at.time_us is not None:
            self._clocks.earliest_us = last.at.time_us
        if last.step is not None and self._highest_step is not None:
            if last.step > self._highest_step:
                self._highest_step, self._repeated = last.step, 0
            else:
                self._repeated += stretch.count
                if last.throughput is not None and last.at.rank in (None, 0):
                    self.again.extend(last.at.line - stretch.count + 1, stretch.count)
        if stretch.slowest is None or stretch.fastest is None:
            return
        self.rated += stretch.count
        if self.slowest is None or stretch.slowest[0] < self.slowest[0]:
            self.slowest, self._low = stretch.slowest, stretch.slowest[0]
        if self.fastest is None or stretch.fastest[0] > self.fastest[0]:
            self.fastest, self._high = stretch.fastest, stretch.fastest[0]
        paired = self._paired or last.at.time_us is None or last.step is None
        self._pair_with = None if paired else last
        if not paired:
            for taken, before, line in stretch.pairs or ():
                self._add_pair(taken, before, line)

    def add_evaluation(self, event: Evaluation) -> None:
        """Looks at the figures of an evaluation."""
        self.beyond = self.beyond or any(
            metric.unit in WHOLE and metric.value > WHOLE[metric.unit] for metric in event.metrics
        )

    def _other_step(self, event: Iteration, step: int, found: list[Problem]) -> None:
        """Looks at a step that begins an epoch, or comes again without a new epoch.

        The latter is a resume, or ranks that write at once.
        """
        highest = self._highest_step
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

    def _add_pair(self, taken: float, before: int, line: int) -> None:
        """Adds the samples of one iteration, unless there are enough."""
        if not self._paired:
            self.per_iteration.append(taken)
            self.pair_lines = (self.pair_lines[0] if self.pair_lines else before, line)
            self._paired = len(self.per_iteration) >= _MOST_PAIRS
