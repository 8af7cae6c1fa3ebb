"""One search for any of some texts, and patterns that are compiled when a line needs them."""

from __future__ import annotations

import re

import pytest

from sixdim.parsers.text.patterns import begun, one_of

TEXTS = ("loss", "lr", "/s", "/ s", "@", "a+b", "epoch")


@pytest.mark.parametrize("text", TEXTS)
def test_each_of_the_texts_is_found_wherever_it_stands(text: str) -> None:
    search = one_of(*TEXTS).search
    assert search(f"x {text} y") is not None
    assert search(text) is not None


@pytest.mark.parametrize("line", ["", "los s", "LOSS", "l", "aab", "/  s", "epoc h"])
def test_a_line_without_any_of_them_has_none(line: str) -> None:
    assert one_of(*TEXTS).search(line) is None


def test_the_rest_of_a_pattern_is_compiled_for_a_text_that_begins_as_it_does() -> None:
    clock = begun(r"(\d\d):(\d\d)", r" (INFO|DEBUG) [")  # the rest is no expression
    assert clock.match("3/8 [00:12<00:30]") is None
    assert clock.match("x 12:30", 1) is None
    with pytest.raises(re.error):
        clock.match("x 12:30 INFO", 2)


def test_a_pattern_in_two_parts_matches_as_a_whole() -> None:
    clock = begun(r"(?P<h>\d\d):(?P<m>\d\d)", r" (?P<level>INFO|DEBUG) ")
    assert clock.groupindex == {"h": 1, "m": 2, "level": 3}
    for _ in range(2):
        assert clock.match("12:30 TRACE a") is None
        found = clock.match("- 12:30 INFO a", 2)
        assert found is not None
        assert (found["h"], found["m"], found["level"], found.end()) == ("12", "30", "INFO", 13)
