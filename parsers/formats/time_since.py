"""Loops with `timeSince`, as PyTorch's tutorials of recurrent networks print it.

`1m 47s (- 25m 10s) (5000 6%) 2.8641`: the time since the start, perhaps the time that is left, the
count and its share of all, the mean loss. The classification of names prints the count first. The
count is one of iterations, or of epochs in later versions: nothing shows which.
"""

from sixdim.parsers.events import Events, Iteration, Scope
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rounded_time import RoundedTimes
from sixdim.parsers.statements.rows import line

_SINCE = "{minutes:int}m {seconds:int}s"
_COUNT = "({step:int} {share:int}%)"


class TimeSince(Reader):
    name = "time-since"
    title = "PyTorch's tutorials of recurrent networks (`timeSince`)"
    example = "1m 47s (- 25m 10s) (5000 6%) 2.8641"
    unread = "the time that is left, examples of the output, evaluations"

    def __init__(self) -> None:
        self._times = RoundedTimes()

    @line(_SINCE + " (- {:int}m {:int}s) " + _COUNT + " {loss:float}", 1.0, "iteration")
    @line(_SINCE + " " + _COUNT + " {loss:float}", 0.7, "iteration")
    @line("{step:int} {share:int}% (" + _SINCE + ") {loss:float}...", 0.7, "iteration")
    def _iteration(self, line: Line, f: Fields) -> Events:
        passed, step = 60 * f["minutes"] + f["seconds"], f["step"]
        rate = self._times.rate(step, passed, passed + 1)
        steps = step if f["share"] == 100 else None
        yield Iteration(
            line.origin(), None, step, steps, rate or None, "steps/s", Scope.JOB, f["loss"]
        )
