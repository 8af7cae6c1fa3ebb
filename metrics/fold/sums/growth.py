"""Finds out whether printed times only grow: then they are elapsed times, not durations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import lt


@dataclass(slots=True)
class Growth:
    """The order of printed times.

    Attributes:
        first: The first printed time, in seconds.
        last: The last one.
        steps: How many times were longer than the one before; None once one was not.
    """

    first: float | None
    last: float | None
    steps: int | None

    @property
    def seconds(self) -> float:
        """From the first time to the last."""
        return 0.0 if self.first is None or self.last is None else self.last - self.first

    def add(self, times: Sequence[float]) -> None:
        """Adds times in the order of their lines."""
        if not times:
            return
        if self.first is None:
            self.first = times[0]
        if self.steps is not None:
            ordered = times if self.last is None else (self.last, *times)
            grows = all(map(lt, ordered, ordered[1:]))
            self.steps = self.steps + len(ordered) - 1 if grows else None
        self.last = times[-1]

    def extend(self, first: float, last: float, count: int, *, grows: bool) -> None:
        """Adds further times; `grows` says whether each is longer than the one before."""
        if self.steps is not None:
            longer = grows and self.last is not None and self.last < first
            self.steps = self.steps + count if longer else None
        self.last = last

    def absorb(self, later: Growth) -> None:
        """Adds the times that follow these."""
        if later.first is None:
            return
        grows = self.last is None or later.first > self.last
        both = self.steps is not None and later.steps is not None
        self.steps = (self.steps or 0) + (later.steps or 0) if both and grows else None
        self.first = later.first if self.first is None else self.first
        self.last = later.last
