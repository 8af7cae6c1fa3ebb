"""Takes the envelopes off the lines of one log.

`Envelopes.strip` takes off what launchers, loggers, containers and schedulers put in front of a
line, or around it, and notes its clock, rank and host. A log has the same envelopes on most of its
lines: those of the line before are tried first.
"""

from __future__ import annotations

import re

from sixdim.parsers.envelopes.known import BY_FIRST, LABELLED, LEAST, OPENING, STARTS, Envelope
from sixdim.parsers.envelopes.wrapped import unwrap
from sixdim.parsers.text.lines import Line

_MOST = 5
"""Envelopes of one line."""
_DEEPEST = 2
"""Objects around one line."""
_WRAPPED = ('{"', ",{", "[{")


class Envelopes:
    """Takes the envelopes off the lines of one log.

    Attributes:
        learned: Those that this log has besides the known ones.
        labelled: Lines that began with a label of `srun` beyond doubt.
    """

    def __init__(self) -> None:
        self.learned: tuple[Envelope, ...] = ()
        self.labelled = 0
        self._latest: tuple[Envelope, ...] = ()
        self._stamped: list[Line] | None = []
        self._logged: bool | None = None

    def learn(self, envelope: Envelope) -> None:
        """Takes this one off further lines, too."""
        self.learned = (*self.learned, envelope)

    def decide(self) -> None:
        """Chooses the clock of a log with two: the loggers' if any line had it, else the stamps'.

        Until then, the first line with a logger's clock takes those of the stamps off the lines
        before it: the log has one clock, with or without a container around it.
        """
        if self._logged is None and self._stamped:
            self._logged = False
        self._stamped = None

    def strip(self, line: Line) -> Line:
        """Takes every known and learned envelope off `line` (in place)."""
        text = line.text
        first = text[:1]
        if first not in OPENING and text[:2] not in STARTS and not self.learned:
            if not first.isspace():
                return line
            text = text.lstrip()
        return self._strip(line, text, None, 0)

    def _strip(self, line: Line, text: str, stamp: int | None, depth: int) -> Line:
        position = count = 0
        latest = seen = self._latest
        while count < _MOST:
            found = latest[count].expression.match(text, position) if count < len(latest) else None
            if found is not None and found.end() > position:
                envelope = latest[count]
            else:
                seen, latest = seen[:count], ()
                known = self._find(text, position)
                if known is None:
                    break
                envelope, found = known
                seen = (*seen, envelope)
            envelope.note(line, found)
            if envelope.stamp:
                stamp, line.time_us = line.time_us, None
            position = found.end()
            count += 1
        if depth < _DEEPEST and text.startswith(_WRAPPED, position):
            logged, line.time_us = line.time_us, None
            body = unwrap(line, text[position:])
            if body is not None:
                stamp = stamp if line.time_us is None else line.time_us
                line.text, line.time_us = body, logged
                return self._strip(line, body.lstrip(), stamp, depth + 1)
            line.time_us = logged
        if position:
            line.text = text[position:]
            self._latest = seen
            for envelope in seen:
                if envelope.tail is not None:
                    line.text = envelope.tail.sub("", line.text.rstrip())
        if stamp is not None:
            self._time(line, stamp)
        if line.rank is not None and LABELLED in seen:
            self.labelled += 1
        return line

    def _find(self, text: str, position: int) -> tuple[Envelope, re.Match[str]] | None:
        """The envelope that stands at this position, the known ones first."""
        first = text[position : position + 1]
        if first in BY_FIRST and LEAST[first].match(text, position) is not None:
            for envelope in BY_FIRST[first]:
                found = envelope.expression.match(text, position)
                if found is not None and found.end() > position:
                    return envelope, found
        for envelope in self.learned:
            found = envelope.expression.match(text, position)
            if found is not None:
                return envelope, found
        return None

    def _time(self, line: Line, stamp: int) -> None:
        """Sets the time of a line with a container's or launcher's stamp."""
        if self._logged is None and line.time_us is not None:
            self._logged = True
            for before in self._stamped or ():
                before.time_us = None
            self._stamped = None
        if line.time_us is None and not self._logged:
            line.time_us = stamp
            if self._stamped is not None:
                self._stamped.append(line)
        elif self._logged is False:
            line.time_us = stamp


def strip(line: Line) -> Line:
    """Takes the envelopes off one line by itself; see `Envelopes.strip`."""
    return Envelopes().strip(line)
