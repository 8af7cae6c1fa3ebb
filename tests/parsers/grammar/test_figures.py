"""Numbers and labels as JSON and tables hold them."""

from __future__ import annotations

import pytest

from sixdim.parsers.grammar.figures import as_whole


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (3, 3),
        (3.0, 3),
        ("3", 3),
        (3.5, None),
        (True, None),
        (999_999_999_999_999, 999_999_999_999_999),
        (1e15, None),  # a hash or a time, which counts nothing
        (1e300, None),
        (-1e15, None),
        (float("nan"), None),
        (float("inf"), None),
    ],
)
def test_a_label_is_a_whole_number_that_counts(value: object, label: int | None) -> None:
    assert as_whole(value) == label
