"""Folds what the sanity checks need, line by line in constant memory."""

import math
from collections.abc import Sequence

from sixdim.metrics.fold.checks.clocks import ClockedPairs, Clocks
from sixdim.metrics.fold.checks.interleaving import Interleaving
from sixdim.metrics.values.card import MOST_LINES
from sixdim.parsers.events import Evaluation, Iteration, Metric, Problem, Scope
from sixdim.parsers.spans import LineSpan

_WHOLE = {"%": 100.0, "fraction": 1.0}
"""The largest value of a share, by its unit."""
_AGAIN = 3
_NO_STEP = -math.inf
_EXCEPTION = 25


class LineCount:
    """The number of some lines, and the first few of them."""

    def __init__(self) -> None:
        self.count = 0
        self.lines: list[int] = []

    def add(self, line: int) -> None:
        """Counts a line."""
        self.count += 1
        if len(self.lines) < MOST_LINES:
            self.lines.append(line)

    def extend(self, line: int, count: int) -> None:
        """Counts a number of lines that follow each other, from a line on."""
        self.count += count
        self.lines += range(line, line + min(count, MOST_LINES - len(self.lines)))

    def are_exception_among(self, of: int) -> bool:
        """Returns whether they are at least one, and at most one in 25, of a number of lines."""
        return 0 < self.count * _EXCEPTION <= of


def above_whole(metric: Metric) -> bool:
    """Returns whether a share is above 1 or 100 %; an error rate (wer) may be."""
    return metric.higher_is_better and metric.value > _WHOLE.get(metric.unit, math.inf)


