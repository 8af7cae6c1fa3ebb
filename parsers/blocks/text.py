"""Gives access to the lines of a block as a matrix of bytes, and reads numbers in its columns.

Lines of one length are the rows of a matrix of bytes. Eight bytes of a row are a word; words are
little-endian: the first of the bytes is the lowest one.
"""

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
"""Bytes of any content that must follow the lines."""
WORD = 8
_U = np.uint64
_NEWLINE = 0x0A
ONES = 0x0101010101010101
"""A word of eight bytes that are 1."""
DIGITS = _U(ONES * 0x0F)
"""A mask for the value of a digit, or of a blank, which is 0."""
_DIGIT = _U(ONES << 4)
"""The bit in which digits differ from blanks."""
ZERO = _U(0x10 << 56)
"""Seven blanks and a 0, as distances from a blank."""
_HIGHEST = [_U((1 << 64) - (1 << 8 * (WORD - count))) for count in range(WORD + 1)]
"""Masks for the highest bytes of a word, by their number."""
_FOUR, _EIGHT, _SIXTEEN, _HALF, _LAST = (_U(bits) for bits in (4, 8, 16, 32, 56))
_PAIRS, _QUARTETS = _U(0x00FF00FF00FF00FF), _U(0x0000FFFF0000FFFF)
_TEN, _HUNDRED, _MYRIAD = _U(10 << 8 | 1), _U(100 << 16 | 1), _U(10_000 << 32 | 1)


class Text:
    """A block.

    Args:
        buffer: Whole lines, and at least `PAD` bytes more.
        size: Bytes of the lines; by default all but the last `PAD`.

    Attributes:
        begins: The first byte of each line, and the byte after the last one.
        sizes: The bytes of each line, with its newline.
    """

    def __init__(self, buffer: bytes | mmap, size: int = -1) -> None:
        size = size if size >= 0 else len(buffer) - PAD
        self._bytes = np.frombuffer(buffer, dtype=np.uint8, count=size + PAD)
        newlines = np.flatnonzero(self._bytes[:size] == _NEWLINE)
        self.begins: Integers = np.zeros(newlines.size + 1, dtype=np.int64)
        np.add(newlines, 1, out=self.begins[1:])
        self.sizes: Integers = np.diff(self.begins)

    def rows(self, lines: Integers, width: int) -> Rows:
        """Returns the first bytes of some lines, at most `PAD` bytes after the last line."""
        count = self._bytes.size - width + 1
        every = np.ndarray(count, dtype=f"V{width}", buffer=self._bytes.data, strides=(1,))
        return every[self.begins[lines]].view(np.uint8).reshape(-1, width)

    def line(self, line: int) -> bytes:
        """Returns a line with its newline."""
        begin = int(self.begins[line])
        return self._bytes[begin : begin + int(self.sizes[line])].tobytes()


def words_at(rows: Rows) -> Words:
    """Returns for each row the words that begin at each column."""
    size, width = rows.shape
    shape, strides = (size, width - WORD + 1), (width, 1)
    return np.ndarray(shape, dtype="<u8", buffer=rows.data, strides=strides)


def word(at: Words, end: int, count: int, out: Words) -> Words:
    """Copies up to eight bytes before a column of each row to the highest bytes of words.

    Args:
        at: The rows, from `words_at`.
        end: The column.
        count: How many bytes.
        out: Receives the words, and is returned.
    """
    out[:] = at[:, max(end - WORD, 0)]
    if end < WORD:
        out <<= _U(8 * (WORD - end))
    if count < WORD:
        out &= _HIGHEST[count]
    return out


def are_padded(words: Words) -> Mask:
    """Returns whether words are blanks, or none, followed by digits to the end.

    Args:
        words: Bytes as distances from a blank, at most that of a 9.
    """
    digit = words & _DIGIT
    blank = digit ^ _DIGIT
    wrong = (blank - (blank >> _FOUR)) & words  # a blank has no other low bits
    wrong |= (digit << _EIGHT) & blank
    wrong |= blank >> _LAST
    good: Mask = wrong == 0
    return good


def lead_with_zero(words: Words) -> Mask:
    """Returns whether numbers that `are_padded` have several digits, the first of them 0."""
    digit = words & _DIGIT
    first = digit & ~(digit << _EIGHT)
    above = ((words & DIGITS) + DIGITS) & _DIGIT  # the digits that are not 0
    needless: Mask = (first & ~above & (_DIGIT >> _EIGHT)) != 0
    return needless


def values(words: Words) -> Integers:
    """Returns the numbers whose digits are the bytes of words, the last digit in the highest.

    The words are overwritten.
    """
    words *= _TEN
    words >>= _EIGHT
    words &= _PAIRS
    words *= _HUNDRED
    words >>= _SIXTEEN
    words &= _QUARTETS
    words *= _MYRIAD
    words >>= _HALF
    return words.view(np.int64)
