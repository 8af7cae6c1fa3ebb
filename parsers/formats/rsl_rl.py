"""rsl_rl, as Isaac Lab and legged_gym use it: a block of centred lines a learning iteration.

Its steps are the sum over all environments.
"""

from __future__ import annotations

from sixdim.parsers.events import Event, Events, Iteration, Metric, Scope
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line


class RslRl(Reader):
    name = "rsl-rl"
    title = "rsl_rl (Isaac Lab, legged_gym)"
    example = "Computation: 98304 steps/s (collection: 0.800s, learning 0.200s)"
    unread = "losses, lengths of episodes, rewards by term, the configuration"

    _place: tuple[int, int] | None = None
    _rate: float | None = None
    _values: tuple[Metric, ...] = ()

    @line("Learning iteration {step:int}/{steps:int}", 0.5, "header")
    def _begin(self, line: Line, f: Fields) -> tuple[Event, ...]:
        self._place, self._rate, self._values = (f["step"], f["steps"]), None, ()
        return ()

    @line("Computation: {rate:float} steps/s ({}", 0.5, "throughput")
    @line("Steps per second: {rate:float}", 0.2, "throughput")
    def _speed(self, line: Line, f: Fields) -> tuple[Event, ...]:
        self._rate = f["rate"] or None
        return ()

    @line("Mean reward: {reward:float}", 0.1, "reward")
    def _reward(self, line: Line, f: Fields) -> tuple[Event, ...]:
        self._values = (Metric("mean_reward", f["reward"]),)
        return ()

    @line("Iteration time: {seconds:float}s", 0.2, "iteration")
    def _iteration(self, line: Line, f: Fields) -> Events:
        if self._place is not None:
            head = (line.origin(), None, *self._place, self._rate, "steps/s", Scope.JOB)
            yield Iteration(*head, duration=f["seconds"], values=self._values)
        self._place = None
