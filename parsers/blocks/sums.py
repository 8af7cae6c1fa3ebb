"""Computes exact sums of many spans of doubles at once."""

from __future__ import annotations

from math import frexp, ldexp

import numpy as np

from sixdim.parsers.blocks.text import Floats, Integers

_MOST = 2.0**900
"""Largest number, and inverse of the smallest, with which no step overflows or underflows."""


def exact(values: Floats, cuts: Integers) -> list[tuple[float, ...]]:
    """Returns for each span doubles whose exact sum is the sum of its values.

    Each value is split into a multiple of a power of two and a rest, which is split again. The
    power is so large that the sum of all multiples is less than 2**53 of it: they are added
    without rounding, in any order (Rump, Ogita and Oishi, "Accurate floating-point summation",
    2008: extraction by adding and subtracting a constant).

    Args:
        values: Finite doubles, none below 0 within the spans.
        cuts: The begin and the end of each span in turn; rising.
    """
    bits = int(values.size).bit_length() + 1
    sums: list[list[float]] = []
    rest = values
    while size := max(float(rest.max(initial=0.0)), -float(rest.min(initial=0.0))):
        shift = ldexp(1.5, frexp(size)[1] + bits) if size < _MOST else 0.0
        if shift < 1 / _MOST:
            ends = zip(cuts[::2].tolist(), cuts[1::2].tolist(), strict=True)
            return [tuple(values[begin:end].tolist()) for begin, end in ends]
        parts = rest + shift
        parts -= shift
        sums.append(np.add.reduceat(parts, cuts)[::2].tolist())
        rest = rest - parts
    return [*zip(*sums, strict=True)] or [()] * (len(cuts) // 2)
