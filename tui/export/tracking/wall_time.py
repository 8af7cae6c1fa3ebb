"""Computes the times of events: by the dates in the log, else back from the end of the log."""

import time
from pathlib import Path

from sixdim.metrics.fold.epochs.step_clock import YEARLESS_US
from sixdim.parsers.events import Iteration
from sixdim.tui.session.cards import Scored

_LINE_S = 0.001

DATED = "the log's clock, read as UTC"
COUNTED = "the log's times, counted back from the last change of its file"
ORDERED = "the log has no times: its lines a millisecond apart, before the last change of its file"


class WallTime:
    """Computes the times of lines of a log, in seconds since 1970.

    A log without dates is assumed to have ended when its file was last changed (standard input:
    now), and to have begun the run time earlier.

    Attributes:
        source: Where the times come from, as one sentence; final after the whole log was read.
    """

    def __init__(self, run: Scored) -> None:
        self._before: dict[int, float] = {}
        self._durations: dict[int, float] = {}
        total, last_line = 0.0, 1
        for epoch in run.snapshot.epochs if run.snapshot is not None else ():
            self._before[epoch.label] = total
            self._durations[epoch.label] = epoch.duration or 0.0
            total += epoch.duration or 0.0
            last_line = max(last_line, epoch.last_line)
        elapsed = run.snapshot.progress.elapsed if run.snapshot is not None else None
        self._by_durations = total > 0
        self._span = max(total, elapsed or 0.0) or last_line * _LINE_S
        self._end = _changed(run.path)
        self._begin = self._end - self._span
        self._stepped: float | None = None
        self._now, self._step = 0.0, 0
        self._first_us: int | None = None
        self.source = COUNTED if total > 0 or elapsed else ORDERED

    def by_steps(self) -> None:
        """Counts the times of the steps that were added, which are all of the log, from here on."""
        if self._now > 0:
            self._span = self._stepped = self._now
            self._begin = self._end - self._now
            self.source = COUNTED
        self._now, self._step = 0.0, 0

    def add(self, line: Iteration) -> None:
        """Adds the time of the next progress line: that of a step, times the steps it covers."""
        before, self._step = self._step, line.step or 0
        steps = self._step - before if self._step > before else self._step
        self._now += (line.duration or 0.0) * max(1, steps)

    def at(self, time_us: int | None, line: int, epoch: int | None, share: float = 1.0) -> float:
        """Returns when a line was written, in seconds since 1970.

        `share` is the part of its epoch that was done.
        """
        if time_us is not None and time_us >= YEARLESS_US:
            self.source = DATED
            return time_us / 1e6
        if time_us is not None:
            self._first_us = time_us if self._first_us is None else self._first_us
            return self._begin + max(0.0, (time_us - self._first_us) / 1e6)
        if self._stepped is not None:
            return self._begin + min(self._now, self._stepped)
        if not self._by_durations:
            return self._begin + min(self._span, line * _LINE_S)
        if epoch not in self._before:
            return self._begin + self._span
        return self._begin + self._before[epoch] + share * self._durations[epoch]


def _changed(path: str) -> float:
    if path in ("", "-"):
        return time.time()
    try:
        return Path(path).stat().st_mtime
    except (OSError, ValueError):  # an archive's member, a URL
        return time.time()
