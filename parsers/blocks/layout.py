"""Where the runs of digits stand in a line of a form, as far as that is fixed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from sixdim.parsers.blocks.decimals import quotient
from sixdim.parsers.blocks.form import Form, Meaning, Run
from sixdim.parsers.blocks.text import (
    MOST_DIGITS,
    TENS,
    Cursors,
    Expected,
    Floats,
    Mask,
    Text,
    U,
    expected,
)

_RARE = 100
"""One in so many lines may be laid out in another way than is usual."""


_MANY = 200
"""Lines of a form that show what is usual."""
_FEW = 4
"""As many times more lines are laid out as is usual; else what is has changed."""


class Layouts:
    """How the lines of a form are laid out: anyhow, or as most are.

    Args:
        form: The form.
    """

    def __init__(self, form: Form) -> None:
        self.form = form
        self._any = Layout(form.literals, form.runs, [None] * len(form.runs))
        self._usual: Layout | None = None

    def fit(self, text: Text, lines: Cursors) -> Iterator[tuple[Cursors, Columns]]:
        """Those of some lines that have this form, and what stands in them; in a few parts.

        Most lines have as many digits in most places as those before; these are looked at faster.
        """
        usual = self._usual
        fast = 0
        if usual is not None:
            fitting, columns = usual.fit(self.form, text, lines)
            fast = fitting.size
            if fast:
                yield fitting, columns
                left = np.ones(text.ends.size, dtype=np.bool_)
                left[fitting] = False
                lines = lines[left[lines]]
        if not lines.size:
            return
        fitting, columns = self._any.fit(self.form, text, lines)
        if fitting.size:
            yield fitting, columns
        if usual is None:
            if fitting.size >= _MANY:
                self._usual = Layout(self.form.literals, self.form.runs, columns.usual())
        elif fitting.size > fast // _FEW:
            self._usual = None  # to be found anew


class _Piece(NamedTuple):
    """Bytes of a line that stand behind one another in each, and how many they are."""

    words: list[Expected]
    size: int


class Layout:
    """Where the runs of digits stand in a line, as far as that is fixed.

    Args:
        literals: As in `Form`.
        runs: As in `Form`.
        widths: For each run, blanks before it and its digits; None where both may be any.

    Attributes:
        places: For each run, the piece that it follows or is in; where in it; its digits, None
            where these may be any.
    """

    def __init__(
        self, literals: list[bytes], runs: list[Run], widths: list[tuple[int, int] | None]
    ) -> None:
        self.places: list[tuple[int, int, int | None]] = []
        self._pieces: list[_Piece] = []
        self._loose: list[Run] = []
        piece, digits = literals[0], dict[int, int]()
        for run, width, literal in zip(runs, widths, literals[1:], strict=True):
            if width is None:
                self.places.append((len(self._pieces), 0, None))
                self._pieces.append(_Piece(expected(piece, digits), len(piece)))
                self._loose.append(run)
                piece, digits = literal, {}
            else:
                blanks, count = width
                digits[len(piece) + blanks] = count
                self.places.append((len(self._pieces), len(piece) + blanks, count))
                piece += b" " * blanks + b"0" * count + literal
        self._pieces.append(_Piece(expected(piece, digits), len(piece)))

    def fit(self, form: Form, text: Text, lines: Cursors) -> tuple[Cursors, Columns]:
        """Those of some lines that are laid out so, and what stands in them."""
        cursor = text.begins[lines]
        columns = Columns(form, self, text, [], [], [])
        wrong = np.zeros(lines.size, dtype=np.uint64)
        for (words, size), run in zip(self._pieces, [*self._loose, None], strict=True):
            text.differs(cursor, words, wrong)
            columns.pieces.append(cursor)
            cursor = cursor + size
            if run is not None:
                if run.blanks:
                    blanks = text.blanks(cursor)
                    wrong |= (blanks > run.blanks).view(np.uint8)
                    cursor = cursor + blanks
                count = text.digits(cursor, run.most)
                wrong |= ((count < run.least) | (count > run.most)).view(np.uint8)
                columns.begins.append(cursor)
                columns.counts.append(count)
                cursor = cursor + count
            good = np.flatnonzero(wrong == 0)
            if good.size < lines.size - (lines.size >> 3 if run is not None else 0):
                lines, cursor, wrong = lines[good], cursor[good], wrong[good]
                columns = columns.of(good)
                if not good.size:
                    return lines, columns
        possible = columns.possible()
        if not possible.all():
            good = np.flatnonzero(possible)
            lines, columns = lines[good], columns.of(good)
        return lines, columns


class Columns(NamedTuple):
    """The runs of digits of some lines of a form.

    Attributes:
        form: The form.
        layout: How they are laid out.
        text: Where the lines stand.
        pieces: Of each piece of the layout, where it begins in each line.
        begins: Of each run behind a piece, where it begins in each line.
        counts: Of each of them, how many digits it has in each line.
    """

    form: Form
    layout: Layout
    text: Text
    pieces: list[Cursors]
    begins: list[Cursors]
    counts: list[Cursors]

    def of(self, chosen: Cursors) -> Columns:
        """Those of some of the lines."""
        some = ([each[chosen] for each in every] for every in self[3:])
        return Columns(self.form, self.layout, self.text, *some)

    @property
    def size(self) -> int:
        """How many lines."""
        return self.pieces[0].size

    def begin(self, run: int) -> Cursors:
        """Where a run begins."""
        piece, offset, count = self.layout.places[run]
        return self.begins[piece] if count is None else self.pieces[piece] + offset

    def digits(self, run: int) -> Cursors:
        """How many digits a run has."""
        piece, _, count = self.layout.places[run]
        return self.counts[piece] if count is None else np.full(self.size, count)

    def usual(self) -> list[tuple[int, int] | None]:
        """Of each run, the blanks before it and its digits that nearly all lines have."""
        out: list[tuple[int, int] | None] = []
        end = self.pieces[0]
        for run, literal in enumerate(self.form.literals[:-1]):
            begin, count = self.begin(run), self.digits(run)
            blanks = begin - end - len(literal)
            width = int(np.bincount(blanks).argmax()), int(np.bincount(count).argmax())
            alike = np.count_nonzero((blanks == width[0]) & (count == width[1]))
            out.append(width if (self.size - alike) * _RARE <= self.size else None)
            end = begin + count
        return out

    def possible(self) -> Mask:
        """The lines whose numbers are those of a clock, and not longer than can be read here."""
        good = np.ones(self.size, dtype=np.bool_)
        for place, run in enumerate(self.form.runs):
            if run.below:
                good &= self.run(place) < run.below
            if not run.zero:
                leading = self.text.at(self.begin(place)) & U(0xFF) == U(0x30)
                good &= ~leading | (self.digits(place) == 1)
        for meaning in self.form.meanings.values():
            whole, fraction = meaning.number
            if fraction >= 0:
                good &= self.digits(whole) + self.digits(fraction) <= MOST_DIGITS
        return good

    def run(self, place: int) -> Cursors:
        """A run's digits as integers."""
        count = self.layout.places[place][2]
        return self.text.number(self.begin(place), self.digits(place) if count is None else count)

    def integers(self, field: str) -> Cursors:
        """A field that is an integer."""
        return self.run(self.form.meanings[field].number.whole)

    def doubles(self, field: str) -> Floats:
        """A field that is a double, rounded as Python rounds it."""
        (whole, fraction), milli, over, _ = self.form.meanings[field]
        value = self.run(whole)
        places: Cursors | int = 0
        if fraction >= 0:
            count = self.layout.places[fraction][2]
            places = self.digits(fraction) if count is None else count
            value = value * TENS[places] + self.run(fraction)
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
        return np.zeros(self.size, dtype=np.int64)

    def fields(self, index: int, names: Iterable[str] | None = None) -> dict[str, Any]:
        """The fields of the event of one line, or some of them."""
        chosen = self.form.meanings if names is None else names
        meanings = ((name, self.form.meanings[name]) for name in chosen)
        return {name: one.of(self._text(one, index)) for name, one in meanings}

    def _text(self, meaning: Meaning, index: int) -> str:
        whole, fraction = meaning.number
        last = whole if fraction < 0 else fraction
        begin = self._at(whole, index)[0]
        return str(self.text.data[begin : sum(self._at(last, index))], "ascii")

    def _at(self, run: int, index: int) -> tuple[int, int]:
        """Where a run begins in one line, and how many digits it has."""
        piece, offset, count = self.layout.places[run]
        if count is None:
            return int(self.begins[piece][index]), int(self.counts[piece][index])
        return int(self.pieces[piece][index]) + offset, count
