"""Sums over the progress lines of one epoch, each weighted by the iterations it stands for.

A line stands for the iterations since the line before it: the difference of their steps. The first
line stands for as many as the second, but for no more than its own step: at step 0 or 1 it is one
iteration; at step 50, followed by step 100, it is fifty. A line whose step does not rise
(another rank prints it, too) has the weight of the line before. A line without a step counts once.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from operator import sub
from typing import TypeAlias

from sixdim.metrics.fold.sums.figure_sums import FigureSums
from sixdim.parsers.spans import LineSpan

_EVALUATES = 2.0
"""Factor to the time of the line before above which the time of a line includes an evaluation."""
_Figures: TypeAlias = "tuple[float | None, float | None]"
"""Rate and time of a line."""


class LineSums:
    """The weighted sums of an epoch's lines.

    Attributes:
        buffer: Step, rate and time of lines that are not in the sums yet. The caller appends
            lines, `flush` adds them to the sums.
        sums: The sums.
        step: Step of the last line in them.
        weight: Of that line; 0 before the first.
        last_rate: Its rate; before the first line, that of the line in front of it, if known.
        last_time: Its time, likewise.
        waiting: Evaluations that wait for the next line: step, and place in the buffer.
        alone: Whether the first line had none after it when its epoch was over: it counts once.
        evaluations: Iterations that were left out, because an evaluation was part of them.
        evaluations_s: Their seconds.
        unprinted: Iterations of training whose time no line prints, because the next line is
            that of an iteration that includes an evaluation.
    """

    step: int | None = None
    weight: int = 0
    last_rate: float | None = None
    last_time: float | None = None
    evaluations: int = 0
    evaluations_s: float = 0.0
    unprinted: int = 0
    alone: bool = False

    def __init__(self) -> None:
        self.buffer: list[tuple[int | None, float | None, float | None]] = []
        self.waiting: list[tuple[int | None, int]] = []
        self.sums = FigureSums()

    def begin_after(self, earlier: LineSums) -> None:
        """Begins right after the lines of `earlier`: an evaluation may stand between the two."""
        earlier.flush()
        _, self.last_rate, self.last_time = earlier._latest()

    def evaluated(self, step: int | None) -> None:
        """Marks an evaluation here, with its step if the log prints one.

        The next line is left out where its time includes the evaluation: if it is the line of that
        step, or its time is more than twice that of the line before. Of several evaluations
        here the first counts.
        """
        if not self.waiting or self.waiting[-1][1] < len(self.buffer):
            self.waiting.append((step, len(self.buffer)))

    def flush(self, *, over: bool = False, gap: int = 0) -> None:
        """Adds the buffered lines to the sums; a single first line waits for the second.

        Args:
            over: Whether no line follows: then a single line counts once.
            gap: Iterations from the last of them to the next line, if known.
        """
        count = len(self.buffer)
        if not count or (count == 1 and not (self.weight or self.alone or over or gap)):
            return
        steps, rates, times = zip(*self.buffer, strict=True)
        self.buffer.clear()
        weights = self._weights(steps, gap)
        if self.waiting:
            rates, times = self._without_evaluations(
                steps, [*zip(rates, times, strict=True)], weights
            )
        self.last_rate, self.last_time = rates[-1], times[-1]
        self.weight = weights[-1]
        if steps[-1] is not None:
            self.step = steps[-1]
        else:
            self.step = next((step for step in reversed(steps) if step is not None), self.step)
        self.sums.add(weights, rates, times)

    @property
    def timed(self) -> bool:
        """Whether any line may have a rate or a time."""
        return bool(self.buffer or (self.weight and (self.sums.timed or self.sums.alone)))

    def follows(self, step: int | None) -> bool:
        """Returns whether the last line has that step and no evaluation waits for the next."""
        self.flush()
        return not self.waiting and step == (self.buffer[0][0] if self.buffer else self.step)

    def add_span(self, span: LineSpan) -> None:
        """Adds the sums of further lines."""
        self.flush(gap=span.first)
        last = span.last
        self.last_rate, self.last_time = last.throughput, last.duration
        self.weight = span.weight
        self.step = last.step
        self.sums.add_span(span)

    def rate(self) -> float | None:
        """Returns work / time of the lines: their throughput; None where they print none.

        Lines with a rate and no time count with the mean work of the others' iterations; where none
        has a time, this is the weighted harmonic mean of the rates.
        """
        return self.read().sums.rate()

    def seconds(self) -> float | None:
        """Returns mean seconds of an iteration; None where the lines print none."""
        sums = self.read().sums
        return sums.seconds() / sums.timed if sums.timed else None

    def work_before_last(self) -> float | None:
        """Returns the mean work of an iteration by all lines but the last; None if not printed."""
        read = self.read()
        sums, (_, rate, time) = read.sums, read._latest()
        before = sums.both - read.weight
        if rate is None or time is None or before <= 0 or sums.both != sums.timed or sums.alone:
            return None
        return (fsum(sums.work) - read.weight * rate * time) / before

    def gap(self) -> int:
        """Returns iterations between the last two lines."""
        return self.read().weight

    def absorb(self, later: LineSums) -> None:
        """Adds the lines that follow these."""
        self.flush(over=len(later.buffer) != 1 or bool(later.weight))
        later.flush()
        self.sums.absorb(later.sums)
        buffered = len(self.buffer)
        self.waiting += ((step, place + buffered) for step, place in later.waiting)
        self.evaluations += later.evaluations
        self.evaluations_s += later.evaluations_s
        self.unprinted += later.unprinted
        if later.weight:
            self.step, self.weight = later.step, later.weight
            self.last_rate, self.last_time = later.last_rate, later.last_time
        self.buffer += later.buffer

    def _latest(self) -> tuple[int | None, float | None, float | None]:
        """Returns the last line; its step is unknown if it is in the sums."""
        return self.buffer[-1] if self.buffer else (None, self.last_rate, self.last_time)

    def read(self) -> LineSums:
        """Returns these sums, or a copy to which a single buffered line is added, too."""
        self.flush()
        if not self.buffer:
            return self
        alone = LineSums()  # the first line: the sums are empty
        lists = {"buffer": [*self.buffer], "waiting": [*self.waiting]}
        vars(alone).update(vars(self), **lists, sums=alone.sums)
        alone.flush(over=True)
        return alone

    def _weights(self, steps: Sequence[int | None], gap: int) -> list[int]:
        """Returns the iterations that each of the lines stands for."""
        before, weight = self.step, self.weight or 1
        if not self.weight and steps[0] is not None:
            second = steps[1] if len(steps) > 1 else steps[0] + gap
            before = _before_first(steps[0], steps[0] if self.alone else second)
        if before is not None and None not in steps:
            gaps = [*map(sub, steps, (before, *steps[:-1]))]
            if min(gaps) > 0:
                return gaps
        weights: list[int] = []
        for step in steps:
            if step is None or before is None:
                weight = 1
            elif step > before:
                weight = step - before
            before = before if step is None else step
            weights.append(weight)
        return weights

    def _without_evaluations(
        self, steps: Sequence[int | None], lines: list[_Figures], weights: list[int]
    ) -> tuple[tuple[float | None, ...], tuple[float | None, ...]]:
        """Returns rates and times of the lines; None for one that includes an evaluation."""
        waiting: list[tuple[int | None, int]] = []
        before_all = self.last_rate, self.last_time
        for step, place in self.waiting:
            if place >= len(lines):
                waiting.append((step, place - len(lines)))
                continue
            figures, before = lines[place], lines[place - 1] if place else before_all
            alone = step is not None and steps[place] == step
            now, then = _slowness(*figures), _slowness(*before)
            if alone or (now is not None and then is not None and now > _EVALUATES * then):
                usual = weights[place - 1] if place else self.weight or weights[0]
                stands_for = 1 if alone else usual
                self.evaluations += stands_for
                self.evaluations_s += stands_for * (figures[1] or 0.0)
                self.unprinted += weights[place] - 1 if alone else 0
                lines[place] = None, None
        self.waiting = waiting
        rates, times = zip(*lines, strict=True)
        return rates, times


def _before_first(first: int | None, second: int | None) -> int | None:
    """Returns the step before the iterations of the first line; None where it is unknown."""
    if first is None or second is None:
        return None
    return first - min(max(first, 1), max(second - first, 1))


def _slowness(rate: float | None, time: float | None) -> float | None:
    """Returns the time of an iteration: in seconds, or 1 / its rate."""
    if time is not None:
        return time
    return 1 / rate if rate else None
