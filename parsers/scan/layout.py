"""Lines of equal widths are checked and read as columns of words.

Within a block most lines of a template differ in a few digits only: where a part is as wide as
in a line already seen, every byte has one of four meanings (this character, a digit, anything
printable, anything at all), and one exclusive or and one addition over all lines check them.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parsers.scan.decimals import quotient, scaled
from parsers.scan.lockstep import TIME, clock
from parsers.scan.pieces import Bar, Clock, Digits, Number, Piece, Word
from parsers.scan.words import PAD, TOPS, Cursors, Mask, Text, U, Words, eight

_BATCH = 1 << 14
_ROOM = 3 << 17
"""Lines, and their words, that are checked together: what is done once for all of them costs as
much as a thousand lines, and more words would leave the processor's caches."""
_PART = 1 << 16
"""Words that one step looks at, for the same reason."""
_SIXES = U(0x0606060606060606)
_SIXTEENS = U(0x1010101010101010)
_NIBBLES = U(0x0F0F0F0F0F0F0F0F)

WIDEST = PAD - 64
"""Bytes of the longest line that has a layout."""

# What is done to a byte: first the exclusive or with `flip`, then the addition of `room`, and a
# top bit that is set then says that the byte is not as it must be. (Bytes have no top bit.)
_SAME = 0x7F  # after a flip by the character itself: only 0 stays below the top bit
_DIGIT = 0x30, 0x76  # 0..9
_FIELD = 0x30, 0x6F  # 0..9, or 16 for a blank: `_padded` looks at those once more
_PRINTED = 0x7F, 0x21  # 0x21..0x7E
_DRAWN = 0x20, 0x60  # 0x20..0x3F


