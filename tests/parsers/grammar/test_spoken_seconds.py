"""Durations that are printed in parts."""

from __future__ import annotations

import pytest

from sixdim.parsers.grammar.vocabulary.durations import spoken_seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("43s169ms", 43.169),
        ("1D2h", 93_600),
        ("39 m, 57 s", 2397),
        ("107.563 ms", 0.107563),
        ("5 minutes", 300),
        ("5 msec", 0.005),
        ("1 day, 2:03:04.5", 93_784.5),
        ("soon", None),
    ],
)
def test_seconds(text: str, seconds: float | None) -> None:
    found = spoken_seconds(text)
    assert found is None if seconds is None else found == pytest.approx(seconds)
