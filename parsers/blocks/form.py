"""The form of a line: what stands in it besides digits, and what its numbers are.

Lines of one form have the same text between their numbers. A number is a run of digits, or two with
a point between; how many digits a run has may differ from line to line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from sixdim.parsers.blocks.decimals import quotient
from sixdim.parsers.blocks.text import MOST_DIGITS, TENS, Cursors, Floats, Mask, Text, U
from sixdim.parsers.events import Iteration, Origin

_SELECTIVE = 4
"""Bytes of a literal that is looked for in all lines before anything else is."""


class Run(NamedTuple):
    """A run of digits.

    Attributes:
        least: Fewest digits.
        most: Most digits.
        below: What the number that it is must be below.
    """

    least: int
    most: int
    below: int = 0


class Number(NamedTuple):
    """A number: its digits, and those behind its point.

    Attributes:
        whole: Place of the run among the form's.
        fraction: Place of the run behind the point; -1 without one.
    """

    whole: int
    fraction: int = -1


class Meaning(NamedTuple):
    """What a field of an event is, of a number x: x, x / 1000, over / x or over / (x / 1000).

    Attributes:
        number: The number.
        milli: Whether it is divided by 1000.
        over: What is divided by it; 0 where nothing is.
        is_int: Whether the field is an integer.
    """

    number: Number
    milli: bool = False
    over: int = 0
    is_int: bool = False

    def of(self, text: str) -> float:
        """The field, for the text of the number."""
        if self.is_int:
            return int(text)
        value = float(text) / 1000 if self.milli else float(text)
        return self.over / value if self.over else value


class _Word(NamedTuple):
    """Eight bytes of a literal: where they stand in it, and which of their bits count."""

    offset: int
    pattern: U
    mask: U


class Form:
    """Lines that differ in their digits alone.

    Args:
        literals: What stands before, between and behind the runs of digits, the newline included.
        runs: The runs of digits.
        meanings: The fields of the lines' event that are numbers of the line.
        clock: By run, how many microseconds one is worth in the event's time.
        same: Runs that are as in the line before in all lines that are read together: dates.
        event: The event of one such line, for all other fields.
        clock_us: What to add to the clock's runs, but for whole days.
    """

    def __init__(
        self,
        literals: list[bytes],
        runs: list[Run],
        meanings: Mapping[str, Meaning],
        clock: Mapping[int, int],
        same: list[int],
        event: Iteration,
        clock_us: int = 0,
    ) -> None:
        self.literals = literals
        self.runs = runs
        self.meanings = dict(meanings)
        self.clock = dict(clock)
        self.same = same
        self.event = event
        self.clock_us = clock_us
        digits = (rb"\d{%d,%d}" % (run.least, run.most) for run in runs)
        pieces = [re.escape(literal) for literal in literals]
        first, rest = pieces[0], zip(digits, pieces[1:], strict=True)
        self.expression = re.compile(first + b"".join(d + literal for d, literal in rest))
        self._words = [_words(literal) for literal in literals]
        # What lines that are read together have in common.
        fields = dict.fromkeys(meanings)
        self.kind = event._replace(at=Origin(0, 0), **fields), frozenset(meanings), bool(clock)  # type: ignore[arg-type]  # no figure of any line

    def fit(self, text: Text, lines: Cursors) -> tuple[Cursors, Columns]:
        """Those of some lines that have this form, and what stands in them."""
        cursor = text.begins[lines]
        if len(self.literals[0]) >= _SELECTIVE:
            chosen = np.flatnonzero(_wrong(text, cursor, self._words[0]) == 0)
            lines, cursor = lines[chosen], cursor[chosen]
        columns = Columns(self, text, [], [])
        wrong = np.zeros(lines.size, dtype=np.uint64)
        good = np.ones(lines.size, dtype=np.bool_)
        for literal, words, run in zip(self.literals, self._words, [*self.runs, None], strict=True):
            wrong |= _wrong(text, cursor, words)
            cursor = cursor + len(literal)
            if run is not None:
                count = text.digits(cursor, run.most)
                good &= (run.least <= count) & (count <= run.most)
                columns.begins.append(cursor)
                columns.counts.append(count)
                cursor = cursor + count
        good &= wrong == 0
        good &= columns.possible()
        if not good.all():
            chosen = np.flatnonzero(good)
            lines, columns = lines[chosen], columns.of(chosen)
        return lines, columns


class Columns(NamedTuple):
    """The runs of digits of some lines of a form.

    Attributes:
        form: The form.
        text: Where the lines stand.
        begins: Of each run, where it begins in each line.
        counts: Of each run, how many digits it has in each line.
    """

    form: Form
    text: Text
    begins: list[Cursors]
    counts: list[Cursors]

    def of(self, chosen: Cursors) -> Columns:
        """Those of some of the lines."""
        begins = [begin[chosen] for begin in self.begins]
        return self._replace(begins=begins, counts=[count[chosen] for count in self.counts])

    def possible(self) -> Mask:
        """The lines whose numbers are those of a clock, and not longer than can be read here."""
        good = np.ones(self.begins[0].size, dtype=np.bool_)
        for place, run in enumerate(self.form.runs):
            if run.below:
                good &= self.run(place) < run.below
        for meaning in self.form.meanings.values():
            whole, fraction = meaning.number
            if fraction >= 0:
                good &= self.counts[whole] + self.counts[fraction] <= MOST_DIGITS
        return good

    def run(self, place: int) -> Cursors:
        """A run's digits as integers."""
        return self.text.number(self.begins[place], np.minimum(self.counts[place], MOST_DIGITS))

    def integers(self, field: str) -> Cursors:
        """A field that is an integer."""
        return self.run(self.form.meanings[field].number.whole)

    def doubles(self, field: str) -> Floats:
        """A field that is a double, rounded as Python rounds it."""
        (whole, fraction), milli, over, _ = self.form.meanings[field]
        value, places = self.run(whole), np.zeros_like(self.counts[whole])
        if fraction >= 0:
            places = self.counts[fraction]
            value = value * TENS.take(places) + self.run(fraction)
        read = quotient(value, places)
        if milli:
            read /= 1000
        if over:
            with np.errstate(divide="ignore"):
                read = over / read
        return read

    def clock(self) -> Cursors:
        """The lines' time in microseconds, but for whole days."""
        runs = self.form.clock.items()
        return sum((self.run(place) * us for place, us in runs), self._zeros()) + self.form.clock_us

    def same(self) -> Cursors:
        """An integer that tells one date from another."""
        value = self._zeros()
        for place in self.form.same:
            value = value * TENS[self.form.runs[place].most] + self.run(place)
        return value

    def _zeros(self) -> Cursors:
        return np.zeros(self.begins[0].size, dtype=np.int64)

    def fields(self, index: int) -> dict[str, Any]:
        """The fields of the event of one line."""
        return {field: one.of(self._text(one, index)) for field, one in self.form.meanings.items()}

    def _text(self, meaning: Meaning, index: int) -> str:
        whole, fraction = meaning.number
        last = whole if fraction < 0 else fraction
        begin, end = self.begins[whole][index], self.begins[last][index] + self.counts[last][index]
        return self.text.data[begin:end].decode("ascii")


def _words(literal: bytes) -> list[_Word]:
    """The literal in words of eight bytes."""
    out = []
    for offset in range(0, len(literal), 8):
        part = literal[offset : offset + 8]
        mask = (1 << 8 * len(part)) - 1
        out.append(_Word(offset, U(int.from_bytes(part, "little")), U(mask)))
    return out


def _wrong(text: Text, cursors: Cursors, words: list[_Word]) -> Any:
    """Bits that differ from a literal at each cursor."""
    wrong = np.zeros(cursors.size, dtype=np.uint64)
    for offset, pattern, mask in words:
        found = text.at(cursors + offset if offset else cursors)
        found ^= pattern
        found &= mask
        wrong |= found
    return wrong
