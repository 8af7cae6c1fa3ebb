"""Reads large pieces of a log: what is uniform by columns, all else line by line, in order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Protocol, TypeAlias

from sixdim.parsers.blocks.examine import Found, examine
from sixdim.parsers.blocks.form import Form
from sixdim.parsers.blocks.text import Text
from sixdim.parsers.blocks.trial import Probe, learn
from sixdim.parsers.envelopes.prefix import Envelopes
from sixdim.parsers.events import Event, Iteration, Stretch
from sixdim.parsers.statements.format import Reader

LEAST = 1 << 19
"""Bytes that are worth a block."""
_MOST_FORMS = 16
_MOST_FAILED = 1024
"""Lines that cannot be learned and are remembered."""
_COST = 500
"""Lines that could be read in the time that learning one takes."""
_LOOK = 8
"""As many times looking whether a line is known as lines are read in that time, and more."""
_MUCH = 8
"""One in so many lines of a block is read otherwise, if looking at the block is worth it."""
_MOST_PASSED = 63

Offer: TypeAlias = Callable[[Stretch], bool]
"""Folds a stretch; False where its lines must be folded one by one."""


class Lines(Protocol):
    """What reads a log line by line."""

    def read(self, data: bytes) -> Iterator[Event]:
        """The events of some bytes."""

    def skip(self, data: bytes, count: int) -> None:
        """Passes over so many whole lines that were read otherwise."""

    def probe(self) -> tuple[Envelopes, Reader | None]:
        """What reads them."""

    @property
    def place(self) -> tuple[int, int]:
        """Number and first byte of the next line."""


class Blocks:
    """Reads the blocks of one log.

    Args:
        offer: Folds a stretch.
        least: Bytes that are worth a block.
    """

    def __init__(self, offer: Offer, least: int = LEAST) -> None:
        self.least = least
        self._offer = offer
        self._forms: list[Form] = []
        self._failed: set[bytes] = set()
        self._credit = 2 * _COST
        self._paired = True
        self._pass = self._passed = 0  # blocks that are not looked at, before the next one is

    def read(self, data: bytes, lines: Lines) -> Iterator[Event]:
        """The events of whole lines, but for those that are folded as stretches."""
        position = 0
        forms = [*self._forms]  # more may be learned on the way
        found = self._examined(data, forms)
        number, offset = lines.place
        for one in found:
            latest: Event | None = None
            for latest in self._each(data[position : one.begin], lines):
                yield latest
            position = one.begin
            stretch = self._stretch(one, forms, latest, number, offset)
            if stretch is not None:
                if self._offer(stretch):
                    lines.skip(data[one.begin : one.end], one.count)
                    position = one.end
                else:
                    self._paired = self._paired or one.pairs is None
        yield from self._each(data[position:], lines)

    def _examined(self, data: bytes, forms: list[Form]) -> list[Found]:
        """The stretches of a block; none are looked for where the blocks before had few."""
        if not forms or self._passed < self._pass:
            self._passed += 1
            return []
        text = Text(data)
        found = examine(text, forms, paired=self._paired)
        much = sum(one.count for one in found) * _MUCH >= text.ends.size
        self._pass = 0 if much else min(2 * self._pass + 1, _MOST_PASSED)
        self._passed = 0
        return found

    def _stretch(
        self, found: Found, forms: list[Form], latest: Event | None, number: int, offset: int
    ) -> Stretch | None:
        """What the fold needs; None where the line before was not read as its form has it."""
        form, last = forms[found.before.form], forms[found.last.form]
        if type(latest) is not Iteration or latest.at.line != number + found.line - 1:
            return None
        if latest != form.event._replace(at=latest.at, **found.before.fields):
            return None
        time_us = first_us = latest.at.time_us
        if found.clocks is not None:
            if time_us is None:
                return None
            before_us, begin_us, end_us = found.clocks
            first_us, time_us = time_us + begin_us - before_us, time_us + end_us - before_us
        line = number + found.line + found.count - 1
        at = latest.at._replace(line=line, offset=offset + found.last_begin, time_us=time_us)
        pairs = None
        if found.pairs is not None:
            pairs = tuple((x, number + at - 1, number + at) for x, at in found.pairs)
        lowest, highest = found.slowest, found.fastest
        return Stretch(
            last.event._replace(at=at, **found.last.fields),
            found.count,
            found.iterations,
            found.weight,
            first_us,
            found.seconds,
            found.work,
            found.slowness,
            found.first_duration,
            found.grows,
            lowest and (lowest[0], number + lowest[1]),
            highest and (highest[0], number + highest[1]),
            pairs,
        )

    def _each(self, data: bytes, lines: Lines) -> Iterator[Event]:
        """The events of lines that are read one by one, some of which are learned."""
        if self._credit < _COST:
            self._credit += data.count(b"\n")
            yield from lines.read(data)
            return
        _, begin = lines.place
        before: Iteration | None = None
        for event in lines.read(data):
            yield event
            if type(event) is not Iteration:
                continue
            follows = before is not None and event.at.line == before.at.line + 1
            if follows and before is not None and self._credit >= _COST:
                self._learn(data, before.at.offset - begin, event.at.offset - begin, lines)
            before = event

    def _learn(self, data: bytes, before: int, begin: int, lines: Lines) -> None:
        """Learns the form of a line, unless it has one."""
        if before < 0:
            return
        self._credit -= _LOOK
        end = data.find(b"\n", begin) + 1
        raw = data[begin:end]
        for place, form in enumerate(self._forms):
            if form.expression.fullmatch(raw):
                if place:
                    self._forms.insert(place - 1, self._forms.pop(place))
                return
        key = re.sub(rb"\d+", b"0", raw)
        if key in self._failed or not raw:
            return
        self._credit -= _COST
        envelopes, reader = lines.probe()
        if reader is None:
            return
        form = learn(Probe(envelopes, reader), data[before:begin], raw)
        if form is not None:
            self._forms = [*self._forms[: _MOST_FORMS - 1], form]
        elif len(self._failed) < _MOST_FAILED:
            self._failed.add(key)
