"""Every row of a log is found, however it is cut into blocks and however it grows."""

from __future__ import annotations

import random
import re

import pytest

from sixdim.tui.search import index as index_module
from sixdim.tui.search.index import Index
from sixdim.tui.search.query import BadPatternError, parse


def rows_of(data: bytes) -> list[tuple[int, str]]:
    """(line number, text) of the rows, by splitting alone; for text without escape sequences."""
    found = []
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
        found += [(number, piece) for piece in line.split("\r") if piece.strip()]
    return found


def scanned(data: bytes, only: str = "", wanted: str = "", line: int = 1) -> Index:
    index = Index(
        lambda offset, size: data[offset : offset + size], line, *map(parse, (only, wanted))
    )
    while index.advance(len(data), ended=True):
        pass
    return index


def some_log(seed: int) -> bytes:
    """Lines of many lengths, blank or drawn over, some that are no ASCII, one without its end."""
    dice = random.Random(seed)
    words = ["loss", "Loss", "0.25", "epoch", "é█", "step 7", "", " ", "x" * 90, "\t", "lossless"]
    pieces = []
    for _ in range(300):
        row = " ".join(dice.choices(words, k=dice.randrange(5)))
        pieces.append(row + dice.choice(["\n", "\n", "\n", "\r", "\r\n", "\n\n"]))
    return "".join(pieces).encode() + b"the end, loss"


@pytest.fixture(params=[32, 1 << 18])
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Blocks of a few bytes, many of them shorter than a row, and of the usual size."""
    monkeypatch.setattr(index_module, "BLOCK", request.param)
    return int(request.param)


@pytest.mark.parametrize(
    ("typed", "expression"),
    [
        ("loss", "(?i)loss"),
        ("Loss", "Loss"),
        ("0.25", r"0\.25"),
        ("é", "(?i)é"),
        ("/^(loss|step)/", "(?i)^(loss|step)"),
        (r"/\S7$/", r"(?i)\S7$"),
        ("/ 7$/", " 7$"),
    ],
)
def test_counts_rows_and_numbers_are_those_of_a_plain_search(
    block: int, typed: str, expression: str
) -> None:
    for seed in range(3):
        check_search(some_log(seed), typed, expression)


def check_search(data: bytes, typed: str, expression: str) -> None:
    """Compares what the index of a log finds with the result of an expression on its rows."""
    expected = [row for row in rows_of(data) if re.search(expression, row[1])]
    searched = scanned(data, wanted=typed)
    assert searched.hits == len(expected)
    assert searched.lines == data.count(b"\n") + 1
    forward = [(row.number, row.text) for row in searched.forward(0, hits=True)]
    assert forward == expected
    backward = [(row.number, row.text) for row in searched.backward(len(data), hits=True)]
    assert backward == expected[::-1]
    filtered = scanned(data, only=typed)
    assert filtered.displayed == len(expected)
    assert [(row.number, row.text) for row in filtered.forward(0)] == expected
    ranks = [searched.rank(row) for row in searched.forward(0, hits=True)]
    assert ranks == list(range(1, len(expected) + 1))


def test_every_row_can_be_gone_to_by_its_number(block: int) -> None:
    data = some_log(7)
    index = scanned(data, line=101)
    by_number = dict(reversed([(number + 100, text) for number, text in rows_of(data)]))
    for number, text in by_number.items():
        offset = index.offset_of(number)
        assert offset is not None
        row = next(index.forward(offset))
        assert (row.number, row.text) == (number, text)


def test_a_search_within_a_filter_is_both(block: int) -> None:
    data = some_log(3)
    both = [row for row in rows_of(data) if "epoch" in row[1] and "loss" in row[1].lower()]
    index = scanned(data, only="epoch", wanted="loss")
    assert [(row.number, row.text) for row in index.forward(0, hits=True)] == both
    assert index.hits == len(both)


def test_a_growing_log_is_as_one_that_was_there_at_once(block: int) -> None:
    data = some_log(11)
    whole = scanned(data, wanted="loss")
    grown = Index(lambda offset, size: data[offset : offset + size], 1, None, parse("loss"))
    for limit in range(0, len(data), 77):
        while grown.advance(limit, ended=False):
            pass
        assert grown.scanned <= limit
    while grown.advance(len(data), ended=True):
        pass
    assert (grown.hits, grown.lines) == (whole.hits, whole.lines)
    assert [*grown.forward(0)] == [*whole.forward(0)]


def test_a_half_written_row_waits_for_its_end() -> None:
    data = b"one loss\ntwo lo"
    index = Index(lambda offset, size: data[offset : offset + size], 1, None, parse("loss"))
    assert index.advance(len(data), ended=False) and not index.advance(len(data), ended=False)
    assert (index.hits, index.lines) == (1, 1)
    assert index.advance(len(data), ended=True)
    assert index.lines == 2


def test_what_is_displayed_is_what_is_searched() -> None:
    data = b"\x1b[32mlo\x1b[0mss\x1b[1m: 0.3\x1b[m\nlo\x00ss: 0.4\nl\xe2\x80\x8boss: 0.5\n"
    data += b"\x1b]0;loss: 0\x07\n"
    index = scanned(data, wanted="loss: 0")
    found = [row.text for row in index.forward(0, hits=True)]
    assert found == ["loss: 0.3", "loss: 0.4", "loss: 0.5"]
    assert index.hits == 3
    assert scanned(data, wanted="32m").hits == 0


def test_a_row_longer_than_a_block_is_one_row() -> None:
    data = b"a\n" + b"x" * 700_000 + b" needle\r" + b"y needle\nneedle\n"
    index = scanned(data, wanted="needle")
    assert [row.number for row in index.forward(0)] == [1, 2, 2, 3]
    assert index.hits == 2, "of a longer row the first 256 KiB are read"


@pytest.mark.parametrize("typed", ["/[/", "/(/", "/a{99999999999}/", "/*/", "/(?P<a/", "x" * 1001])
def test_what_is_no_pattern_is_said_in_one_line(typed: str) -> None:
    with pytest.raises(BadPatternError) as error:
        parse(typed)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("typed", "row", "found"),
    [
        ("loss", "LOSS", True),
        ("Loss", "loss", False),
        ("Loss", "Loss", True),
        (r"/\Sss/", "LOSS", True),
        (r"/\bLoss/", "loss", False),
        ("a.c", "abc", False),
        ("/a.c/", "abc", True),
        ("/", "a/b", True),
        ("//", "a//b", True),
        ("/usr/lib", "in /usr/lib/python", True),
        ("/usr/lib/", "in /usr/lib/python", True),
    ],
)
def test_case_and_slashes_are_as_one_types_them(typed: str, row: str, found: bool) -> None:
    pattern = parse(typed)
    assert pattern is not None and pattern.finds(row) == found
