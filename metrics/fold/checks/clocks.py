"""The clock of each writer of a log, where one jumps, and the rates that it shows."""

from __future__ import annotations

from array import array
from copy import deepcopy
from typing import TypeAlias

from sixdim.metrics.fold.epochs.step_clock import YEARLESS_US
from sixdim.parsers.events import Origin, Problem

_BACK_US = 2_000_000  # a log may mix clocks of whole seconds and of microseconds
_LEAP_US = 7 * 86_400 * 1_000_000
_MOST_WRITERS = 4096
_COMPARED = 512
"""Progress lines of a run that are compared."""
# A longer time between two lines is exact enough; a clock of whole seconds needs more.
_APART_US, _APART_WHOLE_US = 20_000, 20_000_000
Moment: TypeAlias = "tuple[int | None, int, int, int]"
"""Epoch, log clock, step and number of a progress line."""
_Writer: TypeAlias = tuple[str | None, int | None, bool]
"""Host, rank, and whether the clock has no year."""


class Clocks:
    """The clock of each writer of the log: a rank on a host, with years in its dates or without.

    A line's clock is valid without a call if its `rank` and `host` are those of the last writer and
    its time lies between `earliest_us` and `latest_us`. The caller then sets `earliest_us` to it.

    Attributes:
        rank: Rank of the last writer.
        host: Host of the last writer.
        earliest_us: The last writer's clock.
        latest_us: The latest time of its next line that is no leap.
    """

    def __init__(self) -> None:
        self.rank: int | None = None
        self.host: str | None = None
        self._times: dict[_Writer, int] = {}
        self._last_us: int | None = None
        self._file, self._line = 0, 0  # of the last event
        self._writer: _Writer | None = None
        self.earliest_us, self.latest_us = 1, 0  # no clock is inside these

    def advance(self, at: Origin) -> Problem | None:
        """Sets the clock of a line's writer; returns a problem where it jumped.

        An evaluation that was held back until a later line shows nothing of the clock any more.
        """
        line, _, now, rank, host, file = at
        if now is None or (file == self._file and line < self._line):
            return None
        self._file, self._line = file, line
        inside = self.earliest_us <= now <= self.latest_us
        if inside and rank == self.rank and host == self.host:
            self.earliest_us = now
            return None
        self._store_writer()
        writer = (host, rank, now < YEARLESS_US)
        before = self._times.get(writer)
        if before is not None or len(self._times) < _MOST_WRITERS:
            self._times[writer] = now
            self._expect(writer, now)
        if before is not None and before - now > _BACK_US:
            self._forget_writer()  # what comes next is compared with the time before the jump
            text = f"the log's clock jumps back by {(before - now) / 1e6:.0f} s"
            return Problem(at, "clock_back", text)
        if now < YEARLESS_US:
            return None
        last, self._last_us = self._last_us, now
        if last is not None and now - last > _LEAP_US:
            days = (now - last) / 86_400e6
            text = f"the log's clock leaps ahead by {days:.0f} days: written by hand, or two clocks"
            return Problem(at, "clock_leap", text)
        return None

    def after(self, first_us: int | None, last: Origin) -> Clocks | None:
        """Returns the clocks after lines of one writer, from a first time on, that do not fall.

        They are these clocks or changed copies; None where the clock jumps.
        """
        clocks = self
        if first_us is None or last.time_us is None:
            return clocks
        inside = self.earliest_us <= first_us <= self.latest_us
        if not inside or last.rank != self.rank or last.host != self.host:
            clocks = deepcopy(self)
            if clocks.advance(last._replace(time_us=first_us)) is not None:
                return None
        return clocks if last.time_us <= clocks.latest_us else None

    def _expect(self, writer: _Writer, now: int) -> None:
        self._writer = writer
        self.host, self.rank, yearless = writer
        self.earliest_us = now
        self.latest_us = YEARLESS_US - 1 if yearless else now + _LEAP_US

    def _store_writer(self) -> None:
        """Stores the clock of the last writer, which lines may have advanced."""
        if self._writer is not None:
            self._times[self._writer] = self.earliest_us
            if self.earliest_us >= YEARLESS_US:
                self._last_us = self.earliest_us
        self._forget_writer()

    def _forget_writer(self) -> None:
        self._writer = None
        self.earliest_us, self.latest_us = 1, 0


class ClockedPairs:
    """Compares the rates that progress lines print with the log's clock, by pairs of lines.

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
