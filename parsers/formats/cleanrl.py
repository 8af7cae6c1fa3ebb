"""CleanRL and its descendants: `SPS: 1213` an update, a line for each episode.

`SPS` is the environment's steps per second since the start, cut to a whole number. The speed is
that between such lines, of which each stands for as many steps: so far apart that rounding is a
small part.
"""

from __future__ import annotations

from sixdim.parsers.events import Events, Iteration, Metric, Scope
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rounded_time import RoundedTimes
from sixdim.parsers.statements.rows import ignored, line


class CleanRL(Reader):
    name = "cleanrl"
    title = "CleanRL (SPS lines and episodes)"
    tried = "CleanRL's ppo.py"
    example = "global_step=12040, episodic_return=[213.]"
    unread = "evaluations behind the training, losses (they are in TensorBoard alone)"

    def __init__(self) -> None:
        self._lines = 0
        self._times = RoundedTimes()
        self._at_step: int | None = None

    @line("SPS: {rate:int}", 0.5, "iteration")
    def _update(self, line: Line, f: Fields) -> Events:
        self._lines += 1
        if f["rate"] <= 0:
            return
        # The time of a line is its number over its rate, in times of as many steps as one is.
        earliest, latest = self._lines / (f["rate"] + 1), self._lines / f["rate"]
        rate = self._times.rate(self._lines, earliest, latest)
        step = self._lines if self._at_step is None else self._at_step
        if rate is not None:
            yield Iteration(line.origin(), None, step, None, rate, "steps/s", Scope.JOB)

    @line("global_step={step:int}, episodic_return=[{reward:float}]...", 0.8, "episode")
    @line("global_step={step:int}, episodic_return={reward:float}...", 0.8, "episode")
    @line("global step={step:int}, episodic return={reward:float}...", 0.8, "episode")
    def _episode(self, line: Line, f: Fields) -> Events:
        self._at_step = f["step"]
        values = (Metric("episodic_return", f["reward"]),)
        yield Iteration(line.origin(), None, f["step"], values=values)

    others = ignored("eval_episode={:int}, episodic_return={}", 0.3, "evaluation")
