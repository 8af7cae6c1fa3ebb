"""Lines of equal widths are checked and read as rows of one matrix.

Within a block most lines of a template differ in a few digits only: where a part is as wide as
in a line already seen, every byte of the row has one of three meanings (this character, a
digit, anything printable), and one masked comparison of whole rows checks them all.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from parsers.scan.decimals import MOST_DIGITS, quotient
from parsers.scan.lockstep import TIME, Columns, clock, clock_size, walk
from parsers.scan.template import Clock, End, Literal, Number, Template, Word
from parsers.scan.words import PAD, Cursors, Mask, Text, U, Words, eight

_WIDEST = PAD - 64
"""Bytes of the longest line that is read as a row."""
_FEWEST = 24
"""Lines of one length that are worth a layout of their own."""
_MOST_LAYOUTS = 12
_BATCH = 4096
"""Rows checked together: their words fit the processor's second cache."""
_ALL = U(0x0101010101010101)
_NIBBLES = U(0x0F0F0F0F0F0F0F0F)


Scratch: TypeAlias = tuple[Words, Words, Mask]


class Layout:
    """Where each part of a template stands in lines of one length.

    Args:
        template: The template.
        found: A line that fits it, matched by its `pattern`.

    Attributes:
        hits: Lines that had this layout so far.
    """

    def __init__(self, template: Template, found: re.Match[bytes]) -> None:
        self.hits = 0
        line = found.string + b"\n"
        # Rounded up to 64 bytes, so that the outcomes of a row's words are words themselves.
        self.width = -(-len(line) // 64) * 64
        keep, add, top = (np.zeros(self.width, dtype=np.uint8) for _ in range(3))
        same = np.zeros(self.width, dtype=np.uint8)
        want = np.zeros(self.width, dtype=np.uint8)
        same[: len(line)] = 0xFF
        want[: len(line)] = np.frombuffer(line, dtype=np.uint8)
        self._numbers: list[tuple[Number, list[tuple[int, int]], int]] = []
        self._fields: list[tuple[int, int]] = []
        self._clocks: list[tuple[int, Clock]] = []
        for index, piece in enumerate(template.pieces, 1):
            if isinstance(piece, Word):
                span = slice(*found.span(f"p{index}"))
                # 0x21 + 0x5F is 0x80: the top bit tells a printable character from a blank.
                same[span], want[span], keep[span], add[span], top[span] = 0, 0x80, 0x7F, 0x5F, 0x80
                continue
            runs = []
            if isinstance(piece, Number):
                names = (f"p{index}",) if piece.whole else (f"p{index}", f"f{index}")
                runs = [found.span(name) for name in names if found[name]]
                if piece.name:
                    places = 0 if len(runs) < 2 else runs[1][1] - runs[1][0]
                    self._numbers.append((piece, runs, places))
                begin, end = found.span(f"p{index}")
                lead = found.span(f"b{index}")[0] if piece.padded else begin
                if lead < begin and end - lead <= 8:
                    # A field of fixed width: bits of a blank or a digit, looked at once more.
                    span = slice(lead, end)
                    same[span], want[span], keep[span], add[span], top[span] = (
                        0x60,
                        0x20,
                        15,
                        0x76,
                        0x80,
                    )
                    self._fields.append((lead, end))
                    if piece.name:
                        self._numbers[-1] = (piece, [(lead, end)], 0)
                    continue
            elif isinstance(piece, Clock):
                begin, end = found.span(f"p{index}")
                runs = [(at, at + 1) for at in range(begin, end) if line[at : at + 1].isdigit()]
                self._clocks.append((begin, piece))
            for begin, end in runs:
                # High bits as in 0x30, and a low half of at most 9: 0x76 more sets no top bit.
                span = slice(begin, end)
                same[span], want[span], keep[span], add[span], top[span] = (
                    0x70,
                    0x30,
                    15,
                    0x76,
                    0x80,
                )
        if "rest" in found.groupdict():
            same[slice(*found.span("rest"))] = want[slice(*found.span("rest"))] = 0
        self._same, self._want, self._keep, self._add, self._top = (
            part.view("<u8") for part in (same, want, keep, add, top)
        )

    def read(
        self, text: Text, begins: Cursors, scratch: Scratch
    ) -> tuple[Mask, dict[str, NDArray[Any]]]:
        """Which lines have this layout, and the columns of those that do.

        `scratch` is three arrays of at least as many rows: a fresh one of that size would cost
        more than what is done in it.
        """
        rows = np.ndarray(
            (text.buffer.size - self.width,), f"V{self.width}", text.buffer, strides=(1,)
        )[begins]
        words: NDArray[np.uint64] = rows.view("<u8").reshape(begins.size, -1)
        seen, fixed, equal = (array[: begins.size] for array in scratch)
        np.bitwise_and(words, self._keep, out=seen)
        np.add(seen, self._add, out=seen)
        np.bitwise_and(seen, self._top, out=seen)
        np.bitwise_and(words, self._same, out=fixed)
        np.bitwise_or(seen, fixed, out=seen)
        np.equal(seen, self._want, out=equal)
        whole = equal.view("<u8") == _ALL
        good: Mask = whole[:, 0]
        for column in range(1, whole.shape[1]):
            good = good & whole[:, column]
        for begin, end in self._fields:
            good = good & _padded(words, begin, end)
        if not good.all():
            words = words[good]
        values: dict[str, NDArray[Any]] = {}
        if not words.size:
            return good, values
        for begin, form in self._clocks:
            inside, values[TIME] = clock(partial(_ahead, words, begin), form, digital=True)
            if not inside.all():
                good[np.flatnonzero(good)[~inside]] = False
                words, values[TIME] = words[inside], values[TIME][inside]
        numbers = _numbers(words, [runs for _piece, runs, _places in self._numbers])
        for (piece, _runs, places), number in zip(self._numbers, numbers, strict=True):
            values[piece.name] = number if piece.whole else quotient(number, places)
        return good, values


def _at(words: Words, offset: int) -> Words:
    """The eight bytes at an offset of every row."""
    index, shift = divmod(offset, 8)
    if not shift:
        return words[:, index].copy()
    low = words[:, index] >> U(8 * shift)
    if index + 1 < words.shape[1]:
        low |= words[:, index + 1] << U(64 - 8 * shift)
    return low


def _padded(words: Words, begin: int, end: int) -> Mask:
    """Whether blanks, then digits stand there; the bytes are known to be like one or other."""
    field = _at(words, begin) << U(64 - 8 * (end - begin))
    digit = (field >> U(4)) & _ALL
    blank = ~(digit * U(0x0F)) & _NIBBLES
    # No blank with a low half of its own, none after a digit, a digit last.
    wrong = (field & blank) | (digit & ~(digit >> U(8)) & U(0x0001010101010101))
    good: Mask = (wrong == U(0)) & (digit >> U(56) == U(1))
    return good


def _ahead(words: Words, begin: int, distance: int) -> Words:
    return _at(words, begin + distance)


def _digits(words: Words, runs: list[tuple[int, int]]) -> list[tuple[Words, int]]:
    """The digits of a number in words of at most eight, and how many each holds.

    The point between two runs is left out by joining the bytes before and behind it.
    """
    (begin, point), (_, end) = runs[0], runs[-1]
    skip = len(runs) - 1
    out = []
    for at in range(begin, end - skip, 8):
        size = min(8, end - skip - at)
        if not skip or at + size <= point:
            word = _at(words, at)
        elif at >= point:
            word = _at(words, at + 1)
        else:
            before = U((1 << 8 * (point - at)) - 1)
            word = (_at(words, at) & before) | (_at(words, at + 1) & ~before)
        if size < 8:
            word <<= U(64 - 8 * size)
        out.append((word, size))
    return out


def _numbers(words: Words, wanted: list[list[tuple[int, int]]]) -> list[NDArray[np.int64]]:
    """Every wanted number's digits as one integer; the words of all are worked out together."""
    parts = [_digits(words, runs) for runs in wanted]
    stack = np.array([word for part in parts for word, _size in part])
    stack &= _NIBBLES
    values = iter(eight(stack).view(np.int64))
    out = []
    for part in parts:
        whole = next(values)
        for _word, size in part[1:]:
            whole = whole * 10**size + next(values)
        out.append(whole)
    return out


class Layouts:
    """The layouts in which a template was seen so far."""

    def __init__(self, template: Template) -> None:
        self.template = template
        self.pattern = re.compile(_pattern(template))
        self._points = [name for name in self.pattern.groupindex if name.startswith("f")]
        self._known: dict[int, list[Layout]] = {}
        self._arrays: dict[int, Scratch] = {}

    def walk(
        self, text: Text, data: memoryview, begins: Cursors, ends: Cursors, rows: NDArray[np.intp]
    ) -> Columns:
        """As `lockstep.walk`: by rows where widths repeat, in lock-step what is left."""
        sizes = ends[rows] - begins[rows]
        order = np.argsort(np.minimum(sizes, 0xFFFF).astype(np.uint16), kind="stable")
        cuts = np.flatnonzero(np.diff(sizes[order])) + 1
        read: list[Columns] = []
        rest: list[NDArray[np.intp]] = []
        for group in np.split(order, cuts):
            size = int(sizes[group[0]])
            left = rows[group]
            if group.size >= _FEWEST and size < _WIDEST:
                left = self._rows(text, data, begins, left, size, read)
            if left.size:
                rest.append(left)
        if rest:
            left = np.sort(np.concatenate(rest))
            read.append(walk(text, begins[left], left, self.template))
        return _merged(read, begins.size)

    def _rows(
        self,
        text: Text,
        data: memoryview,
        begins: Cursors,
        lines: NDArray[np.intp],
        size: int,
        read: list[Columns],
    ) -> NDArray[np.intp]:
        """Reads lines of one length; returns those that have no known layout."""
        known = self._known.setdefault(size, [])
        tried = 0
        while lines.size >= _FEWEST:
            if tried == len(known):
                begin = int(begins[lines[0]])
                found = self.pattern.fullmatch(bytes(data[begin : begin + size]))
                if found is None or tried >= _MOST_LAYOUTS or self._long(found):
                    break
                known.append(Layout(self.template, found))
            left = []
            for at in range(0, lines.size, _BATCH):
                batch = lines[at : at + _BATCH]
                good, values = known[tried].read(
                    text, begins[batch], self._scratch(known[tried].width // 8)
                )
                if good.all():
                    read.append(Columns(batch, values))
                    continue
                left.append(batch[~good])
                if good.any():
                    read.append(Columns(batch[good], values))
            before, lines = lines.size, np.concatenate(left) if left else lines[:0]
            known[tried].hits += before - lines.size
            tried += 1
        known.sort(key=lambda layout: -layout.hits)
        return lines

    def _scratch(self, words: int) -> Scratch:
        if words not in self._arrays:
            kinds = (np.uint64, np.uint64, np.bool_)
            arrays = tuple(np.empty((_BATCH, words), dtype=kind) for kind in kinds)
            self._arrays[words] = cast("Scratch", arrays)
        return self._arrays[words]

    def _long(self, found: re.Match[bytes]) -> bool:
        """Whether a number has more digits than a mantissa may."""
        return any(
            len(found[name] or b"") + len(found["p" + name[1:]]) > MOST_DIGITS
            for name in self._points
        )


def _merged(read: list[Columns], lines: int) -> Columns:
    """All columns in the lines' order."""
    read = [columns for columns in read if columns.rows.size]
    if not read:
        return Columns(np.empty(0, dtype=np.intp))
    fits = np.zeros(lines, dtype=np.bool_)
    for columns in read:
        fits[columns.rows] = True
    out = Columns(np.flatnonzero(fits))
    for name, column in read[0].values.items():
        whole = np.empty(lines, dtype=column.dtype)
        for columns in read:
            whole[columns.rows] = columns.values[name]
        out.values[name] = whole[out.rows]
    return out


def _pattern(template: Template) -> bytes:
    """A regular expression for the lines of a template, its parts as groups."""
    out = []
    for index, piece in enumerate(template.pieces, 1):
        if isinstance(piece, Literal):
            out.append(re.escape(piece.text))
        elif isinstance(piece, Word):
            out.append(rb"(?P<p%d>[!-~]++)" % index)
        elif isinstance(piece, Clock):
            out.append(rb"(?P<p%d>.{%d})" % (index, clock_size(piece)))
        elif isinstance(piece, Number):
            pad = rb"(?P<b%d> *+)" % index if piece.padded else b""
            digits = rb"(?P<p%d>\d{1,7}+)" % index
            point = b"" if piece.whole else rb"(?:\.(?P<f%d>\d{0,17}+))?+" % index
            out.append(pad + digits + point)
    if not isinstance(template.pieces[-1], End):
        out.append(rb"(?P<rest>.*+)")
    return b"".join(out)
