"""All lines of a block walk one template together.

A cursor a line, one piece of the template at a time; a line that does not fit drops out. What
is left at the end fits whole, and its numbers stand in columns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parsers.scan.decimals import MOST_DIGITS, MOST_WHOLE, TENS, quotient, scaled
from parsers.scan.pieces import Bar, Blanks, Clock, Digits, End, Literal, Number, Piece, Word
from parsers.scan.words import (
    NIBBLES,
    NOT_DIGIT,
    Cursors,
    Mask,
    Text,
    U,
    Words,
    blanks,
    digits,
    distinct,
    drawn,
    eight,
    indent,
    literal,
    number,
    run,
    token,
)

TIME = "\0time"
"""Name of the column of a line's clock, microseconds since 1970; no line has such a name."""

_DAY_US = 86_400_000_000
_EPOCH = date(1970, 1, 1).toordinal()
_BYTE, _EIGHT = U(0xFF), U(8)
# The digits of "hh:mm:ss", the three numbers they make, what lifts one out of its range to the
# top bit of its byte (24 hours, 60 minutes, 60 seconds), and those bits.
_OF_DAY = U(0x0F0F000F0F000F0F)
_PAIRS = U(0x00FF0000FF0000FF)
_BEYOND = U(128 - 24 | (128 - 60) << 24 | (128 - 60) << 48)
_TOO_LARGE = U(0x0080000080000080)
_MINUTES = U(60 << 24 | 1)
"""Times hours and minutes, 24 bits apart: the minutes of both stand where those did."""


@dataclass(slots=True)
class Columns:
    """What was read of the lines that fit.

    Attributes:
        rows: Which lines, rising.
        values: Column by hole: integers, or doubles.
    """

    rows: NDArray[np.intp]
    values: dict[str, NDArray[Any]] = field(default_factory=dict)

    def keep(self, good: NDArray[np.intp]) -> None:
        """Drops all lines but these."""
        self.rows = self.rows[good]
        self.values = {name: column[good] for name, column in self.values.items()}


def walk(text: Text, begins: Cursors, rows: NDArray[np.intp], pieces: tuple[Piece, ...]) -> Columns:
    """Reads the lines `rows`, which begin at `begins`, as a template's pieces say."""
    columns = Columns(rows)
    cursors = begins
    for piece in pieces:
        good, cursors = _step(text, cursors, piece, columns)
        if good is not None and not good.all():
            left = np.flatnonzero(good)
            columns.keep(left)
            cursors = cursors[left]
        if not cursors.size:
            break
    return columns


def _strict(text: Text, cursors: Cursors) -> Mask:
    """Whether no zero leads a number, and a digit follows its point."""
    word = text.at(cursors)
    count = digits(word)[0]
    good: Mask = ((word & _BYTE) != U(0x30)) | (count == U(1))
    after = text.at(cursors + count.view(np.int64))
    good &= ((after & _BYTE) != U(0x2E)) | (digits(after >> U(8))[0] > U(0))
    return good


def _step(
    text: Text, cursors: Cursors, piece: Piece, columns: Columns
) -> tuple[Mask | None, Cursors]:
    """Which lines fit the piece, and where each goes on."""
    match piece:
        case Literal():
            return literal(text, cursors, piece.text), cursors + len(piece.text)
        case Word():
            length = token(text, cursors)
            return length > 0, cursors + length
        case Bar():
            return None, cursors + drawn(text, cursors)
        case Blanks():
            length = blanks(text.at(cursors)).view(np.int64)
            return (length > 0) & (length < 8), cursors + length
        case End():
            return (text.at(cursors) & _BYTE) == U(0x0A), cursors
        case Number():
            word = text.at(cursors)
            if piece.padded:
                pads = blanks(word)
                if pads.any():
                    long = (pads == _EIGHT).any()
                    cursors = cursors + (indent(text, cursors) if long else pads.view(np.int64))
                    word = text.at(cursors)
            if not piece.name:
                return _unread(text, cursors, piece)
            if piece.strict:
                good, after = _read(text, word, cursors, piece, columns)
                return good & _strict(text, cursors), after
            return _read(text, word, cursors, piece, columns)
        case Digits():
            if piece.name:
                value = number(text.at(cursors), piece.count)
                columns.values[piece.name] = value.view(np.int64)
            return run(text, cursors) >= piece.count, cursors + piece.count
        case Clock():
            good, columns.values[TIME] = clock(lambda ahead: text.at(cursors + ahead), piece)
            return good, cursors + clock_size(piece)


