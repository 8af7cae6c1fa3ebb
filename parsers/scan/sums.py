"""Exact sums of many short stretches of doubles at once."""

from __future__ import annotations

from collections.abc import Sequence
from math import frexp, ldexp

import numpy as np
from numpy.typing import NDArray

from parsers.events import UNIT_BITS

_BITS = 53
_MOST = 800
"""Binary orders of magnitude of the numbers that are summed up together."""


def exact_rests(values: NDArray[np.float64], begins: NDArray[np.int64]) -> list[int]:
    """The exact sum of each stretch without its first number, as an integer count of 2**-1074.

    Each number is split into a multiple of a power of two, so large that even all of them
    together stay below 2**53 of it, and the rest; the sums of both are doubles without any
    rounding, in whatever order (Rump, Ogita and Oishi, "Accurate floating-point summation",
    2008: extraction by adding and subtracting a constant).

    Args:
        values: Finite doubles.
        begins: Where each stretch begins, rising from 0; none is empty.
    """
    bits = max(2, int(values.size).bit_length())
    least, size = float(values.min()), float(values.max())
    if least <= 0:
        known = np.abs(values[values != 0])
        least, size = (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)
    top, low = frexp(size)[1], frexp(least)[1]
    coarse, fine = top + bits - _BITS, low - _BITS  # powers of two: the multiples', the rests'
    if abs(top) > _MOST or coarse + bits - fine > _BITS:
        return _singly(values, begins)
    shift = ldexp(1.5, coarse + _BITS - 1)
    parts = values + shift
    parts -= shift
    rests = values - parts
    above, below = (_sums(part, begins, power) for part, power in ((parts, coarse), (rests, fine)))
    up, rise = fine + UNIT_BITS, coarse - fine
    return [((high << rise) + rest) << up for high, rest in zip(above, below, strict=True)]


def exact_each(values: Sequence[float] | NDArray[np.float64]) -> list[int]:
    """Finite doubles as integer counts of 2**-1074."""
    fractions, powers = np.frexp(values)
    mantissas = (fractions * 2.0**_BITS).astype(np.int64).tolist()
    shifts = (powers + (UNIT_BITS - _BITS)).tolist()
    shifted = zip(mantissas, shifts, strict=True)
    return [m << shift if shift >= 0 else m >> -shift for m, shift in shifted]


def _sums(values: NDArray[np.float64], begins: NDArray[np.int64], power: int) -> list[int]:
    """Of multiples of 2**power, as counts of it; the first of each stretch left out."""
    sums = np.add.reduceat(values, begins) - values[begins]
    counts: list[int] = (sums * ldexp(1.0, -power)).astype(np.int64).tolist()
    return counts


def _singly(values: NDArray[np.float64], begins: NDArray[np.int64]) -> list[int]:
    ends = [*begins[1:].tolist(), values.size]
    return [
        sum(exact_each(values[begin + 1 : end]))
        for begin, end in zip(begins.tolist(), ends, strict=True)
    ]
