"""Computes the speed between lines that print the run's elapsed time, rounded."""

from collections import deque
from typing import NamedTuple

_EXACT = 0.05
"""Largest rounding error, as a share of the time between two lines."""
_MORE_EXACT = _EXACT / 4
"""As exact as a rate needs to be: a still earlier line would only make it lag behind."""
_MOST = 4096
"""Largest number of lines that are held; when there are more, every second one is dropped."""


class _Read(NamedTuple):
    done: float
    earliest: float
    latest: float


class RoundedTimes:
    """The latest lines; each is compared with one that is far enough before it.

    That one is as many lines before as for the line before. To take the nearest that is far enough
    would prefer those whose time happens to be rounded down, and make each rate too low.
    """

    def __init__(self) -> None:
        self._reads: deque[_Read] = deque()  # the first may be far enough from the next line
        self._widest = 0.0  # rounding error of the least exact line so far, in seconds

    @property
    def begun(self) -> bool:
        """Whether there was a line."""
        return bool(self._reads)

    def rate(self, done: float, earliest: float, latest: float) -> float | None:
        """Returns the work per second since a line so long ago that rounding hardly matters.

        Args:
            done: Work done since the start.
            earliest: Seconds since the start, at least.
            latest: Seconds since the start, at most.

        Returns:
            None while there is no such line.
        """
        reads, now = self._reads, _Read(done, earliest, latest)
        if reads and (latest < reads[-1].earliest or done < reads[-1].done):  # begun again
            reads.clear()
        self._widest = max(self._widest, latest - earliest)
        later = now._replace(latest=earliest + self._widest)  # the next line may be so inexact
        if len(reads) > 1 and _seconds(reads[1], later) is not None:
            reads.popleft()
        while len(reads) > 1 and _seconds(reads[1], later, _MORE_EXACT) is not None:
            reads.popleft()
        seconds = _seconds(reads[0], now) if reads else None
        rate = (done - reads[0].done) / seconds if seconds else None
        if len(reads) >= _MOST:
            self._reads = deque([*reads][::2])
        self._reads.append(now)
        return rate


def _seconds(before: _Read, now: _Read, exact: float = _EXACT) -> float | None:
    """Returns the seconds between two lines; None if rounding may be more than a share of them."""
    seconds = (now.earliest + now.latest - before.earliest - before.latest) / 2
    unsure = (now.latest - now.earliest + before.latest - before.earliest) / 2
    return None if unsure > exact * seconds else seconds
