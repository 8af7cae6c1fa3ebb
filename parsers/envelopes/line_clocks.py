"""Which clock of a line counts, where its envelopes have several."""

from sixdim.parsers.text.lines import Line

_SEVERAL = 3
"""Smallest number of lines with two clocks in a log that is taken to have two."""


class LineClocks:
    """Chooses among the clocks of loggers and the stamps of launchers, for the lines of one log.

    A logger's clock has priority over a stamp. The lines that come before `decide` keep what they
    have, until a later one shows that it does not count.

    Attributes:
        timeless: Whether the format has a clock of its own, so that no other counts.
        two: Whether the lines have two loggers' clocks: a single one does not count.
    """

    def __init__(self) -> None:
        self.timeless = False
        self.two = False
        self._has_loggers: bool | None = None  # None before the first clock and the decision
        # Lines by their offsets: those with the time of a stamp, and all with loggers' clocks.
        self._stamped: dict[int, Line] | None = {}
        self._logged: dict[int, tuple[Line, int]] | None = {}

    @property
    def decided(self) -> bool:
        """Whether `decide` was called."""
        return self._logged is None

    def decide(self, *, timeless: bool = False) -> None:
        """Chooses by the lines so far: of two loggers' clocks the inner one, if most have both."""
        logged = (self._logged or {}).values()
        self.timeless = timeless
        if timeless:
            for line in (*(self._stamped or {}).values(), *(line for line, _ in logged)):
                line.time_us = None
        if self._has_loggers is None and self._stamped:
            self._has_loggers = False
        single = [line for line, clocks in logged if clocks == 1]
        if len(logged) - len(single) >= max(_SEVERAL, len(single)):
            self.two = True
            for line in single:
                line.time_us = None
        self._stamped = self._logged = None

    def forget(self, line: Line) -> None:
        """Drops a line that will not be read: its clocks do not count when two are compared."""
        for lines in (self._stamped, self._logged):
            if lines:
                lines.pop(line.offset, None)

    def take_stamp(self, line: Line) -> int | None:
        """Takes the time of its stamp off a line; returns None if it has another clock's time."""
        if not self._stamped or self._stamped.pop(line.offset, None) is None:
            return None
        stamp, line.time_us = line.time_us, None
        return stamp

    def choose(self, line: Line, loggers: int, stamp: int | None) -> None:
        """Chooses the time of a line with so many loggers' clocks and perhaps a stamp."""
        if self.timeless:
            line.time_us = None
            return
        if loggers and self._logged is not None:
            before = self._logged.get(line.offset, (line, 0))[1]
            self._logged[line.offset] = line, before + loggers
        elif loggers == 1 and self.two:
            line.time_us = None
        if stamp is not None:
            self.add_stamp(line, stamp)

    def add_stamp(self, line: Line, stamp: int) -> None:
        """Sets the time of a line with a stamp, unless a logger's clock has priority."""
        if self._has_loggers is None and line.time_us is not None:
            self._has_loggers = True
            for before in (self._stamped or {}).values():
                before.time_us = None
            self._stamped = None
        if line.time_us is None and not self._has_loggers:
            line.time_us = stamp
            if self._stamped is not None:
                self._stamped[line.offset] = line
        elif self._has_loggers is False:
            line.time_us = stamp
