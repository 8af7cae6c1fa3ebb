r"""Splitting: the same lines by the fast way for harmless text and by the way for any text."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sixdim.parsers.text import lines
from sixdim.parsers.text.lines import MAX_LINE, Line, LineSplitter, clean

_PIECES = st.sampled_from(
    (b"", b" ", b"\t", b"a", b"10%", b"loss: 0.5\tlr: 1", b"x" * 70, b"\r", b"\n", b"\n\n", b"\r\n")
)
HARMLESS = st.lists(_PIECES, max_size=40).map(b"".join)
ANY = st.lists(
    _PIECES | st.sampled_from((b"\x1b[2J", "é█".encode(), b"\xff", b"\x07", b"\x85", b"\0\0")),
    max_size=40,
).map(b"".join)


def by_hand(data: bytes) -> list[Line]:
    """The lines as the docstrings say them."""
    out, offset = [], 0
    rows = data.split(b"\n")
    for number, row in enumerate(rows, 1):
        pieces = row.split(b"\r")
        for place, piece in enumerate(pieces):
            text = clean(piece.lstrip(b"\0")[:MAX_LINE].decode("utf-8", "replace"))
            has_hole = b"\0" * 8 in piece.strip(b"\0")
            if text and not (has_hole or text.isspace()):
                whole = number < len(rows) or place < len(pieces) - 1
                out.append(Line(number, offset, text, whole=whole))
            offset += len(piece) + 1
    return out


def split(chunks: Iterable[bytes]) -> list[Line]:
    splitter = LineSplitter()
    found = [line for chunk in chunks for line in splitter.feed(chunk)]
    return [*found, *splitter.flush()]


def chunks(data: bytes, size: int) -> list[bytes]:
    return [data[begin : begin + size] for begin in range(0, len(data), size)]


@given(HARMLESS | ANY)
def test_lines_are_those_of_the_text(data: bytes) -> None:
    assert split([data]) == by_hand(data)


@given(HARMLESS | ANY)
def test_chunks_of_every_size_give_the_same(data: bytes) -> None:
    expected = by_hand(data)
    for size in range(1, len(data) + 1):
        assert split(chunks(data, size)) == expected, size


@given(HARMLESS | ANY, st.integers(1, 40))
def test_windows_of_every_size_give_the_same(data: bytes, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "_WINDOW", size)
        assert split([data]) == by_hand(data)


@pytest.mark.parametrize("length", [MAX_LINE - 1, MAX_LINE, MAX_LINE + 1, 2 * MAX_LINE])
@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n", b""])
def test_a_line_as_long_as_may_be(length: int, end: bytes) -> None:
    data = b"first\n" + b"x" * length + end + b"last\n"
    for size in (len(data), 1 << 16, 100_003):
        assert split(chunks(data, size)) == by_hand(data)


@pytest.mark.parametrize("hole", [1, MAX_LINE - 1, MAX_LINE, 3 * MAX_LINE])
@pytest.mark.parametrize("size", [1 << 16, 100_003, 1 << 20])
def test_the_line_behind_a_hole_is_read_however_large_the_hole_is(hole: int, size: int) -> None:
    """A program that writes on at its old place after its log was emptied leaves one."""
    found = split(chunks(b"\0" * hole + b"epoch 1\nepoch 2\n", size))
    assert found == [Line(1, 0, "epoch 1"), Line(2, hole + 8, "epoch 2")]


@pytest.mark.parametrize(
    ("hole", "read"), [(7, True), (8, False), (40, False), (MAX_LINE - 1, False), (10**6, False)]
)
@pytest.mark.parametrize("size", [5, 100_003, 1 << 21])
def test_parts_of_two_lines_with_a_hole_between_are_no_line(
    hole: int, read: bool, size: int
) -> None:
    """Of a machine that failed, or of two that write one file; the loss was 0.51 or 0.517."""
    data = b"epoch 1\nepoch 2 loss 0.51" + b"\0" * hole + b"9 acc 0.7\nepoch 4\n"
    size = max(size, hole // 999)
    glued = [Line(2, 8, "epoch 2 loss 0.519 acc 0.7")] if read else []
    assert split(chunks(data, size)) == [
        Line(1, 0, "epoch 1"),
        *glued,
        Line(3, len(data) - 8, "epoch 4"),
    ]


TRACEBACK = b"Traceback (most recent call last):"


@pytest.mark.parametrize("size", range(1, 60, 7))
def test_a_traceback_on_the_line_of_a_bar_is_a_line_of_its_own(size: int) -> None:
    """Of a program that ended its bar with no newline; a terminal echoes Ctrl-C."""
    data = b"7/9 loss: 0.5" + TRACEBACK + b"\n 2/9 [00:01]^C" + TRACEBACK + b"\r\n" + TRACEBACK
    found = [(line.number, line.offset, line.text) for line in split(chunks(data + b"\n", size))]
    trace = TRACEBACK.decode()
    first = [(1, 0, "7/9 loss: 0.5"), (1, 13, trace)]
    second = [(2, 48, " 2/9 [00:01]"), (2, 62, trace), (3, 98, trace)]
    assert found == [*first, *second]


@pytest.mark.parametrize("size", range(1, 120, 7))
@pytest.mark.parametrize("end", ["0.42", "0.42]"])
def test_what_a_logger_writes_behind_a_bar_is_a_line_of_its_own(end: str, size: int) -> None:
    bar = f"Epoch 1/9:  20%|██   | 20/99 [00:04<00:07, 7.5img/s, loss={end}"
    others = ["5%|█| 1/9 INFO: a count", "1/9 [00:04<00:07, 7.5it/s]INFO: Dice: 0.5", "end"]
    data = "\n".join([f"{bar}INFO: Dice: 0.5", *others, ""]).encode()
    assert [(line.number, line.text) for line in split(chunks(data, size))] == [
        (1, bar),
        (1, "INFO: Dice: 0.5"),
        *enumerate(others, 2),
    ]


@pytest.mark.parametrize(
    "text",
    ["ERROR: Traceback (most recent call last):", r"said \nTraceback (most recent call last):"],
)
def test_a_message_with_a_traceback_is_one_line(text: str) -> None:
    assert [line.text for line in split([text.encode() + b"\n"])] == [text]
