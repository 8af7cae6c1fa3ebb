"""Eight bytes of every line at once: gathers, searches and digits on 64-bit words.

A cursor array holds one byte position a line; every function here does the same thing at all
of them. Words are little-endian, so a line's next byte is the lowest one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from parsers.ring import MARGIN

Cursors: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]
Mask: TypeAlias = NDArray[np.bool_]

PAD = MARGIN - 8
"""Bytes that must follow the text in a buffer, so that no gather leaves it."""

U = np.uint64
_ONES = U(0x0101010101010101)
TOPS = U(0x8080808080808080)
"""The highest bit of every byte."""
_ZEROS = U(0x3030303030303030)
NOT_DIGIT = U(0x7676767676767676)
"""Added to a byte below the top bit, sets that where the byte is above 9."""
NIBBLES = U(0x0F0F0F0F0F0F0F0F)
"""The lower half of every byte."""
_BLANKS = U(0x2020202020202020)
_PRINTABLE = U(0x2121212121212121)
_HIGH = U(0x6060606060606060)
_ONE, _THREE, _EIGHT, _SIXTEEN, _THIRTYTWO, _WIDTH = (U(n) for n in (1, 3, 8, 16, 32, 64))


def bits_below(marks: Words) -> Words:
    """How many bits lie below the lowest one set; 64 where there is none."""
    low: Words = marks & (~marks + _ONE)
    low -= _ONE
    if hasattr(np, "bitwise_count"):
        counted: Words = np.bitwise_count(low).astype(np.uint64)
        return counted
    low -= (low >> _ONE) & U(0x5555555555555555)
    low = (low & U(0x3333333333333333)) + ((low >> U(2)) & U(0x3333333333333333))
    return (((low + (low >> U(4))) & NIBBLES) * _ONES) >> U(56)


_PART = 1 << 18
"""Bytes that are marked together: their marks stay near the processor until they are packed."""
_LOWEST = np.array([0, *((n & -n).bit_length() - 1 for n in range(1, 256))], dtype=np.int64)
"""The lowest bit set of every byte."""


class Marks:
    """Room for a mark of every byte of a block.

    Args:
        size: Most bytes of a block.
    """

    def __init__(self, size: int) -> None:
        self._part = np.zeros(_PART, dtype=np.bool_)
        self._packed = np.zeros(-(-size // 8), dtype=np.uint8)

    def where(
        self, data: NDArray[Any], marked: Callable[[NDArray[Any], Mask], object]
    ) -> NDArray[np.int64]:
        """Where bytes are marked, as `flatnonzero`; a third of its time where that is seldom.

        Args:
            data: The bytes.
            marked: Writes for each of some bytes whether it is.
        """
        packed = self._packed[: -(-data.size // 8)]
        for begin in range(0, data.size, _PART):
            some = data[begin : begin + _PART]
            part = self._part[: some.size]
            marked(some, part)
            bits = np.packbits(part, bitorder="little")
            packed[begin >> 3 : (begin >> 3) + bits.size] = bits
        at: NDArray[np.int64] = (packed != 0).nonzero()[0]
        bits = packed[at]
        if (bits & (bits - 1)).any():  # two in one byte
            return np.flatnonzero(np.unpackbits(packed, count=data.size, bitorder="little"))
        at <<= 3
        at += _LOWEST.take(bits)
        return at


def distinct(values: NDArray[Any]) -> NDArray[Any]:
    """The values, rising, each once: as `np.unique`, which loads a package for masked arrays."""
    rising = np.sort(values)
    new = np.ones(rising.size, dtype=np.bool_)
    np.not_equal(rising[1:], rising[:-1], out=new[1:])
    found: NDArray[Any] = rising[new]
    return found


class Text:
    """A block of text as words.

    Args:
        buffer: The bytes, with at least `PAD` more behind them; its size is a multiple of 8.
    """

    def __init__(self, buffer: NDArray[np.uint8]) -> None:
        self.buffer = buffer
        self._low = buffer.view("<u8")
        self._high = self._low[1:]
        self._every: dict[int, NDArray[Any]] = {}

    def at(self, cursors: Cursors) -> Words:
        """The eight bytes at each cursor (two aligned reads: an unaligned one costs more)."""
        index = cursors >> 3
        shift = ((cursors & 7) << 3).view(np.uint64)
        word = self._low.take(index, mode="clip")
        word >>= shift
        high = self._high.take(index, mode="clip")
        high <<= _WIDTH - shift  # a shift by 64 gives 0
        word |= high
        return word

    def rows(self, cursors: Cursors, size: int) -> Words:
        """The `size` words behind each cursor (at most `PAD` bytes), a row a cursor."""
        every = self._every.get(size)
        if every is None:
            width = 8 * size
            every = np.ndarray((self.buffer.size - width,), f"V{width}", self.buffer, strides=(1,))
            self._every[size] = every
        words: Words = every[cursors].view("<u8").reshape(-1, size)
        return words


def literal(text: Text, cursors: Cursors, wanted: bytes) -> Mask:
    """Where `wanted` stands at the cursor."""
    good: Mask | None = None
    for begin in range(0, len(wanted), 8):
        piece = wanted[begin : begin + 8]
        word = text.at(cursors + begin if begin else cursors)
        if len(piece) < 8:
            word &= U((1 << 8 * len(piece)) - 1)
        same = word == U(int.from_bytes(piece, "little"))
        good = same if good is None else good & same
    assert good is not None
    return good


def blanks(word: Words) -> Words:
    """How many blanks begin the word (0..8)."""
    return bits_below(word ^ _BLANKS) >> _THREE


def token(text: Text, cursors: Cursors) -> Cursors:
    """The length of the run of printable, non-blank bytes at each cursor.

    The text must hold no byte above 127: a borrow could not tell.
    """
    return _run_of(lambda word: (word - _PRINTABLE) & TOPS, text, cursors)


def indent(text: Text, cursors: Cursors) -> Cursors:
    """The length of the run of blanks at each cursor."""
    return _run_of(lambda word: ((word ^ _BLANKS) + ~TOPS) & TOPS, text, cursors)


def drawn(text: Text, cursors: Cursors) -> Cursors:
    """The length of the run of bytes from a blank to `?` at each cursor."""
    return _run_of(lambda word: (((word ^ _BLANKS) & _HIGH) + _HIGH) & TOPS, text, cursors)


def _run_of(others: Callable[[Words], Words], text: Text, cursors: Cursors) -> Cursors:
    """How many bytes go before the first of which `others` sets the top bit."""
    out = (bits_below(others(text.at(cursors))) >> _THREE).view(np.int64)
    rest = np.flatnonzero(out == 8)
    begin = 8
    while rest.size:
        more = bits_below(others(text.at(cursors[rest] + begin))) >> _THREE
        out[rest] += more.view(np.int64)
        rest = rest[more == _EIGHT]
        begin += 8
    return out


def digits(word: Words) -> tuple[Words, Words]:
    """The run of digits at the start of each word: (how many, 0..8; their value).

    The value is right for one to eight digits.
    """
    plain = word ^ _ZEROS
    bits = bits_below(((plain + NOT_DIGIT) | plain) & TOPS)
    count = bits >> _THREE
    plain <<= _WIDTH - (count << _THREE)
    return count, eight(plain)


def number(word: Words, count: int) -> Words:
    """The value of one to eight digits at the start of each word."""
    return eight((word ^ _ZEROS) << U(64 - 8 * count))


def run(text: Text, cursors: Cursors) -> Cursors:
    """The length of the run of digits at each cursor."""
    out = digits(text.at(cursors))[0].view(np.int64).copy()
    rest = np.flatnonzero(out == 8)
    while rest.size:
        more = digits(text.at(cursors[rest] + out[rest]))[0].view(np.int64)
        out[rest] += more
        rest = rest[more == 8]
    return out


def fixed(text: Text, cursors: Cursors, count: int) -> Cursors:
    """The number that so many digits make, at most 18; anything where they are none."""
    value = np.zeros(cursors.size, dtype=np.int64)
    for begin in range(0, count, 8):
        size = min(8, count - begin)
        plain = (text.at(cursors + begin) ^ _ZEROS) << U(64 - 8 * size)
        value = value * 10**size + eight(plain).view(np.int64)
    return value


def eight(plain: Words) -> Words:
    """The number that eight digits make, each a byte from 0 to 9, the first one lowest.

    Pairs, fours and eights in three multiplications. Fewer digits stand in the upper bytes.
    The digits are overwritten.
    """
    pairs = plain
    pairs *= U(10 << 8 | 1)
    pairs >>= _EIGHT
    pairs &= U(0x00FF00FF00FF00FF)
    pairs *= U(100 << 16 | 1)
    pairs >>= _SIXTEEN
    pairs &= U(0x0000FFFF0000FFFF)
    pairs *= U(10_000 << 32 | 1)
    pairs >>= _THIRTYTWO
    return pairs
