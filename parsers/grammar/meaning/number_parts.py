"""Numbers that are parts of one in another notation: they are no figures."""

from __future__ import annotations

from collections.abc import Sequence

from sixdim.parsers.text.patterns import pattern

_DEVIATION = pattern(r"\s*+%?\s*+(?:±|\+/-?)")
_INSIDE_NUMBERS = frozenset(",'’*×·\u00a0\u2009\u202f")
"""What stands between two parts of one number; the last three are blanks."""
_GROUPS = pattern(r"\d{1,3} \d{3}(?:\.\d++)?")


def is_piece(between: Sequence[str], numbers: Sequence[str], at: int) -> bool:
    """Whether a number is part of one in another notation or of a name: `97,36`, `batch64_lr1`.

    The deviation of a figure (`0.88±0.05 img/s`) is no figure either.
    """
    gap, after = between[at], between[at + 1]
    return (
        after[:1] == "_" or _DEVIATION.fullmatch(gap) is not None or _splits(between, numbers, at)
    )


def is_group(between: Sequence[str], numbers: Sequence[str], at: int) -> bool:
    """Whether a blank stands between a number and another group of its digits: `1 234.5`."""
    return any(
        not between[first + 1]
        and _GROUPS.fullmatch("".join(numbers[first : first + 2]).lstrip()) is not None
        for first in range(max(at - 1, 0), at + 1)
    )


def _splits(between: Sequence[str], numbers: Sequence[str], at: int) -> bool:
    """Whether a number is part of one with groups of digits, a decimal comma or a power of ten.

    `1'234`, `1,23,450.5`, `97,36`, `7.7×10^-1`: groups of three with commas were cut as one.
    """
    for first in (at - 1, at):
        pair = numbers[max(first, 0) : first + 2]
        if len(pair) < 2 or not pair[1][0].isdigit():
            continue
        mark = between[first + 1]
        listed = mark == "," and "." in pair[1] and "," not in pair[1]
        if mark in _INSIDE_NUMBERS and not listed:
            return True
    return False
