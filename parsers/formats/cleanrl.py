"""CleanRL and its descendants: a line `SPS: 1213` per update, and a line per episode.

`SPS` is the environment's steps per second since the start, cut to a whole number. Each line stands
for the same number of steps. The speed is measured between lines far enough apart that rounding
changes it little. If the run first only fills a replay buffer, the steps of the episodes beside the
lines tell how many steps that took.
"""

from sixdim.parsers.events import Events, Iteration, Metric, Scope
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rounded_time import RoundedTimes
from sixdim.parsers.statements.rows import line

_ENOUGH = 8
"""Lines and episodes after which the steps per line are known well enough."""
_LATE = 2
"""The first line came late if at least this many lines' steps were done before it."""


class CleanRL(Reader):
    name = "cleanrl"
    title = "CleanRL (SPS lines and episodes)"
    tried = "CleanRL's ppo.py, dqn.py, c51.py and pqn.py"
    example = "global_step=12040, episodic_return=[213.]"
    unread = "evaluations after the training, losses (they are in TensorBoard alone)"

    def __init__(self) -> None:
        self._lines = 0
        self._times = RoundedTimes()
        self._at_step: int | None = None  # step of the last episode
        self._episodes = 0
        self._first: tuple[int, int, int] | None = None  # lines, step, episodes of the first pair
        self._before: float = 0  # steps before the first line, counted in lines

    @line("SPS: {rate:int}", 0.5, "iteration")
    def _update(self, line: Line, f: Fields) -> Events:
        self._lines += 1
        if f["rate"] <= 0:
            return
        self._find_begin()
        # The time of a line is its number / its rate; the unit is the steps that a line stands for.
        done = self._lines + self._before
        rate = self._times.rate(done, done / (f["rate"] + 1), done / f["rate"])
        step = self._lines if self._at_step is None else self._at_step
        if rate is not None:
            yield Iteration(line.origin(), None, step, None, rate, "steps/s", Scope.JOB)

    def _find_begin(self) -> None:
        """Infers how many steps came before the first line, once there are enough lines."""
        if self._at_step is None:
            return
        if self._first is None:
            self._first = self._lines, self._at_step, self._episodes
            return
        lines, step, episodes = self._first
        if self._before or min(self._lines - lines, self._episodes - episodes) < _ENOUGH:
            return
        before = step * (self._lines - lines) / max(self._at_step - step, 1) - lines
        if before >= _LATE + lines / 2:
            self._before, self._times = before, RoundedTimes()

    @line("global_step={step:int}, episodic_return=[{reward:float}]...", 0.8, "episode")
    @line("global_step={step:int}, episodic_return={reward:float}...", 0.8, "episode")
    @line("global step={step:int}, episodic return={reward:float}...", 0.8, "episode")
    def _episode(self, line: Line, f: Fields) -> Events:
        self._at_step, self._episodes = f["step"], self._episodes + 1
        values = (Metric("episodic_return", f["reward"]),)
        yield Iteration(line.origin(), None, f["step"], values=values)
