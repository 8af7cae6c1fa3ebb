"""Dopamine: the mean return and the speed of each iteration, and the return of its evaluation.

An iteration is a number of steps of the environment; an agent learns at some of them.
"""

from __future__ import annotations

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Iteration, Metric, Scope
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ignored, line

_RETURN = "Average undiscounted return per {} episode: {{reward:float}}"


class Dopamine(Reader):
    name = "dopamine"
    title = "Dopamine (research framework of Google)"
    example = "Average training steps per second: 1027.80"
    unread = "the settings, single episodes"

    _label: int | None = None
    _values: tuple[Metric, ...] = ()

    @line("Starting iteration {epoch:int}", 0.3, "header")
    def _begin(self, line: Line, f: Fields) -> Events:
        self._label, self._values = f["epoch"], ()
        yield Iteration(line.origin(), f["epoch"], None)

    @line(_RETURN.format("training"), 0.5, "return")
    def _trained(self, _line: Line, f: Fields) -> Events:
        self._values = (Metric("reward", f["reward"]),)
        return ()

    @line("Average training steps per second: {rate:float}", 1.0, "throughput")
    def _speed(self, line: Line, f: Fields) -> Events:
        speed = f["rate"] or None, "steps/s", Scope.JOB
        yield EpochEnd(line.origin(), self._label, *speed, values=self._values)

    @line(_RETURN.format("evaluation"), 0.5, "evaluation")
    def _evaluated(self, line: Line, f: Fields) -> Events:
        yield Evaluation(line.origin(), (Metric("mean_reward", f["reward"]),), self._label)

    others = ignored("Steps executed: {:int} Episode length: {}", 0.1, "episode")
