"""Decimal numbers become doubles, every one rounded correctly.

A mantissa below 2**53 over an exact power of ten (up to 10**22) is one correctly rounded
division (Clinger, "How to read floating point numbers accurately", 1990). A longer mantissa
is divided in double-double arithmetic (Dekker 1971) and taken where its error bound leaves one
answer; the few others, too near a tie, go through `float`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_EXACT = 1 << 53
_SURELY_EXACT = 15
"""Digits whose number is always below that."""
_SPLIT = float((1 << 27) + 1)
_POWERS = np.array([float(10**n) for n in range(23)])
MOST_DIGITS = 18
"""Digits of a mantissa that 64 bits surely hold."""
TENS = np.array([10**n for n in range(MOST_DIGITS + 1)], dtype=np.int64)
MOST_WHOLE = 15
"""Digits before the point."""


def _halves(value: Floats) -> tuple[Floats, Floats]:
    """Veltkamp's split into two numbers of at most 26 bits each."""
    scaled = value * _SPLIT
    high = scaled - (scaled - value)
    return high, value - high


def quotient(
    mantissa: NDArray[np.int64], places: NDArray[np.int64] | int, most: int = MOST_DIGITS
) -> Floats:
    """`mantissa / 10**places`, correctly rounded; 0 <= mantissa < 10**most, places <= 22."""
    scale = _POWERS[places]
    value: Floats = mantissa / scale
    if most <= _SURELY_EXACT:
        return value
    if mantissa.size and mantissa.max() >= _EXACT:
        long = np.flatnonzero(mantissa >= _EXACT)
        which = places if isinstance(places, int) else places[long]
        if not isinstance(which, int) and (which == which[0]).all():  # the longest: most often
            which = int(which[0])
        value[long] = _long(mantissa[long], which)
    return value


def scaled(
    mantissa: NDArray[np.int64], places: NDArray[np.int64]
) -> tuple[Floats, NDArray[np.bool_]]:
    """`mantissa / 10**places`, and where it is correctly rounded; places may be negative."""
    whole = places < 0
    good: NDArray[np.bool_] = np.abs(places) < _POWERS.size
    good &= ~whole | (mantissa < _EXACT)
    value = quotient(mantissa, np.where(good & ~whole, places, 0))
    value[whole] *= _POWERS[np.where(good, -places, 0)[whole]]
    return value, good


def rises(values: Floats, factor: int) -> Floats | None:
    """What each number but the first adds to the one before, as printed, times `factor`.

    Every one is rounded once. None where the numbers' digits cannot be told: a decimal of at most
    15 digits is the only one that a double stands for, one of more may not be.
    """
    for scale in _POWERS[: _SURELY_EXACT + 1]:
        digits = np.rint(values * scale)
        if digits.max() >= 10.0**_SURELY_EXACT:
            return None
        if (digits / scale == values).all():
            added = np.diff(digits.astype(np.int64)) * factor
            rises: Floats = added / scale
            return rises if np.abs(added).max(initial=0) < _EXACT else None
    return None


def _long(mantissa: NDArray[np.int64], places: NDArray[np.int64] | int) -> Floats:
    scale: Floats = np.asarray(_POWERS[places])
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
    # The correction is good to far better than 2**-40 of itself: where both ends of that
    # interval round alike, so does the true quotient.
    margin = np.abs(correction) * 2.0**-40
    unsure = np.flatnonzero(
        (first + (correction + margin) != value) | (first + (correction - margin) != value)
    )
    for index in unsure.tolist():
        behind = places if isinstance(places, int) else int(places[index])
        value[index] = float(f"{int(mantissa[index])}e-{behind}")
    return value