class ChecksState:
    """Clock, steps and rates of one run.

    Attributes:
        slowest: Lowest throughput of a progress line, and its line.
        fastest: Highest throughput of a progress line, and its line.
        pairs: The rates of the first few hundred lines, compared with the log's clock.
        unit: Unit of the throughput.
        scope: Scope of the throughput.
        rated: Progress lines with a throughput.
        without_rate: Progress lines without a throughput, after the first one with one. The first
            one after an evaluation is not counted: its time may include the evaluation. Nor is one
            with a unit alone, as the format could not compute its throughput from a rounded time,
            nor the heading of an epoch.
        rated_again: Progress lines with a throughput whose step was read before.
        any_above_whole: Whether any evaluation gave a share above 1 or 100 %.
        repeats: Progress lines whose step is no later than one before it in the epoch.
        falls: Those of them whose step is lower by more than ranks that mix explain.
        clocks: The clock of each writer.
        interleaving: Whether several trainings write into the log at the same time.
    """

    def __init__(self) -> None:
        self.slowest: tuple[float, int] | None = None
        self.fastest: tuple[float, int] | None = None
        self.pairs = ClockedPairs()
        self.unit = ""
        self.scope = Scope.UNKNOWN
        self.rated = 0
        self.without_rate = LineCount()
        self.rated_again = LineCount()
        self.any_above_whole = False
        self._rated_before_evaluation = 0
        self.clocks = Clocks()
        self._low, self._high = math.inf, -math.inf  # a rate between is valid and no extreme
        self._step_epoch: int | None = None
        self._ended: int | None = None  # the last epoch that ended
        self._highest_step: float = _NO_STEP
        self._repeated = 0
        self.repeats = self.falls = 0
        self.interleaving = Interleaving()

    def add(self, event: Iteration) -> Sequence[Problem]:
        """Adds a progress line; returns its problems, mostly none."""
        at, epoch, step, steps, rate, unit, scope, loss, _, _, _, _ = event
        line, _, now, rank, host, _ = at
        found: Sequence[Problem] = ()
        if now is not None:
            clocks = self.clocks
            inside = clocks.earliest_us <= now <= clocks.latest_us
            if inside and rank == clocks.rank and host == clocks.host:
                clocks.earliest_us = now
            elif (problem := clocks.advance(at)) is not None:
                found = (problem,)
        if step is not None:
            highest = self._highest_step
            next_pass = epoch is None and steps is not None and highest == steps
            if step > highest or epoch != self._step_epoch or next_pass:
                if epoch != self._step_epoch or self._repeated:
                    self._add_place(event, step)
                self._step_epoch, self._highest_step, self._repeated = epoch, step, 0
            else:
                found = (*found, *self._add_repeat(event, step))
        if rate is None:
            is_heading = step is None and loss is None
            if not unit and not is_heading and self.rated > self._rated_before_evaluation:
                self.without_rate.add(line)
            return found
        self.rated += 1
        if not self._low <= rate <= self._high:
            found = (*found, *self._other_rate(event, rate))
            if not math.isfinite(rate):
                return found
        self.unit, self.scope = unit, scope
        if now is None or step is None:
            self.pairs.before = None
        elif self.pairs.left:
            self.pairs.add((epoch, now, step, line), rate)
        return found

    def _add_repeat(self, event: Iteration, step: int) -> Sequence[Problem]:
        """Adds a step that does not rise in its epoch: the run was resumed, or ranks mix."""
        at, chief = event.at, not event.at.rank  # rank 0, or a log without ranks
        self._add_place(event, step)
        self.repeats += 1
        if chief and event.throughput is not None:
            self.rated_again.add(at.line)
        if step >= self._highest_step - 1:
            return ()
        self.falls += 1
        self._repeated += 1
        if self._repeated != _AGAIN or not chief:
            return ()
        text = f"step {step} comes again after {self._highest_step}: resumed, or ranks mixed"
        return (Problem(at, "steps_again", text),)

    def _add_place(self, event: Iteration, step: int) -> None:
        """Adds a line whose step is not the next above all others."""
        before = self._step_epoch, self._highest_step
        self.interleaving.add(before, (event.epoch, step), event.steps or 0, event.at.line)

    def begin_again(self, event: Iteration) -> None:
        """Takes back that the last line repeats a step: it begins an epoch a second time."""
        if event.step is None or event.step > self._highest_step:
            return
        if self.rated_again.lines[-1:] == [event.at.line]:
            self.rated_again.count -= 1
            self.rated_again.lines.pop()
        self._highest_step, self._repeated = event.step, 0
        self.repeats = self.falls = 0

    def can_add(self, span: LineSpan) -> bool:
        """Returns whether the lines of a span can be added at once: none of them has a problem."""
        at, epoch, step, _steps, rate, unit, scope, *_ = span.last
        if self.clocks.after(span.first_us, at) is None:
            return False
        if step is not None:
            highest = self._highest_step
            if epoch != self._step_epoch:
                return False
            again = step < highest - 1 and self._repeated >= _AGAIN
            if highest != step - span.iterations and not again:
                return False
        if rate is None:
            return not self.rated
        if unit != self.unit or scope is not self.scope or not self.rated:
            return False
        return not self.pairs.left or step is None or at.time_us is None

    def add_span(self, span: LineSpan) -> None:
        """Adds the lines of a span for which `can_add` is true."""
        last = span.last
        self.clocks = self.clocks.after(span.first_us, last.at) or self.clocks
        if last.at.time_us is not None:
            self.clocks.earliest_us = last.at.time_us
        if last.step is not None:
            if last.step > self._highest_step:
                self._highest_step, self._repeated = last.step, 0
            else:
                self._repeated += span.lines
                self.repeats += span.lines
                if last.throughput is not None and last.at.rank in (None, 0):
                    self.rated_again.extend(last.at.line - span.lines + 1, span.lines)
        if span.slowest is None or span.fastest is None:
            return
        self.rated += span.lines
        if self.slowest is None or span.slowest[0] < self.slowest[0]:
            self.slowest, self._low = span.slowest, span.slowest[0]
        if self.fastest is None or span.fastest[0] > self.fastest[0]:
            self.fastest, self._high = span.fastest, span.fastest[0]
        self.pairs.before = None

    def add_epoch_end(self, label: int, line: int) -> None:
        """Adds the end of an epoch, whose label is like a step in a log that prints no steps."""
        before, self._ended = self._ended, label
        if self._highest_step == _NO_STEP and before not in (None, label):
            self.interleaving.add((0, before or 0), (0, label), 0, line)

    def add_evaluation(self, event: Evaluation) -> None:
        """Adds the figures of an evaluation."""
        self._rated_before_evaluation = self.rated
        self.pairs.before = None  # else the evaluation is in the time between two lines
        if not self.any_above_whole:
            for _, value, unit, higher in event.metrics:  # `above_whole` would take twice the time
                if higher and value > _WHOLE.get(unit, math.inf):
                    self.any_above_whole = True

    def _other_rate(self, event: Iteration, rate: float) -> Sequence[Problem]:
        """Adds a rate that is an extreme, or not valid; returns its problems."""
        if not math.isfinite(rate):
            text = "throughput records that are nan or infinite were left out"
            return (Problem(event.at, "nan_records", text),)
        line = event.at.line
        if self.slowest is None or rate < self.slowest[0]:
            self.slowest, self._low = (rate, line), max(rate, 0.0)
        if self.fastest is None or rate > self.fastest[0]:
            self.fastest, self._high = (rate, line), rate
        if rate < 0:
            return (Problem(event.at, "negative_records", "throughput records below 0"),)
        return ()
