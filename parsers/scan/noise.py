"""Lines that no reader knows, told by the block: they are only counted.

A line is silent where it begins like no statement and no prefix, and holds none of the texts
that a reader or the search for trouble looks for anywhere in a line. Where many lines differ in
their numbers only, one of them tells that of all: those texts have no digits.
"""

from __future__ import annotations

import re
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from parsers.format import Reader
from parsers.prefix import BEGINNINGS
from parsers.scan.layouts import Layouts
from parsers.scan.pieces import End, Literal, Number, Piece
from parsers.scan.words import Mask, Text, U, blanks, distinct
from parsers.troubles import CLUES

_Indices: TypeAlias = NDArray[np.intp]
_BYTE = U(0xFF)
_LEAD = 8
"""Most characters of an anchor that are compared."""
_FEW = 500
"""Lines that are compared with all anchors at once."""
_MANY = 80
"""Silent lines of a block that are worth a template."""
_MOST_TEMPLATES = 6
_MOST_TRIES = 60
_DIGITS = re.compile(rb"(\d+)")


class Noise:
    """What the lines of one log may be known by.

    Args:
        readers: All that are asked about a line.
    """

    def __init__(self, readers: tuple[Reader, ...]) -> None:
        self._clues: set[bytes] = {clue.encode() for clue in CLUES}
        self._sure = True
        anchors = {word.encode() for word in BEGINNINGS}
        for reader in readers:
            own = type(reader).read is not Reader.read
            own |= type(reader).recognise is not Reader.recognise
            if own and reader.marks is None:
                self._sure = False
            self._clues |= {mark.encode() for mark in reader.marks or ()}
            for statement in reader.statements:
                anchor = statement.shape.anchor.encode()
                clue = "" if anchor else statement.shape.clue
                if anchor:
                    anchors.add(anchor[:8])
                elif clue:
                    self._clues.add(clue.encode())
                else:
                    self._sure = False
        short = {a for a in anchors if not any(a != b and a.startswith(b) for b in anchors)}
        masks = [(1 << 8 * len(a)) - 1 for a in sorted(short)]
        self._masks = np.array(masks, dtype=np.uint64)
        self._anchors = np.array([int.from_bytes(a, "little") for a in sorted(short)], np.uint64)
        self._templates: list[Layouts] = []
        unfit = any(_DIGITS.search(clue) or clue[-1:] in b"+-" for clue in self._clues)
        self._tries = 0 if unfit else _MOST_TRIES

    def among(
        self,
        text: Text,
        data: memoryview,
        begins: NDArray[np.int64],
        ends: NDArray[np.int64],
        lines: _Indices,
    ) -> _Indices:
        """Those of `lines` that mean nothing to anybody."""
        if not self._sure or not lines.size:
            return lines[:0]
        alike: list[_Indices] = []
        for layouts in self._templates:
            fit = layouts.walk(text, data, begins, ends, lines).rows
            if fit.size:
                alike.append(fit)
                lines = np.setdiff1d(lines, fit, assume_unique=True)
        others = self._singly(text, data, begins, ends, lines)
        if others.size >= _MANY and self._tries:
            self._learn(bytes(data[begins[others[0]] : ends[others[0]]]))
        return np.sort(np.concatenate((others, *alike)))

    def _singly(
        self,
        text: Text,
        data: memoryview,
        begins: NDArray[np.int64],
        ends: NDArray[np.int64],
        lines: _Indices,
    ) -> _Indices:
        """As `among`, by looking for every anchor and clue."""
        word = text.at(begins[lines])
        lead = blanks(word)
        if lead.any():
            word = text.at(begins[lines] + lead.view(np.int64))
        first = word & _BYTE  # not a blank, a tab or a newline: the text is what is to be looked at
        known: Mask = first <= U(0x20)
        if word.size < _FEW:
            known |= ((word[:, np.newaxis] & self._masks) == self._anchors).any(axis=1)
        else:
            for mask, anchor in zip(self._masks, self._anchors, strict=True):
                known |= (word & mask) == anchor
        silent = lines[~known]
        if not silent.size:
            return silent
        return np.delete(silent, self._telling(data, begins[silent], ends[silent]))

    def _learn(self, raw: bytes) -> None:
        """Takes a silent line as the example of others with other numbers."""
        self._tries -= 1
        text = raw.lstrip(b" ")
        if b"\t" in raw or _DIGITS.search(text[:_LEAD]) or len(self._templates) == _MOST_TEMPLATES:
            return
        literals = _DIGITS.split(raw)
        pieces: list[Piece] = []
        for index, part in enumerate(literals):
            if index % 2:
                pieces.append(Number("", whole=True, padded=False))
            elif part:
                pieces.append(Literal(part))
        layouts = Layouts((*pieces, End()))
        if layouts.pattern.fullmatch(raw):
            self._templates.append(layouts)

    def _telling(
        self, data: memoryview, begins: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> _Indices:
        """Positions of the lines that hold a clue."""
        pieces = [data[a:b] for a, b in zip(begins.tolist(), ends.tolist(), strict=True)]
        joined = b"\n".join((*pieces, b""))
        hits = []
        for clue in self._clues:
            at = joined.find(clue)
            while at >= 0:
                hits.append(at)
                at = joined.find(clue, joined.find(b"\n", at))
        if not hits:
            return np.empty(0, dtype=np.intp)
        last = np.cumsum(ends + 1 - begins)
        return distinct(np.searchsorted(last, np.array(hits), side="right"))
