"""All lines of a block that fit a template, by the layouts in which it was seen so far."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from parsers.scan.decimals import MOST_DIGITS
from parsers.scan.layout import WIDEST, Layout
from parsers.scan.lockstep import TIME, Columns, clock_size, walk
from parsers.scan.pattern import pattern
from parsers.scan.pieces import Bar, Clock, Digits, End, Literal, Number, Piece
from parsers.scan.words import Cursors, Mask, Text, U

_FEWEST = 16
"""Lines of one length that are worth a layout of their own."""
_FEW = 600
"""Lines that are read one by one sooner than in lock-step."""
_MOST_LAYOUTS = 12
"""Layouts that lines of one length may have."""
_LONG_IDLE = 16
"""Blocks after which a layout is forgotten that no line had."""
_MOST = 0.9
"""Share of a block's lines from which those of the next are not told by their beginnings."""

_Indices = NDArray[np.intp]


class Layouts:
    """The layouts of one template.

    Args:
        pieces: The template's.
    """

    def __init__(self, pieces: tuple[Piece, ...]) -> None:
        self._pieces = pieces
        self.pattern = re.compile(pattern(pieces))
        self._parts = [
            (f"p{index}", piece)
            for index, piece in enumerate(pieces, 1)
            if isinstance(piece, Clock) or (isinstance(piece, Number | Digits) and piece.name)
        ]
        groups = self.pattern.groupindex
        self._values = [
            (groups["v" + name[1:]] if "v" + name[1:] in groups else groups[name], _reader(piece))
            for name, piece in self._parts
        ]
        self._fractions = ["f" + name[1:] for name, p in self._parts if not _is_whole(p)]
        self._known: list[Layout] = []
        self._offset, self._mask, self._told = _told(pieces)
        self._least = sum(_least(piece) for piece in pieces)
        self._most = False

    def walk(
        self, text: Text, data: memoryview, begins: Cursors, ends: Cursors, rows: _Indices
    ) -> Columns:
        """As `lockstep.walk`: by layouts where widths repeat, in lock-step what is left."""
        every = rows.size
        if not self._most:
            rows = self._begun(text, begins, rows)
        if rows.size < begins.size:
            begins, ends = begins[rows], ends[rows]
        if rows.size < 2 * _FEWEST:
            return self._singly(data, rows, begins, ends)
        some = _Lines(text, begins, ends - begins, self._least)
        self._read(some, data)
        read, fits = some.read, ~some.free
        self._most = bool(np.count_nonzero(fits) > _MOST * every)
        left = some.left()
        if left.size > _FEW:
            read.append(walk(text, begins[left], left, self._pieces))
        elif left.size:
            read.append(self._singly(data, left, begins[left], ends[left]))
        if left.size:
            fits[read[-1].rows] = True
        return _merged(read, rows, fits)

    def _read(self, lines: _Lines, data: memoryview) -> None:
        """Reads lines as far as they have a layout, by those known so far and by new ones."""
        for layout in self._known:
            layout.hits = lines.take(layout)
            layout.idle = 0 if layout.hits else layout.idle + 1
        for size in lines.often():
            covering = sum(layout.least <= size <= layout.most for layout in self._known)
            for first in islice(lines.firsts(size), max(_MOST_LAYOUTS - covering, 0)):
                learned = self._learned(data, int(lines.begins[first]), size)
                if learned is None:
                    break
                learned.hits = lines.take(learned)
                self._known.append(learned)
        # What the last block was full of the next one begins with: counters grow wider for good.
        # A layout with fields comes first, for it fits where those are full, too.
        self._known = [layout for layout in self._known if layout.idle < _LONG_IDLE]
        self._known.sort(key=lambda layout: (not layout.hits, not layout.fields, -layout.hits))

    def _learned(self, data: memoryview, begin: int, size: int) -> Layout | None:
        """The layout of a line; None where it has none."""
        found = self.pattern.fullmatch(bytes(data[begin : begin + size]))
        return None if found is None or self._long(found) else Layout(self._pieces, found)

    def _begun(self, text: Text, begins: Cursors, lines: _Indices) -> _Indices:
        """Those of the lines that begin as all that fit do."""
        fits = (text.at(begins[lines] + self._offset) & self._mask) == self._told
        return lines if fits.all() else lines[fits]

    def _long(self, found: re.Match[bytes]) -> bool:
        """Whether a number has more digits than a mantissa may."""
        return any(
            len(found[name] or b"") + len(found["p" + name[1:]]) > MOST_DIGITS
            for name in self._fractions
        )

    def _singly(self, data: memoryview, rows: _Indices, begins: Cursors, ends: Cursors) -> Columns:
        """Reads a few lines that have no layout, one by one."""
        fits: list[int] = []
        values: list[list[float]] = []
        spans = zip(rows.tolist(), begins.tolist(), ends.tolist(), strict=True)
        for row, begin, end in spans:
            found = self.pattern.fullmatch(data, begin, end)
            if found is None:
                continue
            try:
                values.append([read(found[group]) for group, read in self._values])
            except ValueError:  # no such day or time
                continue
            fits.append(row)
        columns = Columns(np.array(fits, dtype=np.intp))
        for (_name, piece), column in zip(self._parts, zip(*values, strict=True), strict=False):
            if isinstance(piece, Clock):
                columns.values[TIME] = np.array(column, dtype=np.int64)
            else:
                kind = np.int64 if _is_whole(piece) else np.float64
                columns.values[piece.name] = np.array(column, dtype=kind)
        return columns


