"""All lines of a block that fit a template, by the layouts in which it was seen so far."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from parsers.scan.decimals import MOST_DIGITS, MOST_WHOLE
from parsers.scan.glyphs import GLYPH
from parsers.scan.layout import WIDEST, Layout, Scratch
from parsers.scan.lockstep import TIME, Columns, clock_size, walk
from parsers.scan.pieces import Bar, Blanks, Clock, Digits, End, Literal, Number, Piece, Word
from parsers.scan.words import Cursors, Text, U

_FEWEST = 16
"""Lines of one length that are worth a layout of their own."""
_FEW = 600
"""Lines that are read one by one sooner than in lock-step."""
_MOST_LAYOUTS = 12
_MOST = 0.9
"""Share of a block's lines from which those of the next are not told by their beginnings."""

_Indices = NDArray[np.intp]


class Layouts:
    """The layouts of one template.

    Args:
        pieces: The template's.
        scratch: Shared by all that read the same blocks, one at a time.
    """

    def __init__(self, pieces: tuple[Piece, ...], scratch: Scratch) -> None:
        self._pieces = pieces
        self.pattern = re.compile(_pattern(pieces))
        self._parts = [
            (f"p{index}", piece)
            for index, piece in enumerate(pieces, 1)
            if isinstance(piece, Clock) or (isinstance(piece, Number | Digits) and piece.name)
        ]
        self._fractions = ["f" + name[1:] for name, p in self._parts if not _is_whole(p)]
        self._known: dict[int, list[Layout]] = {}
        self._offset, self._mask, self._told = _told(pieces)
        self._least = sum(_least(piece) for piece in pieces)
        self._scratch = scratch
        self._most = False

    def walk(
        self, text: Text, data: memoryview, begins: Cursors, ends: Cursors, rows: _Indices
    ) -> Columns:
        """As `lockstep.walk`: by layouts where widths repeat, in lock-step what is left."""
        every = rows.size
        if not self._most:
            rows = self._begun(text, begins, rows)
        sizes = ends[rows] - begins[rows]
        long = sizes >= self._least
        if not long.all():
            rows, sizes = rows[long], sizes[long]
        if rows.size < 2 * _FEWEST:
            return self._singly(data, begins, ends, rows)
        order = np.argsort(np.minimum(sizes, 0xFFFF).astype(np.uint16), kind="stable")
        cuts = np.flatnonzero(np.diff(sizes[order])) + 1
        read: list[Columns] = []
        rest: list[_Indices] = []
        for group in np.split(order, cuts):
            size = int(sizes[group[0]])
            left = rows[group]
            if group.size >= _FEWEST and size < WIDEST:
                left = self._alike(text, data, begins, left, size, read)
            rest.append(left)
        left = np.sort(np.concatenate(rest))
        self._most = every - left.size > _MOST * every
        if left.size > _FEW:
            read.append(walk(text, begins[left], left, self._pieces))
        elif left.size:
            read.append(self._singly(data, begins, ends, left))
        return _merged(read, begins.size)

    def _begun(self, text: Text, begins: Cursors, lines: _Indices) -> _Indices:
        """Those of the lines that begin as all that fit do."""
        fits = (text.at(begins[lines] + self._offset) & self._mask) == self._told
        return lines if fits.all() else lines[fits]

    def _alike(
        self,
        text: Text,
        data: memoryview,
        begins: Cursors,
        lines: _Indices,
        size: int,
        read: list[Columns],
    ) -> _Indices:
        """Reads lines of one length; returns those that have no known layout."""
        known = self._known.setdefault(size, [])
        for layout in known:
            layout.hits = 0
        tried = 0
        while lines.size >= _FEWEST:
            if tried == len(known):
                begin = int(begins[lines[0]])
                found = self.pattern.fullmatch(bytes(data[begin : begin + size]))
                if found is None or tried >= _MOST_LAYOUTS or self._long(found):
                    break
                known.append(Layout(self._pieces, found))
            left = []
            layout = known[tried]
            for at in range(0, lines.size, layout.batch):
                batch = lines[at : at + layout.batch]
                good, values = layout.read(text, begins[batch], self._scratch)
                if good.all():
                    read.append(Columns(batch, values))
                    continue
                left.append(batch[~good])
                if good.any():
                    read.append(Columns(batch[good], values))
            before, lines = lines.size, np.concatenate(left) if left else lines[:0]
            layout.hits = before - lines.size
            tried += 1
        # What the last block was full of the next one begins with: counters grow wider for good.
        # A layout with fields comes first, for it fits where those are full, too.
        known.sort(key=lambda layout: (not layout.hits, not layout.fields, -layout.hits))
        return lines

    def _long(self, found: re.Match[bytes]) -> bool:
        """Whether a number has more digits than a mantissa may."""
        return any(
            len(found[name] or b"") + len(found["p" + name[1:]]) > MOST_DIGITS
            for name in self._fractions
        )

    def _singly(self, data: memoryview, begins: Cursors, ends: Cursors, lines: _Indices) -> Columns:
        """Reads a few lines that have no layout, one by one."""
        rows: list[int] = []
        values: list[list[float]] = []
        spans = zip(lines.tolist(), begins[lines].tolist(), ends[lines].tolist(), strict=True)
        for line, begin, end in spans:
            found = self.pattern.fullmatch(data, begin, end)
            if found is None or self._long(found):
                continue
            try:
                values.append([_value(found, name, piece) for name, piece in self._parts])
            except ValueError:  # no such day or time
                continue
            rows.append(line)
        columns = Columns(np.array(rows, dtype=np.intp))
        for (_name, piece), column in zip(self._parts, zip(*values, strict=True), strict=False):
            if isinstance(piece, Clock):
                columns.values[TIME] = np.array(column, dtype=np.int64)
            else:
                kind = np.int64 if _is_whole(piece) else np.float64
                columns.values[piece.name] = np.array(column, dtype=kind)
        return columns


