"""PFRL and ChainerRL: a line per episode or interval, and a line per episode of an evaluation.

A step is one of the environment. Its lines say no time: the speed is that of the clock in front of
them, between two lines without an evaluation or a saved agent in between.
"""

from __future__ import annotations

from collections.abc import Iterable

from sixdim.parsers.events import Evaluation, Event, Events, Iteration, Metric, Origin, Scope
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rounded_time import RoundedTimes
from sixdim.parsers.statements.rows import ignored, line


class Pfrl(Reader):
    name = "pfrl"
    title = "PFRL and ChainerRL"
    example = "outdir:results/20240309 step:5000 episode:21 R:103.5"
    unread = "the settings, the agent's statistics, the lengths of episodes"

    def __init__(self) -> None:
        self._scores: list[float] = []  # of the evaluation that is being printed
        self._evaluated: Origin | None = None
        self._times = RoundedTimes()  # since which all is training
        self._step: int | None = None

    @line(
        (
            "outdir:{} step:{step:int} episode:{:int} R:{reward:float}",
            "outdir:{} step:{step:int} episode:{:int} last_R: {reward:float} average_R:{:float}",
        ),
        1.0,
        "iteration",
    )
    def _training(self, line: Line, f: Fields) -> Events:
        yield from self._evaluation()
        at, self._step = line.origin(), f["step"]
        values = (Metric("reward", f["reward"]),)
        event = Iteration(at, None, f["step"], values=values)
        if at.time_us is not None:
            seconds = at.time_us / 1e6
            rate = self._times.rate(f["step"], seconds, seconds + 1)  # clocks may cut seconds off
            event = event._replace(throughput=rate or None, unit="steps/s", scope=Scope.JOB)
        yield event

    @line(
        (
            "evaluation episode {:int} length:{:int} R:{reward:float}",
            "evaluation episode {:int} length: {:int} R: {reward:float}",
        ),
        1.0,
        "evaluation",
    )
    def _tested(self, line: Line, f: Fields) -> Events:
        self._scores.append(f["reward"])
        self._evaluated, self._times = line.origin(), RoundedTimes()
        return ()

    @line("The best score is updated {} -> {}", 0.5, "evaluation")
    @line("Saved the agent to {}", 0.3, "checkpoint")
    def _saved(self, _line: Line, _f: Fields) -> Events:
        self._times = RoundedTimes()
        return self._evaluation()

    others = ignored(("statistics:[('{}", "statistics: [('{}"), 0.3, "statistics")

    def _evaluation(self) -> Iterable[Event]:
        """Yields the mean of the evaluation's episodes, once another line shows it is over."""
        scores, self._scores = self._scores, []
        if scores and self._evaluated is not None:
            mean = Metric("mean_reward", sum(scores) / len(scores))
            yield Evaluation(self._evaluated, (mean,), step=self._step)
