"""A block of whole lines, and the numbers in lines of one length, many at once.

Lines of one length are the rows of a matrix of bytes. Eight bytes of a row are a word; words are
little-endian: the first of the bytes is the lowest one.
"""

from __future__ import annotations

from mmap import mmap
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Rows: TypeAlias = NDArray[np.uint8]
Integers: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]
Floats: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]

PAD = 64
"""Bytes that must stand behind the lines; they may be any."""
WORD = 8
_U = np.uint64
_NEWLINE = 0x0A
ONES = 0x0101010101010101
"""A word of eight bytes that are 1."""
_PLACES = _U(0x0001020304050607)
"""Times one bit at the beginning of a byte: the highest byte is that byte's place."""
_FOUR, _EIGHT, _SIXTEEN, _HALF, _LAST = (_U(bits) for bits in (4, 8, 16, 32, 56))
_PAIRS, _QUARTETS = _U(0x00FF00FF00FF00FF), _U(0x0000FFFF0000FFFF)
_TEN, _HUNDRED, _MYRIAD = _U(10 << 8 | 1), _U(100 << 16 | 1), _U(10_000 << 32 | 1)


class Text:
    """A block.

    Args:
        buffer: Whole lines, and at least `PAD` bytes more.
        size: Bytes of the lines; by default all but the last `PAD`.

    Attributes:
        begins: Where the lines begin.
        sizes: Their bytes, newlines included.
    """

    def __init__(self, buffer: bytes | mmap, size: int = -1) -> None:
        size = size if size >= 0 else len(buffer) - PAD
        self._bytes = np.frombuffer(buffer, dtype=np.uint8, count=size + PAD)
        behind = _newlines(self._bytes, size) + 1
        self.begins: Integers = np.empty_like(behind)
        self.begins[:1] = 0
        self.begins[1:] = behind[:-1]
        self.sizes: Integers = behind - self.begins

    def rows(self, lines: Integers, width: int) -> Rows:
        """The beginnings of some lines; no width may reach further than `PAD` behind them."""
        count = self._bytes.size - width + 1
        every = np.ndarray(count, dtype=f"V{width}", buffer=self._bytes.data, strides=(1,))
        return every[self.begins[lines]].view(np.uint8).reshape(-1, width)

    def line(self, line: int) -> bytes:
        """A line with its newline."""
        begin = int(self.begins[line])
        return self._bytes[begin : begin + int(self.sizes[line])].tobytes()


def _newlines(data: Rows, size: int) -> Integers:
    """Where newlines are: one word in a few dozen has any, and seldom two."""
    found = data[: -(-size // WORD) * WORD] == _NEWLINE
    found[size:] = False
    words = found.view(np.uint64)
    hits = np.flatnonzero(words != 0)
    bits = words[hits]
    if (bits & (bits - _U(1))).any():
        return np.flatnonzero(found)
    places: Integers = ((bits * _PLACES) >> _LAST).view(np.int64)
    return hits * WORD + places


def integers(rows: Rows, begin: int, end: int) -> Integers:
    """The integers of 18 digits at most that stand in these columns; blanks may lead.

    Digits may be characters, or what they are worth; blanks are blanks or 0.
    """
    cut = begin + (end - begin - 1) % WORD + 1
    word = _word(rows, cut) & _U(_digits(cut - begin))
    if cut == end and (word == word[0]).all():  # an epoch, a date
        return np.full(word.size, _value(word[:1])[0])
    value = _value(word)
    for stop in range(cut + WORD, end + 1, WORD):
        value = value * 10**WORD + _value(_word(rows, stop) & _U(_digits(WORD)))
    return value


def mantissas(rows: Rows, begin: int, point: int, end: int) -> Integers:
    """The integers that decimal numbers are without their points, which stand in one column."""
    fraction = end - point - 1
    if end - begin > WORD:
        value: Integers = integers(rows, begin, point) * 10**fraction
        return value + integers(rows, point + 1, end)
    word = _word(rows, end)
    low = _digits(fraction)
    return _value(word & _U(low) | word << _EIGHT & _U(_digits(end - begin - 1) ^ low))


def are_padded(rows: Rows, begin: int, end: int) -> Mask:
    """Whether at most eight digits or blanks are blanks in front of at least one digit.

    Returns:
        By line; one for all where all are the same.
    """
    width = end - begin
    word = _word(rows, end) >> _U(64 - 8 * width)
    if (word == word[0]).all():
        word = word[:1]
    every = _U((ONES << 4) & ((1 << 8 * width) - 1))  # a bit that digits have and blanks lack
    digit = word & every
    blank = digit ^ every
    wrong = (blank - (blank >> _FOUR)) & word  # a blank has no other low bits
    wrong |= (digit << _EIGHT) & blank
    wrong |= blank >> _U(8 * (width - 1))
    good: Mask = wrong == 0
    return good


def _digits(count: int) -> int:
    """A mask for what the last digits of a word are worth."""
    return (ONES * 0x0F) >> (64 - 8 * count) << (64 - 8 * count) if count else 0


def _word(rows: Rows, end: int) -> Words:
    """The eight bytes in front of a column of each row; fewer are put into the highest ones."""
    begin = max(end - WORD, 0)
    where = np.ndarray(
        len(rows), dtype="<u8", buffer=rows.data, offset=begin, strides=(rows.shape[1],)
    )
    words: Words = where.copy()
    return words << _U(8 * (WORD - end)) if end < WORD else words


def _value(words: Words) -> Integers:
    """The numbers whose digits are the bytes of words, the highest byte the last digit."""
    words *= _TEN
    words >>= _EIGHT
    words &= _PAIRS
    words *= _HUNDRED
    words >>= _SIXTEEN
    words &= _QUARTETS
    words *= _MYRIAD
    words >>= _HALF
    return words.view(np.int64)
