"""Lines of equal widths, or nearly so, are checked and read as columns of words.

Within a block most lines of a template differ in a few digits only: where a part is as wide as
in a line already seen, every byte has one of four meanings (this character, a digit, anything
printable, anything at all), and one exclusive or and one addition over all lines check them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from parsers.scan.decimals import quotient, scaled
from parsers.scan.frame import TAIL, Frame
from parsers.scan.gathered import numbers, wanted
from parsers.scan.lockstep import TIME, clock
from parsers.scan.pieces import Bar, Clock, Digits, Number, Piece, Word
from parsers.scan.words import NIBBLES, NOT_DIGIT, PAD, TOPS, Cursors, Mask, Text, U, Words

_BATCH = 1 << 14
_ROOM = 3 << 17
"""Lines, and their words, that are checked together: what is done once for all of them costs as
much as a thousand lines, and more words would leave the processor's caches."""
_PART = 1 << 16
"""Words that one step looks at, for the same reason."""
_SIXES = U(0x0606060606060606)
_SIXTEENS = U(0x1010101010101010)

WIDEST = PAD - 64
"""Bytes of the longest line that has a layout."""

# What is done to a byte: first the exclusive or with `flip`, then the addition of `room`, and a
# top bit that is set then says that the byte is not as it must be. (Bytes have no top bit.)
_Kind: TypeAlias = tuple[int, int]
_SAME = 0x7F  # after a flip by the character itself: only 0 stays below the top bit
_DIGIT = 0x30, 0x76  # 0..9
_FIELD = 0x30, 0x6F  # 0..9, or 16 for a blank: `_padded` looks at those once more
_PRINTED = 0x7F, 0x21  # 0x21..0x7E
_DRAWN = 0x20, 0x60  # 0x20..0x3F
_ANYTHING = 0, 0
_LATER = 0x30, 0  # digits, as far as they are any

_LAST = np.array([((1 << 8 * n) - 1) << 8 * (8 - n) for n in range(9)], dtype=np.uint64)
"""The last so many bytes of a word."""


