"""Compares the rates that progress lines print with the log's clock between them."""

from __future__ import annotations

from array import array
from typing import TypeAlias

_COMPARED = 512
"""Progress lines of a run that are compared."""
# A longer time between two lines is exact enough; a clock of whole seconds needs more.
_APART_US, _APART_WHOLE_US = 20_000, 20_000_000
Moment: TypeAlias = "tuple[int | None, int, int, int]"
"""Epoch, log clock, step and number of a progress line."""


class ClockedPairs:
    """Pairs of progress lines that follow each other.

    Attributes:
        samples: Throughput x time between the lines / iterations between them, of each pair:
            samples of one iteration.
        lines: First and last line of all pairs.
        left: Number of further lines that are compared.
        before: The last line; None if the time since then is not that of iterations alone.
    """

    def __init__(self) -> None:
        self.samples = array("d")
        self.lines: tuple[int, int] | None = None
        self.left = _COMPARED
        self.before: Moment | None = None

    def add(self, moment: Moment, rate: float) -> None:
        """Adds a progress line with a throughput, and perhaps a pair of it and the line before."""
        before, self.before = self.before, moment
        self.left -= 1
        epoch, now, step, line = moment
        if before is None or before[0] != epoch:
            return
        _, then, last_step, last_line = before
        apart = _APART_US if now % 1_000_000 else _APART_WHOLE_US
        if step > last_step and now - then > apart:
            self.samples.append(rate * (now - then) / 1e6 / (step - last_step))
            self.lines = (self.lines[0] if self.lines else last_line, line)
