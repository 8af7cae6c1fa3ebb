"""Finds evaluations that a log does not print, by the time of the iteration that includes one.

Only some iterations are printed. One that takes many times as long as the one before, at regular
steps, includes an evaluation or a checkpoint: its time is not that of the iterations not printed.
"""

from __future__ import annotations

from sixdim.parsers.events import Iteration
from sixdim.parsers.spans import PAUSE


class Pauses:
    """The iterations that took so long, of a run without epochs."""

    def __init__(self) -> None:
        self._step = self._gap = 0  # of the last one, and behind the one before it or step 0

    def regular(self, before: Iteration, line: Iteration) -> bool:
        """Whether a line is such an iteration, at the same distance from the last as that one."""
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
