"""How many control characters a log may have before it is a binary file."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from sixdim.parsers.input.source import LogError, LogFile


def _is_refused(path: Path, content: bytes) -> bool:
    path.write_bytes(content)
    log = LogFile(str(path))
    try:
        assert log.read() == content
    except LogError:
        return True
    finally:
        log.close()
    return False


@pytest.mark.parametrize("order", ["", "-le", "-be"])
def test_of_the_wide_encodings_utf_32_is_named_and_utf_16_is_read(
    tmp_path: Path, order: str
) -> None:
    path = tmp_path / "train.log"
    mark = "\ufeff" if order else ""  # the codec without an order writes the mark itself
    path.write_bytes((mark + "epoch 1 loss 0.5\n").encode("utf-32" + order))
    said = "^train.log is UTF-32 text: iconv -f UTF-32 -t UTF-8 it first$"
    with pytest.raises(LogError, match=said):
        LogFile(str(path)).read()
    assert not _is_refused(path, (mark + "epoch 1 loss 0.5\n").encode("utf-16" + order))


@pytest.mark.parametrize(
    ("text", "control", "count", "refused"),
    [
        (91, b"\x01", 9, True),
        (92, b"\x01", 8, False),  # so few may be a log's own bug, whatever their share
        (980, b"\x01", 20, False),
        (979, b"\x01", 20, True),  # more than a fiftieth
        (1990, b"\0", 10, False),
        (1989, b"\0", 10, True),  # more than one byte in 200
        (8152, b"\0", 800, False),  # 40 of them in the first 8 KiB, of which 41 are too many
        (8151, b"\0", 800, True),
    ],
)
def test_control_characters(
    tmp_path: Path, text: int, control: bytes, count: int, refused: bool
) -> None:
    assert _is_refused(tmp_path / "train.log", b"a" * text + control * count) is refused


@pytest.mark.parametrize(("count", "refused"), [(63, True), (64, False)])
def test_a_hole_of_a_sparse_file_begins_with_64_zeros_after_a_line(
    tmp_path: Path, count: int, refused: bool
) -> None:
    content = b"step 1\n" + b"\0" * count + b"step 2\n"
    assert _is_refused(tmp_path / "train.log", content) is refused


def test_a_zero_in_each_line_or_a_hole_inside_one_is_no_binary_file(tmp_path: Path) -> None:
    """A C program may print the end of its strings; a machine that fails may leave a hole."""
    path = tmp_path / "train.log"
    assert not _is_refused(path, b"epoch 1 loss 0.5\0\n" * 40)
    assert _is_refused(path, b"epoch\0 1 loss 0.5\0\n" * 40)
    assert not _is_refused(path, b"epoch 1 loss 0.5\nepoch 2 l" + b"\0" * 4000 + b"epoch 1\n")


@pytest.mark.parametrize(("count", "refused"), [(8, False), (9, True), (100_000, True)])
def test_a_file_of_zeros_alone_is_no_hole(tmp_path: Path, count: int, refused: bool) -> None:
    assert _is_refused(tmp_path / "train.log", b"\0" * count) is refused


@pytest.mark.parametrize("size", [1, 300_000])
def test_a_log_may_begin_with_a_hole_larger_than_what_is_read_at_once(
    tmp_path: Path, size: int
) -> None:
    """The program that writes it goes on at its old place after it was emptied."""
    log, path = b"step 1\n" * size, tmp_path / "train.log"
    path.write_bytes(b"\0" * 1_000_000 + log)
    with closing(LogFile(str(path))) as source:
        pieces = [*iter(source.read, b"")]
    assert b"".join(pieces) == b"\0" * 1_000_000 + log


@pytest.mark.parametrize("after", [b"", b"\x7fELF\x01\x02" * 2000])
def test_zeros_alone_or_a_program_after_them_are_no_log(tmp_path: Path, after: bytes) -> None:
    path = tmp_path / "train.log"
    path.write_bytes(b"\0" * 1_000_000 + after)
    said = r"^train\.log is a binary file, not a log$"
    with closing(LogFile(str(path))) as source, pytest.raises(LogError, match=said):
        [*iter(source.read, b"")]