def _read(
    text: Text, word: Words, cursors: Cursors, piece: Number, columns: Columns
) -> tuple[Mask, Cursors]:
    if piece.whole:
        good, length, columns.values[piece.name] = _integer(text, word, cursors)
        return good, cursors + length
    return _decimal(text, word, cursors, piece, columns)


def _integer(
    text: Text, word: Words, cursors: Cursors
) -> tuple[Mask, NDArray[np.int64], NDArray[np.int64]]:
    """Digits at each cursor: whether there are any, and no more than may be; how many; their value.

    Sixteen may be the beginning of seventeen: the line parser reads those.
    """
    count, value = (part.view(np.int64) for part in digits(word))
    more = np.flatnonzero(count == 8)
    if more.size:
        extra, part = (p.view(np.int64) for p in digits(text.at(cursors[more] + 8)))
        count[more] += extra
        value[more] = np.where(extra > 0, value[more] * TENS.take(extra) + part, value[more])
    return (count > 0) & (count <= MOST_WHOLE), count, value


def _unread(text: Text, cursors: Cursors, piece: Number) -> tuple[Mask, Cursors]:
    """A number that only must be one."""
    first = text.at(cursors) & _BYTE
    plus = first == U(0x2B)
    cursors = cursors + (plus | (first == U(0x2D)))
    length = run(text, cursors)
    good = length > 0
    if piece.strict:
        good &= ~plus & _strict(text, cursors)
    cursors = cursors + length
    if piece.whole:
        return good & (length <= MOST_DIGITS), cursors
    point = (text.at(cursors) & _BYTE) == U(0x2E)
    if point.any():
        cursors = cursors + np.where(point, 1 + run(text, cursors + 1), 0)
    if piece.power:
        fits, cursors, _ = _power(text, cursors, piece.power)
        good &= fits
    return good, cursors


def _power(text: Text, cursors: Cursors, letter: bytes) -> tuple[Mask, Cursors, NDArray[np.int64]]:
    """The letter of an exponent, its sign and two digits: what it is."""
    word = text.at(cursors)
    sign = (word >> U(8)) & _BYTE
    good: Mask = (word & _BYTE) == U(letter[0])
    good &= (sign == U(0x2B)) | (sign == U(0x2D))
    good &= _digital(word, U(0xFFFF0000))
    power = _pair(word, 16)
    return good, cursors + 4, np.where(sign == U(0x2D), -power, power)


def _decimal(
    text: Text, word: Words, cursors: Cursors, piece: Number, columns: Columns
) -> tuple[Mask, Cursors]:
    good, count, value = _integer(text, word, cursors)
    cursors = cursors + count
    point = (text.at(cursors) & _BYTE) == U(0x2E)
    mantissa = value
    places = np.zeros_like(mantissa)
    if point.any():
        at = cursors + 1
        mantissa, places, length = _fraction(text, at, mantissa)
        if not point.all():
            mantissa = np.where(point, mantissa, value)
            places = np.where(point, places, 0)
        cursors = cursors + np.where(point, length + 1, 0)
        good &= (count + places) <= MOST_DIGITS
        good &= places == np.where(point, length, 0)
    if not good.all():
        mantissa = np.where(good, mantissa, 0)
        places = np.where(good, places, 0)
    if not piece.power:
        columns.values[piece.name] = quotient(mantissa, places)
        return good, cursors
    fits, cursors, power = _power(text, cursors, piece.power)
    columns.values[piece.name], exact = scaled(mantissa, places - np.where(fits, power, 0))
    return good & fits & exact, cursors


