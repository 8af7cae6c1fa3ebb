"""Reads large pieces of a log in order: uniform lines by columns, all others one by one."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from sixdim.parsers.blocks.form import RowForm
from sixdim.parsers.blocks.infer import infer_form
from sixdim.parsers.blocks.trial import Probe
from sixdim.parsers.envelopes.prefix import Envelopes
from sixdim.parsers.events import Event, Iteration, Origin
from sixdim.parsers.spans import LineSpan
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.troubles import fault

if TYPE_CHECKING:
    from sixdim.parsers.blocks.examine import Examiner, Found

_MOST_FORMS = 16
_MOST_FAILED = 1024
"""Largest number of lines without a form that are stored."""
_COST = 4000
"""Lines that must be read one by one before a second form is inferred."""
_DEARER = 1.5
"""The factor by which that number grows with each form."""
_DEAREST = 4
"""The same factor while no known form is found in the blocks."""
_SOME = 4
"""How many times more lines are read without inferring a form after lines without a new one."""
_LOOK = 8
"""To compare one line with the known forms takes as long as to read this many lines."""
_MUCH = 3
"""A block is worth examining if its spans hold at least one in this many of its bytes."""
_MOST_PASSED = 63
_new = tuple.__new__  # takes half the time of `_replace`

Forms: TypeAlias = Sequence[RowForm]


class Lines(Protocol):
    """The interface of a reader that reads a log line by line."""

    def read(self, data: bytes) -> Iterable[Event]:
        """Returns the events of some bytes."""

    def skip(self, data: memoryview, count: int) -> None:
        """Skips whole lines that were read by columns."""

    @property
    def read_by(self) -> tuple[Envelopes, Reader]:
        """The envelopes and the reader of the lines; needs a format."""

    @property
    def place(self) -> tuple[int, int]:
        """Number and first byte of the next line."""


class Blocks:
    """Reads the blocks of one log.

    Args:
        least: Least bytes of a block.
        together: Consecutive progress lines after which the form of one is inferred.
        figures: Whether the figures of all lines are needed; see `Examiner`.

    Attributes:
        folded: Whether the last span could be folded; the caller sets it before it takes the next
            event. The lines of a span that could not be folded are then read one by one.
    """

    def __init__(self, least: int, together: int, *, figures: bool = False) -> None:
        self.least = least
        self.figures = figures
        self._together = together
        self.folded = False
        self._forms: Forms = ()
        self._examiner: Examiner | None = None
        self._failed: set[bytes] = set()
        self._cost = float(_COST)
        self._credit = 0.0
        self._pass = self._passed = 0  # blocks to skip before the next is examined; those skipped

    def read(self, data: memoryview, lines: Lines) -> Iterator[Event | LineSpan]:
        """Yields the events of whole lines; a span is one event."""
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
        # numpy is imported only for logs that have forms.
        from sixdim.parsers.blocks.examine import Examiner
        from sixdim.parsers.blocks.text import PAD, Text

        if self._examiner is None or self._examiner.forms is not forms:
            self._examiner = Examiner(forms, figures=self.figures)
        return self._examiner.examine(Text(b"".join((data, bytes(PAD)))))

    def read_found(
        self, view: memoryview, lines: Lines, forms: Forms, found: list[Found]
    ) -> Iterator[Event | LineSpan]:
        """Yields the events of whole lines that were examined.

        Args:
            view: The lines.
            lines: The reader that reads them one by one.
            forms: The forms that were searched; empty if none were.
            found: The spans that were found.
        """
        number, offset = lines.place
        position = folded = last_line = 0
        for one in found:
            begin, last, end = one.bytes
            events = [*self._each(bytes(view[position:begin]), lines, last_line)]
            yield from events
            position, last_line = begin, 0
            span = _span(one, forms, events[-1] if events else None, number, offset)
            if span is None:
                continue
            yield span
            if self.folded:
                lines.skip(view[begin:last], span.lines - 1)
                position, last_line = last, span.at.line
                folded += end - begin
        yield from self._each(bytes(view[position:]), lines, last_line)
        if forms:
            self._pass = 0 if folded * _MUCH >= len(view) else min(2 * self._pass + 1, _MOST_PASSED)

    @property
    def has_forms(self) -> bool:
        """Whether a form is known, and the last block was worth examining."""
        return bool(self._forms) and not self._pass

    def next_forms(self) -> Forms:
        """Returns the forms to find in the next block; none if few lines before had one."""
        if self._passed < self._pass:
            self._passed += 1
            return ()
        self._passed = 0
        return self._forms

    def _each(self, data: bytes, lines: Lines, folded: int) -> Iterable[Event]:
        """Returns the events of lines that are read one by one; infers the forms of some.

        Args:
            data: The lines.
            lines: Their reader.
            folded: Number of a line that a span contains: it is read for the state of the reader,
                and its event is left out.
        """
        many = data.count(b"\n")
        if self._credit >= 0 and many > self._together:
            return self._inferring(data, lines, folded)
        self._credit += many
        events = lines.read(data)
        return [event for event in events if event.at.line != folded] if folded else events

    def _inferring(self, data: bytes, lines: Lines, folded: int) -> Iterator[Event]:
        """Yields events as `_each` does, and infers the forms of lines."""
        _, begin = lines.place
        before: Iteration | None = None
        together, cost = 0, self._cost
        for event in lines.read(data):
            if event.at.line == folded:
                continue
            yield event
            if type(event) is not Iteration:
                continue
            follows = before is not None and _follows(before, event)
            together = together + 1 if follows else 0
            if together >= self._together and before is not None and self._credit >= 0:
                self._look(data, before.at.offset - begin, event.at.offset - begin, lines)
            before = event
        if cost == self._cost:  # no new form: the next lines are not compared
            self._credit -= _SOME * data.count(b"\n")

    def _look(self, data: bytes, before: int, begin: int, lines: Lines) -> None:
        """Infers the form of a line, unless it has a known one."""
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
    """Returns whether a progress line may continue the span of the one before."""
    together = event.at.line == before.at.line + 1 and event.epoch == before.epoch
    if before.step is None or event.step is None:
        return together and event.step is before.step
    return together and event.step > before.step


def _span(
    found: Found, forms: Forms, latest: Event | None, number: int, offset: int
) -> LineSpan | None:
    """Returns the span to fold; None if the line before it does not have its form.

    Args:
        found: A span of a block.
        forms: The forms of the block.
        latest: The event of the line before.
        number: Number of the block's first line.
        offset: Its first byte.
    """
    before, last = (forms[place] for place in found.forms)
    first_figures, last_figures = found.figures
    if type(latest) is not Iteration or latest.at.line != number + found.line - 1:
        return None
    if latest != before.event_with(latest.at, first_figures):
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
    _, *sums, _, seconds, work, slowness, slow, fast, _ = span
    slow = slow and (slow[0], number + slow[1])
    fast = fast and (fast[0], number + fast[1])
    last_event = last.event_with(at, last_figures)
    parts = (last_event, *sums, first_us, seconds, work, slowness, slow, fast, figures)
    return _new(LineSpan, parts)
