"""Reads the numbers of many lines of a form at once, as columns of lines of the same layout."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from sixdim.parsers.blocks.arithmetic import TENS, quotient
from sixdim.parsers.blocks.form import Field, RowForm
from sixdim.parsers.blocks.text import (
    DIGITS,
    ONES,
    WORD,
    ZERO,
    Floats,
    Integers,
    Mask,
    Text,
    Words,
    are_padded,
    lead_with_zero,
    values,
    word,
    words_at,
)

MOST_DIGITS = 18
"""Largest number of digits that an integer of 64 bits always holds."""
_ZERO, _BLANK = 0x30, 0x20
_COMPARED = 1 << 18
"""Bytes that are compared at once: so few that they stay in the processor's cache."""


class Columns(Protocol):
    """The numbers of some lines of a form."""

    def run(self, place: int) -> Integers:
        """Returns a run of digits of each line as integers."""

    def figures(self, field: Field) -> Floats | Integers:
        """Returns a field of each line; doubles are rounded as Python rounds them."""


class _Piece(NamedTuple):
    """A part of a run of digits, of at most eight digits.

    Attributes:
        run: The place of the run.
        level: How many pieces of the run follow it.
        end: Column after them.
        size: How many digits.
        more: A word to add: each byte is the distance of a column's lowest character from the
            character that counts as 0 in the run.
    """

    run: int
    level: int
    end: int
    size: int
    more: np.uint64