class Layout:
    """Where each piece of a template stands in lines of one length, or nearly so.

    Args:
        pieces: The template's.
        found: A line that fits it, matched by its `pattern`.

    Attributes:
        hits: Lines of the last block that had this layout.
        idle: Blocks since one had it.
        size: Words of a line that are looked at.
        least: Bytes of the shortest line that may have it, without its newline.
        most: Bytes of the longest.
        fields: Where numbers of a fixed width begin and end, which blanks may lead.
        batch: Most lines that are read together.
    """

    def __init__(self, pieces: tuple[Piece, ...], found: re.Match[bytes]) -> None:
        self.hits = self.idle = 0
        frame = Frame.of(pieces, found)
        line, size, span = frame.text, len(frame.text), frame.span
        self.least = len(found.string) - (frame.end - frame.cut)
        self.most = self.least + (TAIL if frame.tail else 0)
        self._tail, self._behind = frame.tail, len(found.string) + 1 - frame.end
        self.size = -(-size // 8)
        self.batch = min(_BATCH, _ROOM // self.size)
        flip = np.zeros(self.size * 8, dtype=np.uint8)
        room = np.zeros(self.size * 8, dtype=np.uint8)
        flip[:size], room[:size] = np.frombuffer(line, dtype=np.uint8), _SAME

        def mark(begin: int, end: int, kind: _Kind) -> None:
            flip[begin:end], room[begin:end] = kind

        if frame.tail:
            mark(frame.cut, 8 * frame.tail, _ANYTHING)
            mark(8 * frame.tail, 8 * frame.tail + TAIL, _LATER)
        named: list[tuple[Number, list[tuple[int, int]], bool]] = []
        self.fields: list[tuple[int, int]] = []
        self._leading: list[int] = []
        self._clocks: list[tuple[int, Clock]] = []
        for index, piece in enumerate(pieces, 1):
            match piece:
                case Word():
                    mark(*span(f"p{index}"), _PRINTED)
                case Bar():
                    mark(*span(f"p{index}"), _DRAWN)
                case Digits():
                    mark(*span(f"p{index}"), _DIGIT)
                    if piece.name:
                        number = Number(piece.name, whole=True, padded=False)
                        named.append((number, [span(f"p{index}")], False))
                case Clock():
                    begin, end = span(f"p{index}")
                    for at in range(begin, end):
                        if line[at : at + 1].isdigit():
                            mark(at, at + 1, _DIGIT)
                    self._clocks.append((begin, piece))
                case Number():
                    runs, down = self._number(piece, index, frame, mark)
                    if piece.name:
                        named.append((piece, runs, down))
        known = (room == _SAME).tolist()
        digits = ((flip == _DIGIT[0]) & (room == _DIGIT[1])).tolist()
        ragged = frame.ragged
        self._figures = [_Figure.of(*number, number[0] is ragged) for number in named]
        self._wanted = [
            wanted(part, known, digits, frame.tail if piece is ragged else 0)
            for piece, runs, _down in named
            for part in _parts(runs)
        ]
        self._flip, self._room = (part.view("<u8")[:, np.newaxis] for part in (flip, room))
        # Of the last word, the line's own bytes.
        self._last = U((1 << 8 * (size - 8 * (self.size - 1))) - 1) & TOPS

    def _number(
        self, piece: Number, index: int, frame: Frame, mark: Callable[[int, int, _Kind], None]
    ) -> tuple[list[tuple[int, int]], bool]:
        """Where the digits of a number stand, and whether its exponent is negative."""
        span, found = frame.span, frame.found
        begin, end = span(f"p{index}")
        runs = [span(name) for name in _runs(piece, index) if found[name]]
        if piece.strict and end - begin > 1:
            self._leading.append(begin)
        for first, last in runs:
            mark(first, last, _DIGIT)
        lead = span(f"b{index}")[0] if piece.padded else begin
        if lead < begin and end - lead <= 8 and (piece.name or not found[f"s{index}"]):
            # Of a fixed width: what is a blank here may be a digit there.
            # (Its last character is surely a digit.)
            mark(lead, end - 1, _FIELD)
            self.fields.append((lead, end))
            runs[0] = (lead, runs[0][1])
        if not piece.power:
            return runs, False
        sign, last = span(f"x{index}")
        mark(sign + 1, last, _DIGIT)
        runs += [(0, 0)] * (2 - len(runs)) + [(sign + 1, last)]
        return runs, frame.text[sign] == 0x2D

    def read(
        self, text: Text, begins: Cursors, sizes: NDArray[np.int64]
    ) -> tuple[Mask, dict[str, NDArray[Any]]]:
        """Which of at most `batch` lines have this layout, and the columns of those that do.

        Args:
            text: The block.
            begins: Where the lines begin.
            sizes: How long they are, without their newlines: from `least` to `most`.
        """
        words = self._gathered(text, begins, begins + sizes)
        more = sizes - self.least
        good = self._fits(words)
        if self._tail:
            last = words[self._tail]
            last &= _LAST.take(more, mode="clip")
            good &= ((last + NOT_DIGIT) & TOPS) == U(0)
        for begin, end in self.fields:
            good &= _padded(words, begin, end)
        for begin in self._leading:
            good &= (_at(words, begin) & NIBBLES & U(0xFF)) != U(0)
        values: dict[str, NDArray[Any]] = {}
        count = np.count_nonzero(good)
        if not count:
            return good, values
        if count < good.size:  # the others are taken for one that fits, and left out at the end
            words[:, ~good] = words[:, [np.argmax(good)]]
        for begin, form in self._clocks:
            inside, values[TIME] = clock(_Ahead(words, begin), form, digital=True)
            good &= inside
        read = iter(numbers(words, self._wanted, more))
        for piece, size, places, down, ragged in self._figures:
            number = next(read)
            if piece.whole:
                values[piece.name] = number
            elif not piece.power:
                values[piece.name] = quotient(number, places + more if ragged else places, size)
            else:
                power = next(read)
                right, rounded = scaled(number, places + power if down else places - power)
                values[piece.name] = right
                good &= rounded
        if np.count_nonzero(good) < good.size:
            values = {name: column[good] for name, column in values.items()}
        return good, values

    def _gathered(self, text: Text, begins: Cursors, ends: Cursors) -> Words:
        """The words of some lines, a column a line, flipped."""
        words = np.empty((self.size, begins.size), dtype=np.uint64)
        parts = [(0, self._tail or self.size, begins)]
        if self._tail:
            parts.append((self._tail, self.size, ends + (1 - self._behind - TAIL)))
        for first, last, froms in parts:
            some = _PART // (last - first)
            flip = self._flip[first:last]
            for at in range(0, froms.size, some):
                lines = text.rows(froms[at : at + some], last - first)
                # Columns first: twice as fast in all.
                np.bitwise_xor(lines.T, flip, out=words[first:last, at : at + some])
        return words

    def _fits(self, words: Words) -> Mask:
        """Whether every byte is as it must be."""
        count = words.shape[1]
        size = min(self.size, max(1, _PART // count))
        room = np.empty((size, count), dtype=np.uint64)
        wrong = np.zeros(count, dtype=np.uint64)
        for at in range(0, self.size, size):
            some = words[at : at + size]
            seen = room[: len(some)]
            np.add(some, self._room[at : at + size], out=seen)
            if at + size >= self.size:
                seen[-1] &= self._last
            wrong |= np.bitwise_or.reduce(seen, axis=0)
        wrong &= TOPS
        good: Mask = wrong == U(0)
        return good


class _Figure(NamedTuple):
    """A number of the line.

    Attributes:
        piece: What it is.
        size: Digits it has in all, at the most.
        places: Those behind its point, at the least.
        down: Whether its exponent is negative.
        ragged: Whether there may be up to eight more.
    """

    piece: Number
    size: int
    places: int
    down: bool
    ragged: bool

    @classmethod
    def of(cls, piece: Number, runs: list[tuple[int, int]], down: bool, ragged: bool) -> _Figure:
        """From where its digits stand, as in `Layout`."""
        sizes = [end - begin for begin, end in runs]
        size = sum(sizes) + (TAIL if ragged else 0)
        return cls(piece, size, sizes[1] if len(sizes) > 1 else 0, down, ragged)


def _parts(runs: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """The digits of a number, and those of its exponent."""
    mantissa = [run for run in runs[:2] if run[1]]
    return [mantissa, runs[2:]] if len(runs) > 2 else [mantissa]


def _runs(piece: Number, index: int) -> tuple[str, ...]:
    """The groups that hold the digits of a number."""
    return (f"p{index}",) if piece.whole else (f"p{index}", f"f{index}")


class _Ahead:
    """The eight bytes at a distance from where a clock begins."""

    def __init__(self, words: Words, begin: int) -> None:
        self._words, self._begin = words, begin

    def __call__(self, distance: int) -> Words:
        return _at(self._words, self._begin + distance)


def _at(words: Words, offset: int) -> Words:
    """The eight bytes at an offset of every line."""
    index, shift = divmod(offset, 8)
    if not shift:
        whole: Words = words[index].copy()
        return whole
    low: Words = words[index] >> U(8 * shift)
    if index + 1 < len(words):
        low |= words[index + 1] << U(64 - 8 * shift)
    return low


def _padded(words: Words, begin: int, end: int) -> Mask:
    """Whether blanks, then digits stand there; the bytes are known to be 0..16, 16 a blank.

    The last one is known to be a digit.
    """
    signs = U((1 << 8 * (end - begin)) - 1) & _SIXTEENS
    field = _at(words, begin)
    wrong = field + _SIXES
    wrong ^= field
    wrong &= signs  # 10..15
    blank = field & signs
    digit_before = blank << U(8)
    digit_before ^= signs & ~U(0xFF)
    wrong |= blank & digit_before
    good: Mask = wrong == U(0)
    return good
