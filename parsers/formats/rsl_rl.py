"""rsl_rl, as Isaac Lab and legged_gym use it: a block of centred lines per learning iteration.

Steps per second are the sum over all environments. Iterations count from 0, so the last one is that
before the number that they are of.
"""

from sixdim.parsers.events import Events, Iteration, Metric, RunEnd, Scope
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line, remembers


class RslRl(Reader):
    name = "rsl-rl"
    title = "rsl_rl (Isaac Lab, legged_gym)"
    tried = "rsl-rl-lib 5.5.1"
    example = "Computation: 98304 steps/s (collection: 0.800s, learning 0.200s)"
    unread = "losses, lengths of episodes, rewards by term, the configuration"

    _step: int | None = None
    _steps = 0
    _rate = 0.0
    _reward: float | None = None

    headers = (
        remembers(
            "Learning iteration {_step:int}/{_steps:int}", 0.5, "header", _rate=0.0, _reward=None
        ),
        remembers("Computation: {_rate:float} steps/s ({}", 0.5, "throughput"),
        remembers("Steps per second: {_rate:float}", 0.2, "throughput"),
        remembers("Mean reward: {_reward:float}", 0.1, "reward"),
    )

    @line("Iteration time: {seconds:float}s", 0.2, "iteration")
    def _iteration(self, line: Line, f: Fields) -> Events:
        if self._step is not None:
            values = () if self._reward is None else (Metric("mean_reward", self._reward),)
            yield from self.report(line.origin(), "steps_planned", self._steps)
            head = line.origin(), None, self._step, self._steps
            speed = self._rate or None, "steps/s", Scope.JOB
            yield Iteration(*head, *speed, duration=f["seconds"], values=values)
            if self._step + 1 == self._steps:
                yield RunEnd(line.origin())
        self._step = None
