"""Finds evaluations that a log does not print, by the time of the iteration that includes one.

If iterations at regular steps take many times as long as the one before, each of them includes an
evaluation or a checkpoint. Iterations that the log does not print do not take so long.
"""

from __future__ import annotations

from sixdim.parsers.events import Iteration
from sixdim.parsers.spans import PAUSE


class Pauses:
    """The iterations of a run without epochs that took so long."""

    def __init__(self) -> None:
        self._step = self._gap = 0  # of the last one, and after the one before it or step 0

    def regular(self, before: Iteration, line: Iteration) -> bool:
        """Whether a line is such an iteration, at the same distance as the last two."""
        took, usual = line.duration, before.duration
        if took is None:  # the lower its rate, the longer an iteration took
            took, usual = before.throughput, line.throughput
        if took is None or usual is None or not took > PAUSE * usual > 0:
            return False
        if line.step is None or before.step is None:
            return False
        last, gap = self._gap, line.step - self._step
        self._step, self._gap = line.step, gap
        return gap == last > 0 and line.step - before.step > 1
