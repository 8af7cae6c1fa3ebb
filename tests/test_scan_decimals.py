"""Decimals read as doubles and subtracted: against fractions of what was printed."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from parsers.scan.decimals import rises

PRINTED = st.one_of(
    st.floats(0, 1e4).map(repr),  # as Python prints hours: up to 17 digits
    st.floats(0, 1e4).map("{:.8f}".format),
    st.integers(0, 10**15).map(lambda n: f"{n // 10**6}.{n % 10**6:06}"),
    st.sampled_from(["0", "0.1", "0.3", "0.30000000000000004", "1e-05", "123456789012345"]),
)


@given(st.lists(PRINTED, min_size=1, max_size=6))
@example(["0.1", "0.3", "0.2"])
def test_differences_are_those_of_the_printed_numbers(texts: list[str]) -> None:
    found = rises(np.array([float(text) for text in texts]), 3600)
    if found is not None:
        numbers = [Fraction(text) for text in texts]
        wanted = [float((b - a) * 3600) for a, b in pairwise(numbers)]
        assert found.tolist() == wanted


def test_hours_with_eight_places_are_subtracted_together() -> None:
    hours = np.arange(100_000) / 36_000
    assert rises(hours.round(8), 3600) is not None
    assert rises(hours, 3600) is None  # 17 digits: one by one
