"""Foreign text becomes clean lines: nothing that steers a terminal gets through."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from sixdim.parsers.text.lines import MAX_LINE, LineSplitter, clean, label


def lines_of(data: bytes) -> list[tuple[int, int, str, bool]]:
    splitter = LineSplitter()
    found = [*splitter.feed(data), *splitter.flush()]
    return [(line.number, line.offset, line.text, line.whole) for line in found]


def test_lines_carry_the_number_sed_counts_and_the_offset_of_their_first_byte() -> None:
    data = b"one\r\n\r\n  \nfour\n10%\r20%\rlast"
    assert lines_of(data) == [
        (1, 0, "one", True),
        (4, 10, "four", True),
        (5, 15, "10%", True),
        (5, 19, "20%", True),
        (5, 23, "last", False),
    ]


def test_an_offset_counts_bytes_where_a_line_before_it_is_not_ascii() -> None:
    data = "é█\nfive\n".encode()  # two and three bytes, and the end of the line
    splitter = LineSplitter()
    assert [line.offset for line in splitter.feed(data)] == [0, 6]
    assert [line.offset for line in splitter.feed(b"more\n")] == [11]


def test_a_line_without_end_is_capped() -> None:
    splitter = LineSplitter()
    for _ in range(50):
        assert list(splitter.feed(b"x" * 100_000)) == []
    (line,) = splitter.feed(b"\nnext")
    assert len(line.text) == MAX_LINE
    (after,) = splitter.flush()
    assert (after.number, after.offset) == (2, 5_000_001)


def test_escape_sequences_vanish_with_their_payload() -> None:
    for attack in (
        "\x1b]0;owned\x07",
        "\x1b]52;c;cm0gLXJm\x1b\\",
        "\x1b]8;;http://evil\x1b\\",
        "\x1b[2J\x1b[1;31m",
        "\x9b31m",
        "\x9d0;owned\x9c",
        "\x1bPq#0\x1b\\",
        "\x1b_x\x1b\\",
        "\x1b(0",
        "\x1bc",
        "\u202e\u2066",
        "\x07\x08\x0b\x7f\x85",
        "\x90q\x9c",
        "\u200b\u061c\u2028\u2069\ufeff\ufff9\ufffa\ufffb\U000e0070",
    ):
        assert clean(f"a{attack}b") == "ab", repr(attack)


def test_brackets_and_tabs_stay() -> None:
    for text in ("[INFO] x", "[@click=app.quit]q[/]", "a\tb", "[ 12%] 50%|█████", "速度 5000"):
        assert clean(text) == text


@given(st.text())
def test_nothing_unprintable_but_tabs_survives(text: str) -> None:
    kept = clean(text)
    assert "\x1b" not in kept
    assert not any(unicodedata.category(c) == "Cc" and c != "\t" for c in kept)


@given(st.text(), st.integers(1, 40))
def test_labels_are_one_short_line(text: str, limit: int) -> None:
    kept = label(text, limit)
    assert len(kept) <= limit
    assert "\n" not in kept and "\t" not in kept and "\x1b" not in kept
