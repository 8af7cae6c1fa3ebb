"""What the sanity checks need to have seen of a run, folded in memory that does not grow."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from parsers.events import (
    Column,
    EndOfInput,
    Evaluation,
    Event,
    Iteration,
    Iterations,
    Origin,
    Problem,
    RunEnd,
    Scope,
)
from parsers.whole_epochs import WholeEpochs

WHOLE = {"%": 100.0, "fraction": 1.0}
"""What no share is above, by its unit."""
_LAST = (EndOfInput, RunEnd)
_BACK_US = 2_000_000  # clocks of one second and of a microsecond may stand side by side
_YEARLESS_US = 10 * 365 * 86_400 * 1_000_000  # clocks without a year stand near 1970
_LEAP_US = 7 * 86_400 * 1_000_000
_MOST_PAIRS = 512
# What must pass between two lines to say anything; a clock of whole seconds needs more.
_APART_US, _APART_WHOLE_US = 20_000, 20_000_000
_AGAIN = 3
_MOST_LINES = 10
_EXCEPTION = 25


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

    def few(self, of: int) -> bool:
        """Whether they are the exception among so many: one in 25 at most."""
        return 0 < self.count * _EXCEPTION <= of


@dataclass(slots=True)
class Observed:
    """Clock, steps and rates of one run, as the lines come.

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

    slowest: tuple[float, int] | None = None
    fastest: tuple[float, int] | None = None
    per_iteration: array[float] = field(default_factory=lambda: array("d"))
    pair_lines: tuple[int, int] | None = None
    unit: str = ""
    scope: Scope = Scope.UNKNOWN
    rated: int = 0
    bare: Counted = field(default_factory=Counted)
    again: Counted = field(default_factory=Counted)
    beyond: bool = False
    _clock: dict[tuple[str | None, int | None, bool], int] = field(default_factory=dict)
    _last_us: int | None = None
    _before: Iteration | None = None
    _highest: tuple[int | None, int] | None = None
    _repeated: int = 0

    def apply(self, event: Event) -> list[Problem]:
        """Looks at one event; returns what does not fit."""
        found = [] if isinstance(event, _LAST) else self._time(event)
        if isinstance(event, Iteration):
            self._count(event)
            found += self._step(event)
            found += _impossible(event)
            self._rate(event)
        if isinstance(event, Evaluation):
            self._judge((m.unit, (m.value,)) for m in event.metrics)
        return found

    def smooth(self, event: Iterations) -> bool:
        """Whether all after the first, which was looked at, can be passed over together."""
        first = event.first
        fits = first.step is None or self._highest == (first.epoch, first.step)
        timed = first.throughput is not None and first.at.time_us is not None
        apart = _APART_US if event.fractions else _APART_WHOLE_US
        paired = timed and event.pause_us > apart and len(self.per_iteration) < _MOST_PAIRS
        possible = all(value >= 0 for value, _line in event.extremes)
        return fits and possible and not paired

    def pass_over(self, event: Iterations) -> None:
        """Notes what looking at all after the first would have left: no problem among them."""
        last = event.last
        self.pass_time(last.at)
        if last.step is not None:
            self._highest, self._repeated = (last.epoch, last.step), 0
        if last.throughput is None:
            if not self.rated:
                return
            for single in islice(event.after(), _MOST_LINES - len(self.bare.lines)):
                self.bare.lines.append(single.at.line)
            self.bare.count += event.records - 1
            return
        self.rated += event.records - 1
        self._before = last
        self._extremes(event.extremes)

    def smooth_epochs(self, event: WholeEpochs) -> bool:
        """Whether all after the first progress line, once looked at, can be passed over."""
        first, highest = event.first, self._highest
        fresh = highest is None or highest[0] != first.epoch
        timed = first.at.time_us is not None and event.pause_us > _APART_US
        paired = timed and len(self.per_iteration) < _MOST_PAIRS
        return fresh and event.extremes[0][0] >= 0 and not paired

    def pass_epochs(self, event: WholeEpochs) -> None:
        """Notes what looking at all after the first progress line would have left."""
        last = event.last
        self._highest, self._repeated = (last.epoch, last.step or 0), 0
        self.rated += sum(event.records) - 1
        self._before = last
        self._extremes(event.extremes)
        self.pass_time(last.at)
        for ending in event.endings:
            if ending.times is not None:
                self.pass_time(ending.example.at._replace(time_us=ending.times[-1]))
            if isinstance(ending.example, Evaluation):
                self.evaluated(ending.figures)

    def _extremes(self, extremes: Iterable[tuple[float, int]]) -> None:
        """Takes over the lowest and the highest throughput, and their lines, of those later."""
        for value, line in extremes:
            if self.slowest is None or value < self.slowest[0]:
                self.slowest = (value, line)
            if self.fastest is None or value > self.fastest[0]:
                self.fastest = (value, line)

    def pass_time(self, last: Origin) -> None:
        """Notes what looking at lines up to the last would have left: their clock fits."""
        now = last.time_us
        if now is not None:
            self._clock[(last.host, last.rank, now < _YEARLESS_US)] = now
            if now >= _YEARLESS_US:
                self._last_us = now

    def evaluated(self, columns: Iterable[Column]) -> None:
        """Notes what looking at evaluations with these figures would have left."""
        self._judge((column.unit, column.values) for column in columns)

    def _judge(self, figures: Iterable[tuple[str, Iterable[float]]]) -> None:
        for unit, values in figures:
            if unit in WHOLE and not self.beyond:
                most = WHOLE[unit]
                self.beyond = any(value > most for value in values)

    def _count(self, event: Iteration) -> None:
        if event.throughput is None:
            if self.rated:
                self.bare.add(event.at.line)
            return
        self.rated += 1
        highest, step = self._highest, event.step
        chief = event.at.rank in (None, 0)
        known = highest is not None and highest[0] == event.epoch
        if highest is not None and known and chief and step is not None and step <= highest[1]:
            self.again.add(event.at.line)

    def _time(self, event: Event) -> list[Problem]:
        now = event.at.time_us
        if now is None:
            return []
        writer = (event.at.host, event.at.rank, now < _YEARLESS_US)
        before = self._clock.get(writer)
        if len(self._clock) < 4096 or before is not None:
            self._clock[writer] = now
        if before is not None and before - now > _BACK_US:
            text = f"the log's clock jumps back by {(before - now) / 1e6:.0f} s"
            return [Problem(event.at, "clock_back", text)]
        if now < _YEARLESS_US:
            return []
        last, self._last_us = self._last_us, now
        if last is not None and now - last > _LEAP_US:
            days = (now - last) / 86_400e6
            text = f"the log's clock leaps ahead by {days:.0f} days: written by hand, or two clocks"
            return [Problem(event.at, "clock_leap", text)]
        return []

    def _step(self, event: Iteration) -> list[Problem]:
        """Steps that come again without a new epoch: a resume, or ranks that write at once."""
        if event.step is None:
            return []
        highest = self._highest
        if highest is None or highest[0] != event.epoch or event.step > highest[1]:
            self._highest, self._repeated = (event.epoch, event.step), 0
            return []
        if event.step < highest[1] - 1:
            self._repeated += 1
            if self._repeated == _AGAIN and event.at.rank in (None, 0):
                text = f"step {event.step} comes again after {highest[1]}: resumed, or ranks mixed"
                return [Problem(event.at, "steps_again", text)]
        return []

    def _rate(self, event: Iteration) -> None:
        value = event.throughput
        if value is None or not math.isfinite(value):
            return
        self.unit, self.scope = event.unit, event.scope
        if self.slowest is None or value < self.slowest[0]:
            self.slowest = (value, event.at.line)
        if self.fastest is None or value > self.fastest[0]:
            self.fastest = (value, event.at.line)
        before, self._before = self._before, event
        if before is None or len(self.per_iteration) >= _MOST_PAIRS:
            return
        if before.at.time_us is None or event.at.time_us is None or event.epoch != before.epoch:
            return
        if before.step is None or event.step is None or event.step <= before.step:
            return
        passed = event.at.time_us - before.at.time_us
        if passed <= (_APART_US if event.at.time_us % 1_000_000 else _APART_WHOLE_US):
            return
        self.per_iteration.append(value * passed / 1e6 / (event.step - before.step))
        first = self.pair_lines[0] if self.pair_lines else before.at.line
        self.pair_lines = (first, event.at.line)


def _impossible(event: Iteration) -> list[Problem]:
    """A throughput that no training has."""
    value = event.throughput
    if value is None or (math.isfinite(value) and value >= 0):
        return []
    if math.isfinite(value):
        return [Problem(event.at, "negative_records", "throughput records below 0")]
    text = "throughput records that are nan or infinite were left out"
    return [Problem(event.at, "nan_records", text)]