class Layout:
    """The columns of a line that are digits, and the characters of all others.

    Attributes:
        size: Its bytes.
        lines: How many lines of the last block had this layout.
        lows: The lowest character of each column.
        spans: The distance of the highest character from the lowest, by column.
        widths: The number of columns of each run.
        pieces: The runs that are needed.
        readable: Whether their numbers fit into integers of 64 bits.
    """

    def __init__(self, form: RowForm, line: bytes) -> None:
        found = form.expression.fullmatch(line)
        assert found is not None
        self.size, self.lines = len(line), 0
        width = -(-max(self.size, WORD) // WORD) * WORD
        self.lows = np.zeros(width, dtype=np.uint8)
        self.lows[: self.size] = np.frombuffer(line, dtype=np.uint8)
        self.spans = np.zeros(width, dtype=np.uint8)
        self.spans[self.size :] = 0xFF
        self.widths: list[int] = []
        self.pieces: list[_Piece] = []
        for place, run in enumerate(form.runs):
            begin, end = found.span(place + 1)
            first = begin
            while line[first - 1 : first] == b" " and begin - first < run.blanks:
                first -= 1
            width = end - first
            padded = run.blanks > 0 and run.least == 1 and 1 < width <= min(WORD, run.most)
            begin = first if padded else begin
            self.lows[begin:end] = _BLANK if padded else _ZERO
            if not (padded or run.zero or end - begin == 1):
                self.lows[begin] += 1
            self.spans[begin:end] = _ZERO + 9 - self.lows[begin:end]
            self.widths.append(end - begin)
            if place in form.needed or padded:
                self._cut(place, begin, end, _BLANK if run.blanks else _ZERO)
        self.readable = all(self.widths[place] <= MOST_DIGITS for place in form.needed) and all(
            self.widths[whole] + self.widths[fraction] <= MOST_DIGITS
            for whole, fraction in (meaning.number for meaning in form.meanings.values())
            if fraction >= 0
        )

    def _cut(self, run: int, begin: int, end: int, base: int) -> None:
        """Cuts a run into pieces.

        Args:
            run: Its place.
            begin: Its first column.
            end: The column after it.
            base: The character that counts as 0 in the last eight; in those before them, `0` does.
        """
        for level, stop in enumerate(range(end, begin, -WORD)):
            start = max(begin, stop - WORD)
            lows = self.lows[start:stop] - np.uint8(_ZERO if level else base)
            more = int.from_bytes(lows.tobytes(), "little") << 8 * (WORD - (stop - start))
            self.pieces.append(_Piece(run, level, stop, stop - start, np.uint64(more)))


class Many:
    """Lines of some layouts of a form."""

    def __init__(self, form: RowForm, layouts: Sequence[Layout], most: int) -> None:
        self._form = form
        places = {piece[:2]: None for layout in layouts for piece in layout.pieces}
        self._places = {place: row for row, place in enumerate(places)}
        self._words: Words = np.empty((len(places), most), dtype=np.uint64)
        self._lines: Integers = np.empty(most, dtype=np.int64)
        self._count = 0
        self._added: list[tuple[Layout, int]] = []
        self._good: Mask | None = None
        self._numbers: Integers = self._words.view(np.int64)

    def add(self, text: Text, layout: Layout, lines: Integers) -> Integers:
        """Adds the lines that have a layout; returns the others."""
        most = _COMPARED // layout.lows.size or 1
        if lines.size > most:
            starts = range(0, lines.size, most)
            return np.concatenate([self.add(text, layout, lines[n : n + most]) for n in starts])
        if not lines.size:
            return lines
        others, rows = lines[:0], text.rows(lines, layout.lows.size)
        rows -= layout.lows
        as_it = (rows <= layout.spans).view(np.uint64)
        wrong = np.flatnonzero(as_it != ONES)
        if wrong.size:
            good = np.ones(lines.size, dtype=np.bool_)
            good[wrong // as_it.shape[1]] = False
            fit = np.flatnonzero(good)
            others, lines, rows = lines[~good], lines.take(fit), rows.take(fit, axis=0)
        layout.lines += lines.size
        self._added.append((layout, lines.size))
        part = slice(self._count, self._count + lines.size)
        self._count = part.stop
        self._lines[part] = lines
        if len(layout.pieces) < len(self._places):
            for (_, level), place in self._places.items():
                self._words[place, part] = 0 if level else ZERO
        at = words_at(rows)
        for run, level, end, size, more in layout.pieces if lines.size else ():
            digits = word(at, end, size, self._words[self._places[run, level], part])
            if more:
                digits += more
        return others

    def read(self) -> Integers:
        """Reads the numbers; returns the lines whose numbers the form allows."""
        words = self._words[:, : self._count]
        lines = self._lines[: self._count]
        good = np.ones(lines.size, dtype=np.bool_)
        for (place, level), row in self._places.items():
            run = self._form.runs[place]
            if run.blanks and not level:
                good &= are_padded(words[row])
                if not run.zero:
                    good &= ~lead_with_zero(words[row]) | (self._widths(place) > WORD)
                words[row] &= DIGITS
        self._numbers = values(words)
        for place, run in enumerate(self._form.runs):
            if run.below:
                good &= self.run(place) < run.below
        if good.all():
            return lines
        self._good = good
        return lines[good]

    def _widths(self, place: int) -> Integers:
        """Returns the number of columns of a run in each line."""
        widths = np.array([layout.widths[place] for layout, _ in self._added], dtype=np.int64)
        return np.repeat(widths, [count for _, count in self._added])

    def run(self, place: int) -> Integers:
        """See `Columns`."""
        value: Integers = self._numbers[self._places[place, 0]]
        for level in (1, 2):
            if (place, level) in self._places:
                value = value + self._numbers[self._places[place, level]] * 10 ** (level * WORD)
        return value if self._good is None else value[self._good]

    def figures(self, field: Field) -> Floats | Integers:
        """See `Columns`."""
        (whole, fraction), milli, over, is_int = self._form.meanings[field]
        if is_int:
            return self.run(whole)
        if fraction < 0:
            read = self.run(whole).astype(np.float64)
        else:
            places = self._widths(fraction)
            if self._good is not None:
                places = places[self._good]
            read = quotient(self.run(whole) * TENS[places] + self.run(fraction), places)
        if milli:
            read /= 1000
        if over:
            with np.errstate(divide="ignore"):
                read = over / read
        return read


class Few:
    """Lines that were read one by one."""

    def __init__(self, form: RowForm, texts: list[Sequence[bytes]]) -> None:
        self._form = form
        self._texts = texts

    def run(self, place: int) -> Integers:
        """See `Columns`."""
        return np.array([int(texts[place]) for texts in self._texts], dtype=np.int64)

    def figures(self, field: Field) -> Floats | Integers:
        """See `Columns`."""
        return np.array([self._form.figure(field, texts) for texts in self._texts])
