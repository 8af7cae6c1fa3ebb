"""CleanRL and its descendants: `SPS: 1213` an update, a line for each episode.

`SPS` is the environment's steps per second since the start, cut to a whole number. The speed is
that between such lines, of which each stands for as many steps: so far apart that rounding is a
small part.
"""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import Event, Iteration, Metric, Scope
from sixdim.parsers.grammar.shape import Fields
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.rows import ignored, line
from sixdim.parsers.text.lines import Line

_EXACT = 0.05
"""Share of the time between two lines that rounding may be."""


class CleanRL(Reader):
    """Reads one console log."""

    name = "cleanrl"
    title = "CleanRL (SPS lines and episodes)"
    example = "global_step=12040, episodic_return=[213.]"
    unread = "evaluations behind the training, losses (they are in TensorBoard alone)"

    def __init__(self) -> None:
        self._lines = 0
        self._clock: tuple[int, float, float] | None = None  # a line's number, earliest, latest
        self._at_step: int | None = None

    @line("SPS: {rate:int}", 0.5, "iteration")
    def _update(self, line: Line, f: Fields) -> Iterator[Event]:
        self._lines += 1
        rate = self._rate(f["rate"]) if f["rate"] > 0 else None
        step = self._lines if self._at_step is None else self._at_step
        if rate is not None:
            yield Iteration(line.origin(), None, step, None, rate, "steps/s", Scope.JOB)

    @line("global_step={step:int}, episodic_return=[{reward:float}]...", 0.8, "episode")
    @line("global_step={step:int}, episodic_return={reward:float}...", 0.8, "episode")
    def _episode(self, line: Line, f: Fields) -> Iterator[Event]:
        self._at_step = f["step"]
        values = (Metric("episodic_return", f["reward"]),)
        yield Iteration(line.origin(), None, f["step"], values=values)

    others = ignored("eval_episode={:int}, episodic_return={}", 0.3, "evaluation")

    def _rate(self, since_start: int) -> float | None:
        """Steps per second since the last line that gave a rate; None before it is sure.

        The time of a line is its number over its rate, in times of as many steps as one stands for.
        """
        early, late = self._lines / (since_start + 1), self._lines / since_start
        if self._clock is None or early < self._clock[1]:
            self._clock = self._lines, early, late
            return None
        before, first, last = self._clock
        seconds, unsure = (early + late - first - last) / 2, (late - early + last - first) / 2
        if unsure > _EXACT * seconds:
            return None
        self._clock = self._lines, early, late
        return (self._lines - before) / seconds
