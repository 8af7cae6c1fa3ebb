"""Where each character of a line of a form stands, so that many such lines are read at once.

Most lines of a form have as many digits in each place as many others; a few such layouts hold
nearly all of them. What else has the form is read one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from sixdim.parsers.blocks.decimals import quotient
from sixdim.parsers.blocks.form import Field, Form, Run
from sixdim.parsers.blocks.text import (
    ONES,
    WORD,
    Floats,
    Integers,
    Mask,
    Rows,
    Text,
    are_padded,
    integers,
    mantissas,
)

MOST_DIGITS = 18
"""Digits that an integer of 64 bits surely holds."""
_ENOUGH = 8
"""Lines of one layout in a block that are worth looking for it."""
_MOST_LAYOUTS = 48
_MOST_MISSED = 400
"""Lines of a block that are found to have another form, after which no more are tried."""
_ZERO, _BLANK = 0x30, 0x20


class Columns(Protocol):
    """What stands in some lines of a form."""

    def integers(self, field: Field) -> Integers:
        """A field that is an integer."""

    def doubles(self, field: Field) -> Floats:
        """A field that is a double, rounded as Python rounds it."""

    def run(self, place: int) -> Integers:
        """A run of digits as integers."""


class Layouts:
    """The layouts of a form's lines, as far as they are known.

    Args:
        form: The form.
    """

    def __init__(self, form: Form) -> None:
        self.form = form
        self._layouts: list[Layout] = []

    def fit(self, text: Text, lines: Integers) -> Iterator[tuple[Integers, Columns]]:
        """Those of some lines that have this form, and what stands in them; in a few parts."""
        left = lines
        for layout in self._layouts:
            fitting, columns = layout.fit(text, left)
            layout.lines = fitting.size
            if columns is not None:
                yield fitting, columns
                left = _without(left, fitting, text)
        self._layouts.sort(key=lambda layout: -layout.lines)
        yield from self._rest(text, self._beginning(text, left))

    def _beginning(self, text: Text, lines: Integers) -> Integers:
        """The lines that begin with the text before the first number."""
        literal = np.frombuffer(self.form.literals[0][:WORD], dtype=np.uint8)
        same: Mask = (text.rows(lines, WORD)[:, : literal.size] == literal).all(axis=1)
        return lines[same]

    def _rest(self, text: Text, left: Integers) -> Iterator[tuple[Integers, Columns]]:
        """Finds new layouts among lines of no known one; reads the few of any other one by one."""
        seen: dict[tuple[int, ...], list[int]] = {}
        alone: list[tuple[int, Sequence[bytes]]] = []
        missed = 0
        while left.size and missed < _MOST_MISSED:
            line, left = int(left[0]), left[1:]
            raw = text.line(line)
            texts = self.form.read(raw)
            if texts is None:
                missed += 1
                continue
            alone.append((line, texts))
            alike = seen.setdefault((len(raw), *map(len, texts)), [])
            alike.append(line)
            if len(alike) == _ENOUGH:
                layout = Layout(self.form, raw)
                fitting, columns = layout.fit(text, left)
                if columns is not None:
                    self._layouts = [layout, *self._layouts[: _MOST_LAYOUTS - 1]]
                    yield fitting, columns
                    left = _without(left, fitting, text)
        if alone:
            lines = np.array([line for line, _ in alone])
            yield lines, _Few(self.form, [texts for _, texts in alone])


def _without(lines: Integers, some: Integers, text: Text) -> Integers:
    """The others of some lines."""
    stay = np.ones(text.sizes.size, dtype=np.bool_)
    stay[some] = False
    return lines[stay[lines]]


class _Place(NamedTuple):
    """The columns of a run's digits, and of the blanks that may stand in their place."""

    begin: int
    end: int
    padded: bool