def _told(pieces: tuple[Piece, ...]) -> tuple[int, U, U]:
    """By what lines are told before they are read: the end of what stands in a fixed place.

    Returns:
        Where in a line, which bits of the eight bytes there, and what they are.
    """
    at, told = 0, (0, b"")
    for piece in pieces:
        if not isinstance(piece, Literal | Digits | Clock):
            break
        end = at + _least(piece)
        if isinstance(piece, Literal):
            text = piece.text[-8:]
            if len(text) >= len(told[1]) and end <= WIDEST:
                told = end - len(text), text
        at = end
    offset, text = told
    return offset, U((1 << 8 * len(text)) - 1), U(int.from_bytes(text, "little"))


def _value(found: re.Match[bytes], name: str, piece: Clock | Number | Digits) -> float:
    if isinstance(piece, Clock):
        return piece.read(found[name].decode())
    if isinstance(piece, Digits) or piece.whole:
        return int(found[name])
    index = name[1:]
    power = b"e" + found["x" + index] if piece.power else b""
    return float(found[name] + b"." + (found["f" + index] or b"") + power)


def _is_whole(piece: Clock | Number | Digits) -> bool:
    return not isinstance(piece, Number) or piece.whole


def _least(piece: Piece) -> int:
    """Characters of a piece at the least."""
    match piece:
        case Literal():
            return len(piece.text)
        case Digits():
            return piece.count
        case Clock():
            return clock_size(piece)
        case Bar() | End():
            return 0
    return 1


def _merged(read: list[Columns], lines: int) -> Columns:
    """All columns in the lines' order."""
    read = [columns for columns in read if columns.rows.size]
    if not read:
        return Columns(np.empty(0, dtype=np.intp))
    if len(read) == 1:
        return read[0]
    fits = np.zeros(lines, dtype=np.bool_)
    for columns in read:
        fits[columns.rows] = True
    out = Columns(np.flatnonzero(fits))
    rank = np.cumsum(fits) - 1
    places = [rank[columns.rows] for columns in read]
    for name, column in read[0].values.items():
        whole = out.values[name] = np.empty(out.rows.size, dtype=column.dtype)
        for place, columns in zip(places, read, strict=True):
            whole[place] = columns.values[name]
    return out


def _pattern(pieces: tuple[Piece, ...]) -> bytes:
    """A regular expression for the lines of a template, its parts as groups."""
    out = []
    for index, piece in enumerate(pieces, 1):
        if isinstance(piece, Literal):
            out.append(re.escape(piece.text))
        elif isinstance(piece, Blanks):
            out.append(rb" ++")
        elif isinstance(piece, Word):
            out.append(rb"(?P<p%d>(?:[!-~]|%s)++)" % (index, GLYPH))
        elif isinstance(piece, Bar):
            out.append(rb"(?P<p%d>(?:[ -?]|%s)*+)" % (index, GLYPH))
        elif isinstance(piece, Clock):
            out.append(rb"(?P<p%d>%s)" % (index, _clock(piece)))
        elif isinstance(piece, Digits):
            out.append(rb"(?P<p%d>\d{%d})" % (index, piece.count))
        elif isinstance(piece, Number):
            out.append(_number(piece, index))
    if not isinstance(pieces[-1], End):
        out.append(rb"(?P<rest>.*+)")
    return b"".join(out)


def _number(piece: Number, index: int) -> bytes:
    pad = rb"(?P<b%d> *+)" % index if piece.padded else b""
    sign = b"" if piece.name else rb"(?P<s%d>%s?)" % (index, b"-" if piece.strict else b"[-+]")
    most = (rb"%d" % MOST_WHOLE, rb"17") if piece.name else (b"18" if piece.whole else b"", b"")
    zero = b"(?!0\\d)" if piece.strict else b""
    digits = zero + rb"(?P<p%d>\d{1,%s}+)" % (index, most[0])
    least = int(piece.strict)
    fraction = rb"(?:\.(?P<f%d>\d{%d,%s}+))?+" % (index, least, most[1])
    point = b"" if piece.whole else fraction
    power = re.escape(piece.power) + rb"(?P<x%d>[-+]\d\d)" % index if piece.power else b""
    return pad + sign + digits + point + power


def _clock(piece: Clock) -> bytes:
    return re.escape(piece.face).replace("0", r"\d").encode()
