"""A block of whole lines as words of eight bytes, so that many lines are looked at at once.

A cursor is a byte position; every function here does the same thing at all cursors of an array.
Words are little-endian: the byte at the cursor is the lowest one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from mmap import mmap
from typing import NamedTuple, TypeAlias

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
_ABOVE_ZERO = U(0x7F7F7F7F7F7F7F7F)
_BLANKS = U(0x2020202020202020)
_PLACES = U(0x0001020304050607)
"""Times one bit at the beginning of a byte: the highest byte is that byte's place."""
_SEVEN, _EIGHT, _SIXTEEN, _HALF, _LAST, _WIDTH = (U(n) for n in (7, 8, 16, 32, 56, 64))
PAD = 64
"""Bytes that must stand behind the lines: no word that is looked at lies behind these."""
_NEWLINE = 0x0A
MOST_DIGITS = 18
"""Digits that an integer of 64 bits surely holds."""
TENS = np.array([10**n for n in range(MOST_DIGITS + 1)], dtype=np.int64)


class Expected(NamedTuple):
    """Eight bytes that are expected: any of these bits is set where they are others.

    Of a byte x, (x ^ pattern | (x ^ pattern) + add) & mask.
    """

    pattern: U
    add: U
    mask: U


class Text:
    """A block.

    Args:
        buffer: Whole lines, and at least `PAD` bytes more.
        size: Bytes of the lines; by default all but the last `PAD`.

    Attributes:
        data: The lines.
        begins: Where the lines begin.
        ends: Where their newlines are.
    """

    def __init__(self, buffer: bytes | mmap, size: int = -1) -> None:
        size = size if size >= 0 else len(buffer) - PAD
        self.data = memoryview(buffer)[:size]
        self._words = np.frombuffer(buffer, dtype="<u8", count=(size + PAD) // 8)
        self.ends: Cursors = np.flatnonzero(np.frombuffer(self.data, dtype=np.uint8) == _NEWLINE)
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
        high = self._words[1:].take(index, mode="clip")
        low >>= shift
        high <<= _WIDTH - shift
        low |= high
        return low

    def differs(self, cursors: Cursors, words: Sequence[Expected], wrong: Words) -> None:
        """Sets bits of `wrong` where what stands at the cursors is not what is expected there."""
        index = cursors >> 3
        shift = ((cursors & 7) << 3).view(np.uint64)
        back = _WIDTH - shift
        low = self._words.take(index, mode="clip")
        for place, (pattern, add, mask) in enumerate(words, 1):
            high = self._words[place:].take(index, mode="clip")
            low >>= shift
            found = high << back
            found |= low
            found ^= pattern
            if add:
                found |= found + add
            found &= mask
            wrong |= found
            low = high

    def digits(self, cursors: Cursors, most: int) -> Cursors:
        """How many digits follow each cursor, counted up to `most` or a few more."""
        count = _leading(self.at(cursors) ^ _ZEROS, _ABOVE_NINE)
        for done in range(8, most, 8):
            full = np.flatnonzero(count == done)
            if not full.size:
                break
            count[full] += _leading(self.at(cursors[full] + done) ^ _ZEROS, _ABOVE_NINE)
        return count

    def blanks(self, cursors: Cursors) -> Cursors:
        """How many blanks follow each cursor, 8 at most."""
        return _leading(self.at(cursors) ^ _BLANKS, _ABOVE_ZERO)

    def number(self, cursors: Cursors, count: Cursors | int) -> Cursors:
        """The integers of `count` digits, 18 at most, that stand at the cursors."""
        if isinstance(count, int):
            value = _value(self.at(cursors), min(count, 8))
            for done in range(8, count, 8):
                more = min(count - done, 8)
                value = value * 10**more + _value(self.at(cursors + done), more)
            return value
        value = _value(self.at(cursors), np.minimum(count, 8))
        for done in (8, 16):
            longer = np.flatnonzero(count > done)
            if longer.size:
                many = np.minimum(count[longer] - done, 8)
                part = _value(self.at(cursors[longer] + done), many)
                value[longer] = value[longer] * TENS[many] + part
        return value


def expected(literal: bytes, digits: Mapping[int, int]) -> list[Expected]:
    """What is expected of lines at some place, eight bytes at a time.

    Args:
        literal: The text.
        digits: Where any digits may stand in place of it, and how many.
    """
    anything = {place for begin, count in digits.items() for place in range(begin, begin + count)}
    out = []
    for offset in range(0, len(literal), 8):
        places = range(offset, min(offset + 8, len(literal)))
        pattern = bytes(0x30 if place in anything else literal[place] for place in places)
        add = bytes(0x76 if place in anything else 0 for place in places)
        mask = bytes(0x80 if place in anything else 0xFF for place in places)
        out.append(Expected(*(U(int.from_bytes(one, "little")) for one in (pattern, add, mask))))
    return out


def _leading(words: Words, above: U) -> Cursors:
    """How many of eight bytes come before the first that is larger than allowed.

    Args:
        words: Is changed.
        above: Sets the highest bit of such a byte when it is added.
    """
    words |= words + above
    words &= _TOPS
    words &= np.negative(words)  # the lowest such byte
    none = np.flatnonzero(words == 0)
    words >>= _SEVEN
    words *= _PLACES
    words >>= _LAST
    count = words.view(np.int64)
    count[none] = 8
    return count


def _value(words: Words, count: Cursors | int) -> Cursors:
    """The numbers that the first `count` bytes are, which are digits."""
    words = words ^ _ZEROS
    shift = 64 - (count << 3)
    words <<= U(shift) if isinstance(shift, int) else shift.view(np.uint64)
    words *= U(10 * 2**8 + 1)
    words >>= _EIGHT
    words &= U(0x00FF00FF00FF00FF)
    words *= U(100 * 2**16 + 1)
    words >>= _SIXTEEN
    words &= U(0x0000FFFF0000FFFF)
    words *= U(10_000 * 2**32 + 1)
    words >>= _HALF
    return words.view(np.int64)
