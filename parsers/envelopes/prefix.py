"""Takes the envelopes off the lines of one log.

`Envelopes.strip` takes off what launchers, loggers, containers and schedulers put in front of a
line, or around it, and notes its clock, rank and host. A log has the same envelopes on most of its
lines: those of the line before are tried first.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from sixdim.parsers.envelopes.envelope import Envelope
from sixdim.parsers.envelopes.further_lines import COUNTER, Notebook, cut_after_bars
from sixdim.parsers.envelopes.known import AIRANK, LABELLED, LEAST
from sixdim.parsers.envelopes.line_clocks import LineClocks
from sixdim.parsers.envelopes.usual import envelopes_of, skip_blanks, usual, without_tails
from sixdim.parsers.envelopes.wrapped import AFTER, Objects, stamp_in
from sixdim.parsers.grammar.vocabulary.forms import DRAWN_BAR
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.partial_clocks import TimeOfDay, YearlessClock

_WRAPPED = ('{"', ",{", "[{")
_DEEPEST = 2
"""Largest number of objects around one line."""


class Envelopes:
    """Takes the envelopes off the lines of one log.

    Attributes:
        inferred: The envelopes inferred for this log, besides the known ones.
        labelled: The number of lines that began with an unmistakable label of `srun`.
        more: Further lines that were found inside the last one.
        clocks: Which clock of a line counts.
    """

    def __init__(self) -> None:
        self.inferred: tuple[Envelope, ...] = ()
        self.labelled = 0
        self.more: list[Line] = []
        self._latest: list[Envelope] = []
        self._bare = True  # whether the line before had no envelope
        self._usual = usual()
        self._carried: int | None = None  # the time of a line with nothing after its envelopes
        self.clocks = LineClocks()
        self._time_of_day = TimeOfDay()
        self._yearless = defaultdict[tuple[Envelope, bool], YearlessClock](YearlessClock)
        self._notebook = Notebook()
        self._objects = Objects()

    def add(self, envelope: Envelope) -> None:
        """Adds an envelope that is taken off the lines that follow."""
        self.inferred = (*self.inferred, envelope)
        if envelope.dateless:  # the lines that are held are read again
            self._time_of_day = TimeOfDay()

    def strip_again(self, line: Line) -> Line:
        """Takes the last inferred envelope off a line that was stripped before."""
        self._latest = []
        stamp = self.clocks.take_stamp(line)
        return self._strip(line, line.text.lstrip(), stamp, 0, self.inferred[-1:])

    def strip(self, line: Line) -> Line:
        """Takes every known and inferred envelope off `line` (in place)."""
        text = whole = line.text
        if (DRAWN_BAR in text or COUNTER in text) and text.find("]") < len(text) - 1:
            text = self._cut_after_bars(line)
        first = text[:1]
        if first.isspace():
            text = text.lstrip()
            first = text[:1]
        if first == '"' and (printed := self._notebook.read(line, whole.lstrip())) is not None:
            line.text, self.more = "", printed
            return line
        if first == "{" and not self.inferred and self._strip_object(line, text):
            return line
        inferred = self.inferred
        if self._bare and not (inferred and any(one.expression.match(text) for one in inferred)):
            least = LEAST.get(first)
            if least is None or least.match(text) is None:
                return line
        if self._usual.reads and self._strip_usual(line, text):
            return line
        return self._strip(line, text, None, 0, self.inferred)

    def _strip_object(self, line: Line, text: str) -> bool:
        """Takes a line out of an object like the last one; as `_strip`, in less time."""
        found = self._objects.line_in(text)
        if found is None:
            return False
        body, stamp = found
        if DRAWN_BAR in body or COUNTER in body:
            return False
        line.text = body
        text = body.lstrip() if body[:1].isspace() else body
        least = LEAST.get(text[:1])
        bare = least is None or (least.match(text) is None and not text.startswith(_WRAPPED))
        if self._latest or not bare:
            self._strip(line, text, stamp, 1, ())
            return True
        self._bare = True
        if stamp is not None:
            self.clocks.choose(line, 0, stamp)
        return True

    def _strip_usual(self, line: Line, text: str) -> bool:
        """Takes off the same envelopes as from an earlier line; as `_strip`, in half the time.

        Returns:
            False if the line may have other envelopes, or has nothing after them.
        """
        position = end = 0
        said: list[tuple[Envelope, re.Match[str]]] = []
        usual_ones, reads, tailed = self._usual
        for begins, envelope, has_facts in reads:
            match = begins(text, position)
            if match is None or (end := match.end()) == position:
                return False
            if has_facts:
                said.append((envelope, match))
            position = skip_blanks(text, end) if text[end : end + 1].isspace() else end
        first = text[position : position + 1]
        if not first:
            return False
        least = LEAST.get(first)
        if least is not None and least.match(text, position) is not None:  # an object's, too
            return False
        body = text[end:]
        if tailed and not (body := without_tails(body, usual_ones)).strip():
            return False
        stamp, before, line.text = None, line.time_us, body
        for envelope, match in said:  # as in `_note`, whose call costs 4 % of such a log's time
            envelope.note(line, match, self._yearless)
            if envelope.dateless:
                stamp = self._time_of_day.time_us(match) if stamp is None else stamp
            elif envelope.stamp:
                stamp, line.time_us = line.time_us, None
        if self.clocks.timeless:
            line.time_us = before
        elif stamp is not None:
            self.clocks.add_stamp(line, stamp)
        self._bare, self._carried = False, None
        return True

    def _cut_after_bars(self, line: Line) -> str:
        """Moves the lines after a line's progress bars to `more`; returns the rest of the line."""
        text, *further = cut_after_bars(line.text)
        if further and '{"' in text and further[-1].rstrip(AFTER).endswith("}"):
            return line.text  # an object around the bar is unpacked first
        line.text = text
        if further and self._is_blank(further[-1]):
            del further[-1]
        self.more = [line.with_text(one.lstrip(" ")) for one in further]
        return text

    def _is_blank(self, text: str) -> bool:
        """Returns whether a text has only the envelopes of the line before."""
        position = 0
        for envelope in self._latest:
            found = envelope.expression.match(text, position)
            if found is None:
                return False
            position = found.end()
        return position == len(text)

    def _strip(
        self,
        line: Line,
        text: str,
        stamp: int | None,
        depth: int,
        inferred: tuple[Envelope, ...],
    ) -> Line:
        found, matches, position = envelopes_of(text, self._latest, inferred)
        stamp, loggers = self._note(line, found, matches, stamp)
        wrapped = depth < _DEEPEST and text.startswith(_WRAPPED, position)
        if wrapped and self._unwrap(line, text[position:], stamp, depth, inferred):
            return line
        if wrapped and stamp is None:
            stamp = stamp_in(text[position:])
        self._bare = not found
        if found:
            line.text = without_tails(text[matches[-1].end() :], found)
            self._latest = found
        if loggers or stamp is not None:
            self.clocks.choose(line, loggers, stamp)
        if line.rank is not None and LABELLED in found:
            self.labelled += 1
        if depth == 0:
            self._carry(line, bare=not found)
            if found and self.clocks.decided:
                # One of two clocks may not count, nor does AI-Rank's clock beside another one.
                further = self.clocks.two or AIRANK in found or {*self.inferred} - {*found}
                usual_ones = () if further else tuple(found)
                self._usual = usual(usual_ones, timeless=self.clocks.timeless)
        return line

    def _note(
        self,
        line: Line,
        found: Sequence[Envelope],
        matches: Sequence[re.Match[str]],
        stamp: int | None,
    ) -> tuple[int | None, int]:
        """Stores the facts of envelopes in a line; returns its stamp and how many loggers' clocks.

        `stamp` is that of an object around the line.
        """
        loggers = 0
        for envelope, match in zip(found, matches, strict=True):
            if not envelope.has_facts:
                continue
            before = line.time_us
            envelope.note(line, match, self._yearless)
            if envelope.dateless:
                stamp = self._time_of_day.time_us(match) if stamp is None else stamp
            elif envelope.stamp:
                stamp, line.time_us = line.time_us, None
            elif line.time_us != before and envelope is not AIRANK:
                loggers += 1
        return stamp, loggers

    def _unwrap(
        self,
        line: Line,
        text: str,
        stamp: int | None,
        depth: int,
        inferred: tuple[Envelope, ...],
    ) -> bool:
        """Takes a line out of the object around it; returns False if it is no such object."""
        logged, line.time_us = line.time_us, None
        bodies = self._objects.unwrap(line, text)
        if bodies is None:
            if logged is not None:
                line.time_us = logged
            return False
        stamp = stamp if line.time_us is None else line.time_us
        first, *further = (part for body in bodies for part in cut_after_bars(body))
        line.text, line.time_us = first, logged
        self._strip(line, first.lstrip(), stamp, depth + 1, inferred)
        if further:
            self.more = [line.with_text(body) for body in further]
        return True

    def _carry(self, line: Line, *, bare: bool) -> None:
        r"""Gives a bare line the time of the line before it, if that one held nothing else.

        A logger's message that begins with a newline (`logger.info("\nEpoch 1")`) has its clock
        on a line of its own.
        """
        if bare and line.time_us is None:
            line.time_us = self._carried
        holds_nothing = not bare and (not line.text or line.text.isspace())
        self._carried = line.time_us if holds_nothing else None


def strip(line: Line) -> Line:
    """Takes the envelopes off one line by itself; see `Envelopes.strip`."""
    return Envelopes().strip(line)