class Layout:
    """The characters of a line, of which the digits may be any.

    Args:
        form: The form.
        line: A line of it.

    Attributes:
        lines: How many of the last block had this layout.
    """

    def __init__(self, form: Form, line: bytes) -> None:
        found = form.expression.fullmatch(line)
        assert found is not None
        self.form = form
        self.size = len(line)
        self.lines = 0
        self.places = [
            _place(run, line, *found.span(number)) for number, run in enumerate(form.runs, 1)
        ]
        width = -(-max(self.size, WORD) // WORD) * WORD
        self._lows = np.zeros(width, dtype=np.uint8)
        self._lows[: self.size] = np.frombuffer(line, dtype=np.uint8)
        self._spans = np.zeros(width, dtype=np.uint8)
        self._spans[self.size :] = 0xFF
        for begin, end, padded in self.places:
            self._lows[begin:end] = _BLANK if padded else _ZERO
            self._spans[begin:end] = _ZERO + 9 - (_BLANK if padded else _ZERO)
        numbers = (meaning.number for meaning in form.meanings.values())
        widths = [end - begin for begin, end, _ in self.places]
        self._readable = all(
            widths[whole] + (widths[fraction] if fraction >= 0 else 0) <= MOST_DIGITS
            for whole, fraction in numbers
        )

    def fit(self, text: Text, lines: Integers) -> tuple[Integers, Columns | None]:
        """Those of some lines that are laid out so, and what stands in them; None without any."""
        lines = lines[text.sizes[lines] == self.size]
        if not lines.size or not self._readable:
            return lines[:0], None
        rows = text.rows(lines, self._lows.size)
        rows -= self._lows
        as_it = (rows <= self._spans).view(np.uint64)
        wrong = np.flatnonzero(as_it != ONES)
        if wrong.size:
            good = np.ones(lines.size, dtype=np.bool_)
            good[wrong // as_it.shape[1]] = False
            lines, rows = lines[good], rows[good]
            if not lines.size:
                return lines, None
        columns = _Many(self, rows)
        possible = columns.possible()
        if not possible.all():
            lines, columns = lines[possible], _Many(self, rows[possible])
        return lines, columns if lines.size else None


def _place(run: Run, line: bytes, begin: int, end: int) -> _Place:
    first = begin
    while line[first - 1 : first] == b" " and begin - first < run.blanks:
        first -= 1
    padded = run.blanks > 0 and run.least == 1 and 1 < end - first <= min(WORD, run.most)
    return _Place(first if padded else begin, end, padded)


class _Many:
    """Lines of one layout.

    Args:
        layout: Their layout.
        rows: How far each character lies above the lowest one that may stand there.
    """

    def __init__(self, layout: Layout, rows: Rows) -> None:
        self._form = layout.form
        self._places = layout.places
        self._rows = rows
        self._runs: dict[int, Integers] = {}

    def possible(self) -> Mask:
        """The lines whose numbers are such as the form allows."""
        good = np.ones(len(self._rows), dtype=np.bool_)
        for number, (run, (begin, end, padded)) in enumerate(
            zip(self._form.runs, self._places, strict=True)
        ):
            if padded:
                good &= are_padded(self._rows, begin, end)
            if run.below:
                good &= self.run(number) < run.below
            if not run.zero and end - begin > 1:
                zero = _ZERO - _BLANK if padded else 0
                good &= self._rows[:, begin] != zero
                for column in range(begin + 1, end - 1) if padded else ():
                    blank = self._rows[:, column - 1] == 0
                    good &= ~(blank & (self._rows[:, column] == zero))
        return good

    def run(self, place: int) -> Integers:
        """See `Columns`."""
        if place not in self._runs:
            self._runs[place] = integers(self._rows, *self._places[place][:2])
        return self._runs[place]

    def integers(self, field: Field) -> Integers:
        """See `Columns`."""
        return self.run(self._form.meanings[field].number.whole)

    def doubles(self, field: Field) -> Floats:
        """See `Columns`."""
        (whole, fraction), milli, over, _ = self._form.meanings[field]
        begin, point, _ = self._places[whole]
        if fraction < 0:
            read = self.run(whole).astype(np.float64)
        else:
            behind, end, _ = self._places[fraction]
            read = quotient(mantissas(self._rows, begin, point, end), end - behind)
        if milli:
            read /= 1000
        if over:
            with np.errstate(divide="ignore"):
                read = over / read
        return read


class _Few:
    """Lines that were read one by one.

    Args:
        form: Their form.
        texts: Of each line, its runs of digits.
    """

    def __init__(self, form: Form, texts: list[Sequence[bytes]]) -> None:
        self._form = form
        self._texts = texts

    def run(self, place: int) -> Integers:
        """See `Columns`."""
        return np.array([int(texts[place]) for texts in self._texts], dtype=np.int64)

    def integers(self, field: Field) -> Integers:
        """See `Columns`."""
        return self.run(self._form.meanings[field].number.whole)

    def doubles(self, field: Field) -> Floats:
        """See `Columns`."""
        return np.array([self._form.figure(field, texts) for texts in self._texts])
