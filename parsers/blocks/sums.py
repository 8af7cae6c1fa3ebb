"""Exact sums of many spans of doubles at once."""

from __future__ import annotations

from math import frexp, ldexp

import numpy as np

from sixdim.parsers.blocks.text import Floats, Integers

_MOST = 2.0**900
"""Largest number, and one over the smallest, with which no step leaves the range of a double."""


def exact(values: Floats, cuts: Integers) -> list[tuple[float, ...]]:
    """For each span, doubles whose exact sum is that of its values.

    Each value is split into a multiple of a power of two, so large that even all of them together
    stay below 2**53 of it, and a rest, which is split again: the sums of either are doubles without
    any rounding, in whatever order (Rump, Ogita and Oishi, "Accurate floating-point summation",
    2008: extraction by adding and subtracting a constant).

    Args:
        values: Finite doubles, none below 0, with any others between the spans.
        cuts: Where each span begins and, next to it, ends; rising.
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
