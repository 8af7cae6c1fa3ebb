"""The characters of which terminals draw bars and boxes, three bytes each, as signs of ASCII.

Everything else in the scan knows a byte for a character. These characters stand in most
progress bars, so a block is read with three signs for each, which no template has in its fixed
text: they fit where anything may be drawn, and nowhere else.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from parsers.lazy import pattern

SIGN = b"$"
GLYPH = rb"\xe2(?:[\x94\x95][\x80-\xbf]|\x96[\x80-\x9f])"
"""Matches the bytes of one, U+2500 to U+259F."""
_GLYPHS = pattern("[\u2500-\u259f]")
_LEAD, _LAST = 0xE2, 0x96


def without(text: str) -> str:
    """A text with a sign for each of them."""
    return _GLYPHS.sub(SIGN.decode(), text)


def flatten(buffer: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Puts signs in their place; returns where each began."""
    lead = np.flatnonzero(buffer[:-2] == _LEAD)
    second, third = buffer.take(lead + 1), buffer.take(lead + 2)
    good = (second >= 0x94) & (second <= _LAST) & (third >= 0x80) & (third <= 0xBF)
    good &= (second < _LAST) | (third <= 0x9F)
    lead = lead[good]
    for place in range(3):
        buffer[lead + place] = SIGN[0]
    return lead
