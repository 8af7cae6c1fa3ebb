"""One search for any of some texts."""

from __future__ import annotations

import pytest

from sixdim.parsers.text.patterns import one_of

TEXTS = ("loss", "lr", "/s", "/ s", "@", "a+b", "epoch")


@pytest.mark.parametrize("text", TEXTS)
def test_each_of_the_texts_is_found_wherever_it_stands(text: str) -> None:
    search = one_of(*TEXTS).search
    assert search(f"x {text} y") is not None
    assert search(text) is not None


@pytest.mark.parametrize("line", ["", "los s", "LOSS", "l", "aab", "/  s", "epoc h"])
def test_a_line_without_any_of_them_has_none(line: str) -> None:
    assert one_of(*TEXTS).search(line) is None
