"""The speed between lines of which each says, rounded, how long the run has lasted."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

_EXACT = 0.05
"""Share of the time between two lines that rounding may be."""
_MOST = 512
"""Lines that are held, at most: of more, every second one is."""


class _Read(NamedTuple):
    done: float
    earliest: float
    latest: float


class RoundedTimes:
    """The lines of late; each is compared with the last one that is far enough in front of it."""

    def __init__(self) -> None:
        self._reads: deque[_Read] = deque()  # the first may be far enough from the next line

    @property
    def begun(self) -> bool:
        """Whether there was a line."""
        return bool(self._reads)

    def rate(self, done: float, earliest: float, latest: float) -> float | None:
        """What was done a second since a line so far back that rounding is a small part of it.

        Args:
            done: What was done since the start.
            earliest: Seconds since the start, at least.
            latest: Seconds since the start, at most.

        Returns:
            None before there is such a line.
        """
        reads, now = self._reads, _Read(done, earliest, latest)
        if reads and earliest < reads[-1].earliest:
            reads.clear()
        while len(reads) > 1 and _seconds(reads[1], now) is not None:
            reads.popleft()
        seconds = _seconds(reads[0], now) if reads else None
        rate = (done - reads[0].done) / seconds if seconds else None
        if len(reads) >= _MOST:
            self._reads = deque([*reads][::2])
        self._reads.append(now)
        return rate


def _seconds(before: _Read, now: _Read) -> float | None:
    """Seconds between two lines; None where rounding may be too much of them."""
    seconds = (now.earliest + now.latest - before.earliest - before.latest) / 2
    unsure = (now.latest - now.earliest + before.latest - before.earliest) / 2
    return None if unsure > _EXACT * seconds else seconds
