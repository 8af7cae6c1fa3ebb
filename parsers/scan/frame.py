"""Where the parts of a line stand once its words are gathered."""

from __future__ import annotations

import re
from typing import NamedTuple

from parsers.scan.pieces import Number, Piece

TAIL = 8
"""Digits at a number's end of which some or all may be missing: a word."""
_EVERY = 17
"""Digits that tell every double from all others: as many as are printed at the most."""


class Frame(NamedTuple):
    """A line as it is gathered.

    A number as it came out of a computation ends where it may: lines that differ in how many digits
    it has are read together. What stands before its last eight is gathered from a line's beginning,
    they and what stands behind them from its end.

    Attributes:
        text: The bytes of a line, the newline included.
        cut: Where the part ends that is gathered from the beginning.
        end: Where in the line the part begins that is gathered from the end.
        tail: The word of the digits between, with which the second part begins; 0 for none.
        ragged: The number they belong to.
        found: The line as it was matched.
    """

    text: bytes
    cut: int
    end: int
    tail: int
    ragged: Number | None
    found: re.Match[bytes]

    @classmethod
    def of(cls, pieces: tuple[Piece, ...], found: re.Match[bytes]) -> Frame:
        """The frame of lines like one."""
        line = found.string + b"\n"
        rest = found.start("rest") if "rest" in found.groupdict() else 0
        numbers = [(index, p) for index, p in enumerate(pieces, 1) if isinstance(p, Number)]
        long = [
            (index, piece)
            for index, piece in numbers
            if not (piece.whole or piece.padded or piece.power)
            and len(found[f"f{index}"] or b"") > TAIL
        ]
        if rest or len(long) != 1:
            size = rest or len(line)
            return cls(line[:size], size, size, 0, None, found)
        index, piece = long[0]
        whole = len(found[f"p{index}"])
        begin, end = found.span(f"f{index}")
        # Ten bytes at the least stand before the cut: the tail reaches back into no other line.
        cut = begin + max(end - begin, _EVERY - whole) - TAIL
        tail = -(-cut // 8)
        text = line[:cut].ljust(8 * tail + TAIL) + line[end:]
        return cls(text, cut, end, tail, piece, found)

    def span(self, name: str) -> tuple[int, int]:
        """Where a part of the pattern stands in `text`."""
        begin, end = self.found.span(name)
        if begin < self.end:
            return begin, min(end, self.cut)
        moved = 8 * self.tail + TAIL - self.end
        return begin + moved, end + moved
