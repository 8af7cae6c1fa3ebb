"""Evaluations that a log does not show, by the time of the iterations that they are part of.

Where only some iterations are printed, one that takes many times as long as the line before, and
does so every so many steps, evaluates or saves besides: it does not stand for those not printed.
"""

from __future__ import annotations

from sixdim.parsers.events import Iteration
from sixdim.parsers.spans import PAUSE


class Pauses:
    """The iterations that took so long, of a run that is counted in steps alone."""

    def __init__(self) -> None:
        self._step = self._gap = 0  # of the last one, and behind the one before it or step 0

    def regular(self, before: Iteration, line: Iteration) -> bool:
        """Whether a line is such an iteration, as far behind the last one as that one was."""
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
