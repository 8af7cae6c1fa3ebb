"""Exact sums of many short stretches of doubles at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from parsers.events import UNIT_BITS

_BITS = 53
_ROOM = 9
"""Binary orders that a 53-bit mantissa may be shifted by within 62 bits."""
_LOW = (1 << 32) - 1


def exact_sums(values: NDArray[np.float64], begins: NDArray[np.int64]) -> list[int]:
    """The exact sum of each stretch, as an integer count of 2**-1074.

    Args:
        values: Finite doubles.
        begins: Where each stretch begins, rising from 0; none is empty.
    """
    fraction, exponent = np.frexp(values)
    mantissa = np.ldexp(fraction, _BITS).astype(np.int64)
    exponent = np.where(mantissa == 0, exponent.max(), exponent)
    least = int(exponent.min())
    above = exponent - least
    if int(above.max()) > _ROOM:
        ends = [*begins[1:].tolist(), values.size]
        return [
            sum(exact(v) for v in values[begin:end].tolist())
            for begin, end in zip(begins.tolist(), ends, strict=True)
        ]
    mantissa <<= above
    # In halves, so that even 2**31 of them cannot overflow 64 bits.
    high = np.add.reduceat(mantissa >> 32, begins).tolist()
    low = np.add.reduceat(mantissa & _LOW, begins).tolist()
    shift = least - _BITS + UNIT_BITS
    totals = [(h << 32) + o for h, o in zip(high, low, strict=True)]
    return [t << shift if shift >= 0 else t >> -shift for t in totals]


def exact(value: float) -> int:
    """A finite double as an integer count of 2**-1074."""
    numerator, denominator = value.as_integer_ratio()
    return numerator * ((1 << UNIT_BITS) // denominator)