class _Lines:
    """Lines to be read by layouts.

    Args:
        text: The block.
        begins: Where they begin.
        sizes: How long they are.
        least: How long any at least is that can be read.

    Attributes:
        begins: As given.
        free: Which were not read so far.
        read: What was read of the others, their places for rows.
    """

    def __init__(self, text: Text, begins: Cursors, sizes: NDArray[np.int64], least: int) -> None:
        self._text, self.begins, self._sizes, self._least = text, begins, sizes, least
        self._widths = sizes.astype(np.uint16)
        self._widths[(sizes < least) | (sizes >= WIDEST)] = 0  # has no layout
        self._left = begins.size
        self.free = np.ones(begins.size, dtype=np.bool_)
        self.read: list[Columns] = []

    def take(self, layout: Layout) -> int:
        """Reads those that have a layout, where enough may; returns how many have."""
        if self._left < _FEWEST:
            return 0
        fits = self._widths - np.uint16(layout.least) <= layout.most - layout.least
        fits &= self.free
        lines = fits.nonzero()[0]
        if lines.size < _FEWEST:
            return 0
        hits = 0
        for at in range(0, lines.size, layout.batch):
            batch = lines[at : at + layout.batch]
            good, values = layout.read(self._text, self.begins[batch], self._sizes[batch])
            count = int(np.count_nonzero(good))
            if count < batch.size:
                batch = batch[good]
            if count:
                self.read.append(Columns(batch, values))
                self.free[batch] = False
                hits += count
        self._left -= hits
        return hits

    def left(self) -> _Indices:
        """Those that were not read and are long enough."""
        left = np.flatnonzero(self.free)
        return left[self._sizes[left] >= self._least]

    def often(self) -> list[int]:
        """The lengths that enough of those have that were not read, most frequent first."""
        if self._left < _FEWEST:
            return []
        counts = np.bincount(self._widths[self.free]).tolist()
        enough = [size for size, count in enumerate(counts) if size and count >= _FEWEST]
        return sorted(enough, key=lambda size: -counts[size])

    def firsts(self, size: int) -> Iterator[int]:
        """The first line of a length that was not read, again and again while enough are left."""
        while (left := np.flatnonzero(self.free & (self._widths == size))).size >= _FEWEST:
            yield int(left[0])


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


def _reader(piece: Clock | Number | Digits) -> Callable[[bytes], float]:
    """What makes the value of a piece's text."""
    if isinstance(piece, Clock):
        return lambda text: piece.read(text.decode())
    return int if _is_whole(piece) else float


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


def _merged(read: list[Columns], rows: _Indices, fits: Mask) -> Columns:
    """All columns in the lines' order; they were read of places in `rows`, which `fits` marks."""
    read = [columns for columns in read if columns.rows.size]
    if not read:
        return Columns(np.empty(0, dtype=np.intp))
    if len(read) == 1:
        return Columns(rows[read[0].rows], read[0].values)
    places = [columns.rows for columns in read]
    if not fits.all():
        rank = np.cumsum(fits) - 1
        rows, places = rows[fits], [rank[place] for place in places]
    out = Columns(rows)
    for name, column in read[0].values.items():
        whole = out.values[name] = np.empty(rows.size, dtype=column.dtype)
        for place, columns in zip(places, read, strict=True):
            whole[place] = columns.values[name]
    return out
