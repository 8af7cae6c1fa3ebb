"""The digits of many lines' numbers, gathered into words and made one integer each.

Lines of one layout have every digit in the same place, so that a few shifts put eight of a number's
digits together in all of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from parsers.scan.decimals import TENS
from parsers.scan.words import NIBBLES, U, Words, eight


class _Run(NamedTuple):
    """How the digits of a part of a window come into place.

    Attributes:
        word: Word that holds the last of them.
        up: By how many bits that word is moved up; down where it is negative.
        before: By how many bits the word before it is moved down; None where it holds none.
        mask: What of the result are the digits, where there may be more. A blank before a number
            counts as a zero.
    """

    word: int
    up: int
    before: U | None
    mask: U | None


class Wanted(NamedTuple):
    """A number to be read.

    Attributes:
        windows: Where its digits stand, eight at a time.
        powers: Of each window but the first, what one of the digits before it is worth.
        tail: Word of its last digits, of which each line has some; 0 where all have as many.
    """

    windows: list[list[_Run]]
    powers: list[int]
    tail: int = 0


def wanted(
    runs: list[tuple[int, int]], known: list[bool], digits: list[bool], tail: int = 0
) -> Wanted:
    """How to read the number of some digits, in windows of at most eight.

    Args:
        runs: Where they begin and end.
        known: Of every byte, whether it is the same in all lines, and so 0 after the flip.
        digits: Whether it is surely a digit.
        tail: As in `Wanted`.
    """
    windows: list[list[tuple[int, int]]] = [[]]
    room = 8
    for begin, end in runs:
        while begin < end:
            if not room:
                windows.append([])
                room = 8
            size = min(room, end - begin)
            windows[-1].append((begin, begin + size))
            begin, room = begin + size, room - size
    powers = [10 ** sum(end - begin for begin, end in window) for window in windows[1:]]
    return Wanted([_gathers(window, known, digits) for window in windows], powers, tail)


def numbers(words: Words, every: list[Wanted], more: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Every wanted number's digits as one integer; the words of all are worked out together.

    Args:
        words: The lines' words, a column a line.
        every: What is wanted.
        more: How many digits a tail has, of each line; they stand in its upper bytes, below zeros.
    """
    if not every:
        return []
    count = sum(len(number.windows) + (number.tail > 0) for number in every)
    stack = np.empty((count, words.shape[1]), dtype=np.uint64)
    rows = iter(stack)
    for number in every:
        for window in number.windows:
            _gather(words, window, next(rows))
        if number.tail:
            next(rows)[:] = words[number.tail]
    values = iter(eight(stack).view(np.int64))
    out = []
    for number in every:
        whole = next(values)
        for power in number.powers:
            whole = whole * power
            whole += next(values)
        if number.tail:
            whole = whole * TENS.take(more)
            whole += next(values)
        out.append(whole)
    return out


def _gathers(window: list[tuple[int, int]], known: list[bool], digits: list[bool]) -> list[_Run]:
    """How to gather a window's digits, the last one in the highest byte, none below the first."""
    place, runs = 8, []
    for begin, end in reversed(window):
        index, last = divmod(end - 1, 8)
        size = end - begin
        place -= size
        up = 8 * (place + size - 1 - last)  # bits that the run's last digit moves up
        first = 8 * (begin // 8)
        before = U(64 - up) if first < 8 * index else None
        mask = NIBBLES & U(((1 << 8 * size) - 1) << 8 * place)
        # What else comes into the window with them.
        others = [
            *range(max(first, begin - place), begin),
            *range(end, min(8 * (index + 1), begin - place + 8)),
        ]
        clean = all(digits[begin:end]) and all(known[at] for at in others)
        runs.append(_Run(index, up, before, None if clean else mask))
    return runs


def _gather(words: Words, window: list[_Run], out: Words) -> None:
    """Puts the digits of a window together."""
    part = out
    for index, up, before, mask in window:
        if up < 0:
            np.right_shift(words[index], U(-up), out=part)
        else:
            np.left_shift(words[index], U(up), out=part)
        if before is not None:
            part |= words[index - 1] >> before
        if mask is not None:
            part &= mask
        if part is not out:
            out |= part
        elif len(window) > 1:
            part = np.empty_like(out)
