"""The speed between lines of which each says, rounded, how long the run has lasted."""

from __future__ import annotations

from typing import NamedTuple

_EXACT = 0.05
"""Share of the time between two lines that rounding may be."""


class _Read(NamedTuple):
    done: float
    earliest: float
    latest: float


class RoundedTimes:
    """The lines so far; of them, two are compared that are far apart: rounding is a small part."""

    def __init__(self) -> None:
        self._last: _Read | None = None

    @property
    def begun(self) -> bool:
        """Whether there was a line."""
        return self._last is not None

    def rate(self, done: float, earliest: float, latest: float) -> float | None:
        """What was done a second since the last line that gave a rate; None before it is sure.

        Args:
            done: What was done since the start.
            earliest: Seconds since the start, at least.
            latest: Seconds since the start, at most.
        """
        now, last = _Read(done, earliest, latest), self._last
        if last is None or earliest < last.earliest:
            self._last = now
            return None
        seconds = (earliest + latest - last.earliest - last.latest) / 2
        unsure = (latest - earliest + last.latest - last.earliest) / 2
        if unsure > _EXACT * seconds:
            return None
        self._last = now
        return (done - last.done) / seconds
