"""UTF-16, as PowerShell's `>` writes it: the same lines, at the places of their bytes."""

from __future__ import annotations

import codecs

import pytest

from sixdim.parsers.text.lines import MAX_LINE, Line, LineSplitter
from sixdim.parsers.text.utf16 import splitter_of

TEXT = "Epoch 1\r\n 50%|█████     | 5/10\r 100%|██████████| 10/10\n\nloss Ċ 0.5 🚀 done\nlast"
MARKS = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}


def _split(data: bytes, size: int) -> list[Line]:
    splitter = splitter_of(data[:size])
    pieces = (data[at : at + size] for at in range(0, len(data), size))
    return [line for piece in pieces for line in splitter.feed(piece)] + [*splitter.flush()]


@pytest.mark.parametrize("encoding", MARKS)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_the_lines_are_those_of_utf_8_at_the_places_of_utf_16(encoding: str, size: int) -> None:
    data = MARKS[encoding] + TEXT.encode(encoding)
    lines = _split(data, size)
    expected = [*LineSplitter().feed(TEXT.encode() + b"\n")]
    assert [(line.number, line.text) for line in lines] == [
        (line.number, line.text) for line in expected
    ]
    for line in lines:
        begin = line.offset + 2 * (line.offset == 0)  # after the mark
        size_of = len(line.text.encode(encoding))
        assert data[begin : begin + size_of].decode(encoding) == line.text
    assert [line.whole for line in lines] == [True, True, True, True, False]


def test_a_line_is_cut_where_one_of_utf_8_is() -> None:
    data = codecs.BOM_UTF16_LE + ("x" * MAX_LINE + "\nnext\n").encode("utf-16-le")
    long, following = _split(data, 1 << 16)
    assert len(long.text) == MAX_LINE // 2 - 1
    assert (following.text, following.number) == ("next", 2)


@pytest.mark.parametrize("begin", [b"", b"E", b"\xef\xbb\xbf", b"\xc3\xa9"])
def test_other_text_is_utf_8(begin: bytes) -> None:
    assert type(splitter_of(begin)) is LineSplitter
