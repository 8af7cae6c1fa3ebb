"""A block of whole lines as words of eight bytes, so that many lines are looked at at once.

A cursor is a byte position; every function here does the same thing at all cursors of an array.
Words are little-endian: the byte at the cursor is the lowest one.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Cursors: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]
Floats: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]

U = np.uint64
_ZEROS = U(0x3030303030303030)
_TOPS = U(0x8080808080808080)
_ABOVE_NINE = U(0x7676767676767676)
"""Added to a byte below 128, sets its highest bit where the byte is above 9."""
_PLACES = U(0x0001020304050607)
"""Times one bit at the beginning of a byte: the highest byte is that byte's place."""
_SEVEN, _EIGHT, _SIXTEEN, _HALF, _LAST, _WIDTH = (U(n) for n in (7, 8, 16, 32, 56, 64))
_PAD = 32
_NEWLINE = 0x0A
MOST_DIGITS = 18
"""Digits that an integer of 64 bits surely holds."""
TENS = np.array([10**n for n in range(MOST_DIGITS + 1)], dtype=np.int64)


class Text:
    """A block.

    Args:
        data: Whole lines.

    Attributes:
        data: As given.
        begins: Where the lines begin.
        ends: Where their newlines are.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        padded = np.frombuffer(data + bytes(_PAD - len(data) % 8), dtype=np.uint8)
        self._words = padded.view("<u8")
        self._next = self._words[1:]
        self.ends: Cursors = np.flatnonzero(padded[: len(data)] == _NEWLINE)
        self.begins: Cursors = np.empty_like(self.ends)
        self.begins[:1] = 0
        self.begins[1:] = self.ends[:-1] + 1

    def at(self, cursors: Cursors) -> Words:
        """The eight bytes at each cursor; two aligned words, which cost less than unaligned ones.

        A cursor behind the block gives some other bytes of it.
        """
        index = cursors >> 3
        shift = ((cursors & 7) << 3).view(np.uint64)
        low = self._words.take(index, mode="clip")
        high = self._next.take(index, mode="clip")
        low >>= shift
        high <<= _WIDTH - shift
        low |= high
        return low

    def digits(self, cursors: Cursors, most: int) -> Cursors:
        """How many digits follow each cursor, counted up to `most` or a few more."""
        count = _leading_digits(self.at(cursors))
        for done in range(8, most, 8):
            full = np.flatnonzero(count == done)
            if not full.size:
                break
            count[full] += _leading_digits(self.at(cursors[full] + done))
        return count

    def number(self, cursors: Cursors, count: Cursors) -> Cursors:
        """The integers of `count` digits, 18 at most, that stand at the cursors."""
        value = _value(self.at(cursors), np.minimum(count, 8))
        for done in (8, 16):
            longer = np.flatnonzero(count > done)
            if longer.size:
                more = np.minimum(count[longer] - done, 8)
                part = _value(self.at(cursors[longer] + done), more)
                value[longer] = value[longer] * TENS.take(more) + part
        return value


def _leading_digits(words: Words) -> Cursors:
    """How many of the eight bytes are digits before the first other one."""
    words = words ^ _ZEROS
    words |= words + _ABOVE_NINE
    words &= _TOPS
    words &= np.negative(words)  # the lowest byte that is none
    none = np.flatnonzero(words == 0)
    words >>= _SEVEN
    words *= _PLACES
    words >>= _LAST
    count = words.view(np.int64)
    count[none] = 8
    return count


def _value(words: Words, count: Cursors) -> Cursors:
    """The numbers that the first `count` bytes are, which are digits."""
    words = words ^ _ZEROS
    words <<= (64 - (count << 3)).view(np.uint64)
    words *= U(10 * 2**8 + 1)
    words >>= _EIGHT
    words &= U(0x00FF00FF00FF00FF)
    words *= U(100 * 2**16 + 1)
    words >>= _SIXTEEN
    words &= U(0x0000FFFF0000FFFF)
    words *= U(10_000 * 2**32 + 1)
    words >>= _HALF
    return words.view(np.int64)