def _fraction(
    text: Text, at: Cursors, whole: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Digits after a point: the mantissa they complete, how many count, how many there are."""
    count, value = digits(text.at(at))
    places = count.view(np.int64)
    # No digits: `digits` promises nothing of the value.
    part = np.where(places > 0, value.view(np.int64), 0)
    mantissa = whole * TENS.take(places) + part
    length = places.copy()
    more = np.flatnonzero(places == 8)
    while more.size:
        count, value = digits(text.at(at[more] + length[more]))
        extra = count.view(np.int64)
        length[more] += extra
        fits = length[more] + 8 <= 2 * MOST_DIGITS
        grow = np.where((extra > 0) & (length[more] <= MOST_DIGITS), extra, 0)
        mantissa[more] = mantissa[more] * TENS.take(grow) + np.where(
            grow > 0, value.view(np.int64), 0
        )
        places = places.copy()
        places[more] += grow
        more = more[(extra == 8) & fits]
    return mantissa, places, length


def clock(
    word: Callable[[int], Words], piece: Clock, *, digital: bool = False
) -> tuple[Mask, NDArray[np.int64]]:
    """A date and a time of day, each part in its range: microseconds since 1970.

    Args:
        word: Gives the eight bytes at a distance from the clock's first.
        piece: How it is written.
        digital: Whether digits and separators are known to stand where they must.
    """
    at = piece.parts()
    size = at.pop("h")
    pairs = word(size) & _OF_DAY  # hh:mm:ss
    pairs = pairs * U(10) + (pairs >> U(8))
    pairs &= _PAIRS
    good: Mask = ((pairs + _BEYOND) & _TOO_LARGE) == U(0)
    if not digital:
        good &= _written(word, piece)
    seconds = pairs >> U(48)
    pairs *= _MINUTES
    pairs >>= U(24)
    pairs &= U(0xFFFF)
    pairs *= U(60)
    seconds += pairs
    seconds *= U(1_000_000)
    micros = seconds.view(np.int64)
    if piece.places:
        rest = word(size + 9)
        rest <<= U(64 - 8 * piece.places)
        rest &= NIBBLES
        fraction = eight(rest).view(np.int64)
        micros += fraction * int(TENS[6 - piece.places]) if piece.places < 6 else fraction
    date = [word(begin) for begin in range(0, size, 8)]
    date[-1] &= U((1 << 8 * (size - 8 * (len(date) - 1))) - 1)
    if all((part == part[0]).all() for part in date):  # nearly always
        day = _one_day(tuple(int(part[0]) for part in date), tuple(at.items()))
        if day == _NO_DAY:
            good[:] = False
        micros += day * _DAY_US
        return good, micros
    days, known = _days(_date(date, at))
    days *= _DAY_US
    micros += days
    return good & known, micros


@lru_cache(maxsize=64)
def _one_day(words: tuple[int, ...], at: tuple[tuple[str, int], ...]) -> int:
    """Days since 1970 of a date, given by its words and where its parts begin."""
    date = [np.array([word], dtype=np.uint64) for word in words]
    return int(_days(_date(date, dict(at)))[0][0])


def _date(words: list[Words], at: dict[str, int]) -> NDArray[np.int64]:
    """Dates as numbers such as 20210323."""

    def two(begin: int) -> NDArray[np.int64]:
        return _pair(words[begin // 8], begin % 8 * 8)  # no two digits lie across two words

    year: NDArray[np.int64] | int = 1972
    if "Y" in at:
        year = two(at["Y"]) * 100 + two(at["Y"] + 2)
    elif "y" in at:
        year = two(at["y"]) + 2000
    return year * 10_000 + two(at["M"]) * 100 + two(at["D"])


def _written(word: Callable[[int], Words], piece: Clock) -> Mask:
    """Whether digits and separators stand where they must."""
    face = piece.face.encode()
    good: Mask | None = None
    for begin in range(0, len(face), 8):
        part = face[begin : begin + 8]
        figures = b"".join(b"\xff" if char == 0x30 else b"\0" for char in part)
        others = b"".join(b"\0" if char == 0x30 else b"\xff" for char in part)
        signs = bytes(char & mask for char, mask in zip(part, others, strict=True))
        there = word(begin)
        fits = _digital(there, U(int.from_bytes(figures, "little")))
        fits &= (there & U(int.from_bytes(others, "little"))) == U(int.from_bytes(signs, "little"))
        good = fits if good is None else good & fits
    assert good is not None
    return good


def clock_size(piece: Clock) -> int:
    """Characters of the clock."""
    return len(piece.face)


def _digital(word: Words, mask: U) -> Mask:
    """Whether all bytes under the mask are digits."""
    plain = (word & mask) ^ (U(0x3030303030303030) & mask)
    high = (plain + (NOT_DIGIT & mask)) | plain
    good: Mask = (high & U(0x8080808080808080)) == U(0)
    return good


def _pair(word: Words, shift: int) -> NDArray[np.int64]:
    """The number that two digits at that bit make."""
    tens = (word >> U(shift)) & U(0x0F)
    return (tens * U(10) + ((word >> U(shift + 8)) & U(0x0F))).view(np.int64)


def _days(dates: NDArray[np.int64]) -> tuple[NDArray[np.int64], Mask]:
    """Days since 1970 of numbers such as 20210323, and which of them are dates."""
    low, high = int(dates.min()), int(dates.max())
    known = np.array([low]) if low == high else distinct(dates)
    numbers = np.array([_day(value) for value in known.tolist()], dtype=np.int64)
    days = numbers.take(np.searchsorted(known, dates)) if low < high else numbers
    return days, days != _NO_DAY


_NO_DAY = -(10**6)


def _day(number: int) -> int:
    try:
        return date(number // 10_000, number // 100 % 100, number % 100).toordinal() - _EPOCH
    except ValueError:
        return _NO_DAY
