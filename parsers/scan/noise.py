"""Lines that no reader knows, told by the block: they are only counted.

A line is silent where it begins like no statement and no prefix, and holds none of the texts
that a reader or the search for trouble looks for anywhere in a line.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from parsers.format import Reader
from parsers.prefix import BEGINNINGS
from parsers.scan.words import Mask, Text, U, blanks
from parsers.troubles import CLUES

_Indices: TypeAlias = NDArray[np.intp]
_BYTE = U(0xFF)


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
        self._anchors = [
            (U((1 << 8 * len(a)) - 1), U(int.from_bytes(a, "little"))) for a in sorted(short)
        ]

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
        word = text.at(begins[lines])
        lead = blanks(word)
        if lead.any():
            word = text.at(begins[lines] + lead.view(np.int64))
        first = word & _BYTE  # not a blank, a tab or a newline: the text is what is to be looked at
        known: Mask = first <= U(0x20)
        for mask, anchor in self._anchors:
            known |= (word & mask) == anchor
        silent = lines[~known]
        if not silent.size:
            return silent
        return np.delete(silent, self._telling(data, begins[silent], ends[silent]))

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
        return np.unique(np.searchsorted(last, np.array(hits), side="right"))
