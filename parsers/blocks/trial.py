"""A line that is read again with other digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from sixdim.parsers.blocks.form import Number
from sixdim.parsers.blocks.probe import Probe
from sixdim.parsers.events import Iteration

Change: TypeAlias = dict[int, bytes]
"""Other digits for some runs of a line, with any blanks that stand in front of them."""


class Trial:
    """A line that is read with other digits.

    Args:
        probe: Reads it.
        before: The line before it.
        raw: The line.

    Attributes:
        literals: What stands between its runs of digits.
        digits: The runs.
        padded: Those that may have more blanks, or fewer, in front.
    """

    def __init__(self, probe: Probe, before: bytes, raw: bytes) -> None:
        self._probe = probe
        self._before = before
        self.padded: set[int] = set()
        self.literals = re.split(rb"\d+", raw)
        self.digits = re.findall(rb"\d+", raw)

    def line(self, changes: Change) -> bytes:
        """The line with other runs of digits, and as many blanks before them as they have."""
        parts = [self.literals[0]]
        for place, literal in enumerate(self.literals[1:]):
            digits = changes.get(place, self.digits[place])
            if digits.startswith(b" ") or (place in self.padded and place in changes):
                parts[-1] = parts[-1].rstrip(b" ")
            parts += (digits, literal)
        return b"".join(parts)

    def event(self, changes: Change) -> Iteration | None:
        """The event of the line with other runs of digits."""
        self._probe.read(self._before)
        return self._probe.read(self.line(changes))

    def text(self, number: Number, changes: Change) -> str:
        """A number of the line with other runs of digits."""
        runs = [changes.get(at, self.digits[at]) for at in number if at >= 0]
        return b".".join(runs).decode("ascii")

    def numbers(self) -> Iterator[Number]:
        """The line's numbers: a run, or two with a point between that is their only one."""
        points = [False, *(one == b"." for one in self.literals[1:-1]), False]
        count = len(self.digits)
        whole = 0
        while whole < count:
            fraction = points[whole + 1] and not points[whole]
            if fraction and not (whole + 2 < len(points) and points[whole + 2]):
                yield Number(whole, whole + 1)
                whole += 2
            else:
                yield Number(whole)
                whole += 1

    def leave_state(self, first: bytes, second: bytes) -> bool:
        """Whether the reader forgets the first of two lines."""
        states = []
        for lines in ((first, second), (second,)):
            self._probe.read(self._before)
            for line in lines:
                self._probe.read(line)
            states.append(self._probe.state())
        return states[0] == states[1]
