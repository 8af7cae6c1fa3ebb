"""Converts decimal numbers to doubles, each rounded correctly, and computes exact sums of doubles.

A mantissa below 2**53 over an exact power of ten (up to 10**22) is one correctly rounded division
(Clinger, "How to read floating point numbers accurately", 1990). A longer mantissa is divided in
double-double arithmetic (Dekker, 1971) and used if its error bound leaves one answer; the few
others, too near a tie, go through `float`.
"""

from math import frexp, ldexp

import numpy as np

from sixdim.parsers.blocks.text import Floats, Integers

TENS: Integers = 10 ** np.arange(19, dtype=np.int64)
"""Powers of ten."""
_EXACT = 1 << 53
_SCALES: Floats = TENS.astype(np.float64)
_SPLIT = float((1 << 27) + 1)
_MOST = 2.0**900
"""Largest number, and inverse of the smallest, with which no step overflows or underflows."""


def quotient(mantissa: Integers, places: Integers) -> Floats:
    """Returns mantissa / 10**places, rounded correctly; mantissa < 10**18, places <= 18."""
    scale = _SCALES[places]
    value: Floats = mantissa / scale
    if mantissa.max(initial=0) >= _EXACT:
        long = np.flatnonzero(mantissa >= _EXACT)
        value[long] = _long(mantissa[long], places[long], scale[long])
    return value


def _long(mantissa: Integers, places: Integers, scale: Floats) -> Floats:
    high = mantissa.astype(np.float64)
    low = (mantissa - high.astype(np.int64)).astype(np.float64)
    first = high / scale
    product = first * scale
    first_high, first_low = _halves(first)
    scale_high, scale_low = _halves(scale)
    error = first_low * scale_low - (
        ((product - first_high * scale_high) - first_low * scale_high) - first_high * scale_low
    )
    correction = (((high - product) - error) + low) / scale
    value: Floats = first + correction
    # The relative error of the correction is far below 2**-40: if both ends of that interval are
    # rounded to the same double, so is the true quotient.
    margin = np.abs(correction) * 2.0**-40
    unsure = np.flatnonzero(
        (first + (correction + margin) != value) | (first + (correction - margin) != value)
    )
    for index in unsure.tolist():
        value[index] = float(f"{int(mantissa[index])}e-{places[index]}")
    return value


def _halves(value: Floats) -> tuple[Floats, Floats]:
    """Splits numbers into two of at most 26 bits each (Veltkamp)."""
    scaled = value * _SPLIT
    high = scaled - (scaled - value)
    return high, value - high


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