class Layout:
    """Where each piece of a template stands in lines of one length.

    Args:
        pieces: The template's.
        found: A line that fits it, matched by its `pattern`.

    Attributes:
        hits: Lines of the last block that had this layout.
        size: Words of a line that are looked at.
        fields: Where numbers of a fixed width begin and end, which blanks may lead.
        batch: Most lines that are read together.
    """

    def __init__(self, pieces: tuple[Piece, ...], found: re.Match[bytes]) -> None:
        self.hits = 0
        line = found.string + b"\n"
        size = found.start("rest") if "rest" in found.groupdict() else len(line)
        self.size = -(-size // 8)
        self.batch = min(_BATCH, _ROOM // self.size)
        flip = np.zeros(self.size * 8, dtype=np.uint8)
        room = np.zeros(self.size * 8, dtype=np.uint8)
        flip[:size], room[:size] = np.frombuffer(line[:size], dtype=np.uint8), _SAME
        numbers: list[tuple[Number, list[tuple[int, int]], bool]] = []
        self.fields: list[tuple[int, int]] = []
        self._leading: list[int] = []
        self._clocks: list[tuple[int, Clock]] = []
        for index, piece in enumerate(pieces, 1):
            if not isinstance(piece, Number | Digits | Clock | Word | Bar):
                continue
            begin, end = found.span(f"p{index}")
            if isinstance(piece, Word):
                flip[begin:end], room[begin:end] = _PRINTED
            elif isinstance(piece, Bar):
                flip[begin:end], room[begin:end] = _DRAWN
            elif isinstance(piece, Digits):
                flip[begin:end], room[begin:end] = _DIGIT
                if piece.name:
                    number = Number(piece.name, whole=True, padded=False)
                    numbers.append((number, [(begin, end)], False))
            elif isinstance(piece, Clock):
                for at in range(begin, end):
                    if line[at : at + 1].isdigit():
                        flip[at], room[at] = _DIGIT
                self._clocks.append((begin, piece))
            else:
                runs = [found.span(name) for name in _runs(piece, index) if found[name]]
                if piece.strict and end - begin > 1:
                    self._leading.append(begin)
                lead = found.span(f"b{index}")[0] if piece.padded else begin
                for first, last in runs:
                    flip[first:last], room[first:last] = _DIGIT
                if lead < begin and end - lead <= 8 and (piece.name or not found[f"s{index}"]):
                    # Of a fixed width: what is a blank here may be a digit there.
                    # (Its last character is surely a digit.)
                    flip[lead : end - 1], room[lead : end - 1] = _FIELD
                    self.fields.append((lead, end))
                    runs[0] = (lead, runs[0][1])
                down = False
                if piece.power:
                    sign, last = found.span(f"x{index}")
                    flip[sign + 1 : last], room[sign + 1 : last] = _DIGIT
                    runs += [(0, 0)] * (2 - len(runs)) + [(sign + 1, last)]
                    down = line[sign] == 0x2D
                if piece.name:
                    numbers.append((piece, runs, down))
        known = (room == _SAME).tolist()
        digits = ((flip == _DIGIT[0]) & (room == _DIGIT[1])).tolist()
        self._figures = [_Figure.of(*number) for number in numbers]
        self._wanted = [
            _windows(part, known, digits)
            for _piece, runs, _down in numbers
            for part in _parts(runs)
        ]
        self._flip, self._room = (part.view("<u8")[:, np.newaxis] for part in (flip, room))
        # Of the last word, the line's own bytes.
        self._last = U((1 << 8 * (size - 8 * (self.size - 1))) - 1) & TOPS

    def read(self, text: Text, begins: Cursors) -> tuple[Mask, dict[str, NDArray[Any]]]:
        """Which of at most `batch` lines have this layout, and the columns of those that do."""
        words = np.empty((self.size, begins.size), dtype=np.uint64)
        some = _PART // self.size
        for at in range(0, begins.size, some):
            lines = text.rows(begins[at : at + some], self.size)
            # Columns first: twice as fast in all.
            np.bitwise_xor(lines.T, self._flip, out=words[:, at : at + some])
        good = self._fits(words)
        for begin, end in self.fields:
            good &= _padded(words, begin, end)
        for begin in self._leading:
            good &= (_at(words, begin) & _NIBBLES & U(0xFF)) != U(0)
        values: dict[str, NDArray[Any]] = {}
        count = np.count_nonzero(good)
        if not count:
            return good, values
        if count < good.size:  # the others are taken for one that fits, and left out at the end
            words[:, ~good] = words[:, [np.argmax(good)]]
        for begin, form in self._clocks:
            inside, values[TIME] = clock(_Ahead(words, begin), form, digital=True)
            good &= inside
        numbers = iter(_numbers(words, self._wanted))
        for piece, size, places, down in self._figures:
            number = next(numbers)
            if piece.whole:
                values[piece.name] = number
            elif not piece.power:
                values[piece.name] = quotient(number, places, size)
            else:
                power = next(numbers)
                right, rounded = scaled(number, places + power if down else places - power)
                values[piece.name] = right
                good &= rounded
        if np.count_nonzero(good) < good.size:
            values = {name: column[good] for name, column in values.items()}
        return good, values

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
        size: Digits it has in all.
        places: Those behind its point.
        down: Whether its exponent is negative.
    """

    piece: Number
    size: int
    places: int
    down: bool

    @classmethod
    def of(cls, piece: Number, runs: list[tuple[int, int]], down: bool) -> _Figure:
        """From where its digits stand, as in `Layout`."""
        sizes = [end - begin for begin, end in runs]
        return cls(piece, sum(sizes), sizes[1] if len(sizes) > 1 else 0, down)


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


def _windows(runs: list[tuple[int, int]], known: list[bool], digits: list[bool]) -> _Wanted:
    """The runs of a number's digits, cut into windows of at most eight digits.

    Args:
        runs: Where they begin and end.
        known: Of every byte, whether it is the same in all lines, and so 0 after the flip.
        digits: Whether it is surely a digit.
    """
    windows: list[list[tuple[int, int]]] = [[]]
    room = 8
    for begin, end in runs:
        while begin < end:
            if not room:
                windows.append([])
                room = 8
            size = min(room, end - begin)
            windows[-1].append((begin, begin + size))
            begin, room = begin + size, room - size
    powers = [10 ** sum(end - begin for begin, end in window) for window in windows[1:]]
    return _Wanted([_gathers(window, known, digits) for window in windows], powers)


class _Run(NamedTuple):
    """How the digits of a part of a window come into place.

    Attributes:
        word: Word that holds the last of them.
        up: By how many bits that word is moved up; down where it is negative.
        before: By how many bits the word before it is moved down; None where it holds none.
        mask: What of the result are the digits, where there may be more. A blank before a number
            counts as a zero.
    """

    word: int
    up: int
    before: U | None
    mask: U | None


def _gathers(window: list[tuple[int, int]], known: list[bool], digits: list[bool]) -> list[_Run]:
    """How to gather a window's digits, the last one in the highest byte, none below the first."""
    place, runs = 8, []
    for begin, end in reversed(window):
        index, last = divmod(end - 1, 8)
        size = end - begin
        place -= size
        up = 8 * (place + size - 1 - last)  # bits that the run's last digit moves up
        first = 8 * (begin // 8)
        before = U(64 - up) if first < 8 * index else None
        mask = _NIBBLES & U(((1 << 8 * size) - 1) << 8 * place)
        # What else comes into the window with them.
        others = [
            *range(max(first, begin - place), begin),
            *range(end, min(8 * (index + 1), begin - place + 8)),
        ]
        clean = all(digits[begin:end]) and all(known[at] for at in others)
        runs.append(_Run(index, up, before, None if clean else mask))
    return runs


def _gather(words: Words, window: list[_Run], out: Words) -> None:
    """Puts the digits of a window together."""
    part = out
    for index, up, before, mask in window:
        if up < 0:
            np.right_shift(words[index], U(-up), out=part)
        else:
            np.left_shift(words[index], U(up), out=part)
        if before is not None:
            part |= words[index - 1] >> before
        if mask is not None:
            part &= mask
        if part is not out:
            out |= part
        elif len(window) > 1:
            part = np.empty_like(out)


class _Wanted(NamedTuple):
    """A number to be read.

    Attributes:
        windows: Where its digits stand, eight at a time.
        powers: Of each window but the first, what one of the digits before it is worth.
    """

    windows: list[list[_Run]]
    powers: list[int]


def _numbers(words: Words, wanted: list[_Wanted]) -> list[NDArray[np.int64]]:
    """Every wanted number's digits as one integer; the words of all are worked out together."""
    if not wanted:
        return []
    count = sum(len(number.windows) for number in wanted)
    stack = np.empty((count, words.shape[1]), dtype=np.uint64)
    rows = iter(stack)
    for number in wanted:
        for window in number.windows:
            _gather(words, window, next(rows))
    values = iter(eight(stack).view(np.int64))
    out = []
    for number in wanted:
        whole = next(values)
        for power in number.powers:
            whole = whole * power
            whole += next(values)
        out.append(whole)
    return out
