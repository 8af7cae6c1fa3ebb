"""Reads large pieces of a log: what is uniform by columns, all else line by line, in order."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from sixdim.parsers.blocks.form import Form
from sixdim.parsers.blocks.infer import infer_form
from sixdim.parsers.blocks.probe import Probe
from sixdim.parsers.envelopes.prefix import Envelopes
from sixdim.parsers.events import Event, Iteration, Origin
from sixdim.parsers.spans import Span
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.troubles import fault

if TYPE_CHECKING:
    from sixdim.parsers.blocks.examine import Examiner, Found, Wanted

_MOST_FORMS = 16
_MOST_FAILED = 1024
"""Lines without a form that are remembered."""
_COST = 4000
"""Lines that have to be read one by one before a second form is inferred."""
_DEARER = 1.5
"""How much more lines have to be read before each further one is."""
_DEAREST = 4
"""As that, where the forms that are known are of no use."""
_FEW, _SOME = 1000, 4
"""So many lines that bring no form, and as many times more that are not looked at then."""
_ENOUGH_PAIRS = 1024
_LOOK = 8
"""Lines that are read in the time in which one is looked for among the known forms."""
_MUCH = 3
"""One in so many bytes of a block is read otherwise, if looking at the block is worth it."""
_MOST_PASSED = 63
_new = tuple.__new__  # an epoch may be a few dozen lines: this takes half the time of `_replace`

Forms: TypeAlias = Sequence[Form]


class Lines(Protocol):
    """What reads a log line by line."""

    def read(self, data: bytes) -> Iterator[Event]:
        """The events of some bytes."""

    def skip(self, data: memoryview, count: int) -> None:
        """Passes over so many whole lines that were read otherwise."""

    @property
    def read_by(self) -> tuple[Envelopes, Reader]:
        """What takes off their envelopes and reads them, once the format is known."""

    @property
    def place(self) -> tuple[int, int]:
        """Number and first byte of the next line."""


class Blocks:
    """Reads the blocks of one log.

    Args:
        least: Bytes that are worth a block.
        together: Progress lines that follow one another, behind which one is worth a form.
        figures: Whether the figures of all lines are wanted, and not their sums alone.

    Attributes:
        folded: Whether the last span could be folded: to be set before the next event is asked
            for. The lines of one that could not be follow one by one.
    """

    def __init__(self, least: int, together: int, *, figures: bool = False) -> None:
        self.least = least
        self._figures = figures
        self._together = together
        self.folded = False
        self._forms: Forms = ()
        self._examiner: Examiner | None = None
        self._failed: set[bytes] = set()
        self._cost = float(_COST)
        self._credit = 0.0
        self._pairs = 0  # that were found
        self._pass = self._passed = 0  # blocks that are not looked at, before the next one is

    def read(self, data: memoryview, lines: Lines) -> Iterator[Event | Span]:
        """The events of whole lines; spans of them are one event."""
        number, offset = lines.place
        found: list[Found] = []
        forms = self.next_forms()
        if forms:
            try:
                found = self._examined(data, forms)
            except Exception as error:  # noqa: BLE001 - the lines can be read; it is reported
                self.least = sys.maxsize
                yield fault(Origin(number, offset), error)
        yield from self.read_found(data, lines, forms, found)

    def _examined(self, data: memoryview, forms: Forms) -> list[Found]:
        # What numpy costs is for logs that have forms.
        from sixdim.parsers.blocks.examine import Examiner
        from sixdim.parsers.blocks.text import PAD, Text

        if self._examiner is None or self._examiner.forms is not forms:
            self._examiner = Examiner(forms)
        return self._examiner.examine(Text(b"".join((data, bytes(PAD)))), self.wanted())

    def read_found(
        self, view: memoryview, lines: Lines, forms: Forms, found: list[Found]
    ) -> Iterator[Event | Span]:
        """The events of whole lines of which it is known what they hold.

        Args:
            view: The lines.
            lines: What reads them one by one.
            forms: The forms that were looked for; none where nothing was.
            found: The spans.
        """
        number, offset = lines.place
        position = folded = 0
        for one in found:
            latest: Event | None = None
            begin, _, end = one.bytes
            for latest in self._each(bytes(view[position:begin]), lines):
                yield latest
            position = begin
            span = _span(one, forms, latest, number, offset)
            if span is None:
                continue
            yield span
            if self.folded:
                lines.skip(view[begin:end], one.span.lines)
                position = end
                folded += end - begin
                self._pairs += len(one.span.pairs or ())
            elif one.span.pairs is None:
                self._pairs = 0
        yield from self._each(bytes(view[position:]), lines)
        if forms:
            self._pass = 0 if folded * _MUCH >= len(view) else min(2 * self._pass + 1, _MOST_PASSED)

    def wanted(self) -> Wanted:
        """What is asked for of the next block."""
        from sixdim.parsers.blocks.examine import Wanted

        return Wanted(pairs=self._pairs < _ENOUGH_PAIRS, figures=self._figures)

    @property
    def has_forms(self) -> bool:
        """Whether any form is known, and the last block was worth looking for it."""
        return bool(self._forms) and not self._pass

    def next_forms(self) -> Forms:
        """The forms to be looked for in the next block: none where the blocks before had few."""
        if self._passed < self._pass:
            self._passed += 1
            return ()
        self._passed = 0
        return self._forms

    def _each(self, data: bytes, lines: Lines) -> Iterator[Event]:
        """The events of lines that are read one by one, and of some their form."""
        if self._credit < 0:
            self._credit += data.count(b"\n")
            yield from lines.read(data)
            return
        _, begin = lines.place
        before: Iteration | None = None
        together, cost = 0, self._cost
        for event in lines.read(data):
            yield event
            if type(event) is not Iteration:
                continue
            follows = before is not None and _follows(before, event)
            together = together + 1 if follows else 0
            if together >= self._together and before is not None and self._credit >= 0:
                self._look(data, before.at.offset - begin, event.at.offset - begin, lines)
            before = event
        many = data.count(b"\n")
        if cost == self._cost and many > _FEW:  # looking at some of the lines will do
            self._credit -= _SOME * many

    def _look(self, data: bytes, before: int, begin: int, lines: Lines) -> None:
        """Infers the form of a line, unless it has one that is known."""
        if before < 0:
            return
        self._credit -= _LOOK
        raw = data[begin : data.find(b"\n", begin) + 1]
        key = re.sub(rb"\d+", b"0", raw)
        if key in self._failed or any(form.expression.fullmatch(raw) for form in self._forms):
            return
        self._credit -= self._cost
        self._cost *= _DEARER if self._pass == 0 else _DEAREST
        form = infer_form(Probe(*lines.read_by), data[before:begin], raw)
        if form is not None:
            self._forms = (*self._forms[: _MOST_FORMS - 1], form)
        elif len(self._failed) < _MOST_FAILED:
            self._failed.add(key)


def _follows(before: Iteration, event: Iteration) -> bool:
    """Whether a progress line may be of the span of the one before."""
    together = event.at.line == before.at.line + 1 and event.epoch == before.epoch
    if before.step is None or event.step is None:
        return together and event.step is before.step
    return together and event.step > before.step


def _span(
    found: Found, forms: Forms, latest: Event | None, number: int, offset: int
) -> Span | None:
    """What the fold needs; None where the line before was not read as its form has it.

    Args:
        found: What a block holds.
        forms: Its forms.
        latest: The event of the line before.
        number: Number of the block's first line.
        offset: Its first byte.
    """
    (before, last), (before_says, last_says) = (forms[place] for place in found.forms), found.says
    if type(latest) is not Iteration or latest.at.line != number + found.line - 1:
        return None
    if latest != before.event_with(latest.at, before_says):
        return None
    span = found.span
    time_us = first_us = latest.at.time_us
    figures = span.figures
    if found.clocks is not None:
        if time_us is None:
            return None
        before_us, begin_us, end_us = found.clocks
        if figures is not None and figures.times_us is not None:
            figures = figures._replace(times_us=figures.times_us + (time_us - before_us))
        first_us, time_us = time_us + begin_us - before_us, time_us + end_us - before_us
    line = number + found.line + span.lines - 1
    _, _, _, rank, host, file = latest.at
    at = _new(Origin, (line, offset + found.bytes[1], time_us, rank, host, file))
    _, *sums, _, seconds, work, slowness, first, grows, slow, fast, pairs, _ = span
    slow = slow and (slow[0], number + slow[1])
    fast = fast and (fast[0], number + fast[1])
    pairs = pairs and tuple((n, number + one, number + other) for n, one, other in pairs)
    last_event = last.event_with(at, last_says)
    seen = seconds, work, slowness, first, grows, slow, fast, pairs, figures
    return _new(Span, (last_event, *sums, first_us, *seen))
