"""What one look at a log that grows reads and compares: each limit on both of its sides."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sixdim.parsers.input.follow import Piece, Tail


@pytest.mark.parametrize(
    ("changed", "at_once"), [(63, True), (64, False), (743, False), (744, True)]
)
def test_a_rewrite_under_growth_is_seen_at_once_in_the_first_64_and_the_last_256_bytes(
    tmp_path: Path, changed: int, at_once: bool
) -> None:
    """Anywhere else it is seen by the check of the whole log."""
    path = tmp_path / "train.log"
    path.write_bytes(b"a" * 1000)
    tail = Tail(str(path), lambda: 0.0)
    assert tail.look().data == b"a" * 1000
    path.write_bytes(b"a" * changed + b"b" + b"a" * 1000)
    assert tail.look().restarted == at_once
    assert tail.unchanged() == at_once
    tail.close()


@pytest.mark.parametrize(("size", "after"), [(1_048_576, 0), (1_048_577, 1)])
def test_a_look_reads_a_mebibyte_at_most(tmp_path: Path, size: int, after: int) -> None:
    path = tmp_path / "train.log"
    path.write_bytes(b"a" * size)
    tail = Tail(str(path), lambda: 0.0)
    piece = tail.look()
    assert (len(piece.data), piece.behind) == (1_048_576, after)
    assert len(tail.look().data) == after
    tail.close()


def test_all_that_was_read_is_compared_after_five_seconds_if_the_log_changed_without_growing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log that only grows is not read again: it may have gigabytes."""
    now, read, pread = [0.0], [0], os.pread

    def counted(descriptor: int, size: int, offset: int) -> bytes:
        data = pread(descriptor, size, offset)
        read[0] += len(data)
        return data

    path = tmp_path / "train.log"
    path.write_bytes(b"a" * 1000)
    tail = Tail(str(path), lambda: now[0])
    monkeypatch.setattr("sixdim.parsers.input.follow.os.pread", counted)

    def bytes_read() -> int:
        read[0] = 0
        tail.look()
        return read[0]

    assert bytes_read() == 1000
    for grown in range(1, 4):
        now[0] += 10
        path.write_bytes(b"a" * (1000 + 100 * grown))
        assert bytes_read() == 100 + 64 + 256  # what is new, and both ends
    for passed, again in ((10.0, 1300), (4.9, 0), (0.1, 1300)):
        now[0] += passed
        os.utime(path)
        assert bytes_read() == again + 64 + 256
    tail.close()


def test_lines_that_follow_a_rename_are_read_from_the_old_file_until_the_new_one_has_any(
    tmp_path: Path,
) -> None:
    """logrotate makes the new file before it tells the program, which writes on meanwhile."""
    path = tmp_path / "train.log"
    with path.open("ab", buffering=0) as old:
        old.write(b"1\n")
        tail = Tail(str(path), lambda: 0.0)
        assert tail.look().data == b"1\n"
        path.rename(tmp_path / "train.log.1")
        path.touch()
        assert tail.look().data == b""
        old.write(b"2\n")
        assert tail.look().data == b"2\n"
        path.write_bytes(b"3\n")
        assert [tail.look() for _ in range(2)] == [Piece(b"3\n"), Piece()]
    tail.close()


def test_a_line_written_between_the_last_read_and_the_rename_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, pread = tmp_path / "train.log", os.pread
    path.write_bytes(b"1\n")
    tail = Tail(str(path), lambda: 0.0)
    assert tail.look().data == b"1\n"

    def rotated_after_this_read(descriptor: int, size: int, offset: int) -> bytes:
        data = pread(descriptor, size, offset)
        if offset == 2 and not data and not (tmp_path / "train.log.1").exists():
            with path.open("ab") as old:
                old.write(b"2\n")
            path.rename(tmp_path / "train.log.1")
            path.write_bytes(b"3\n")
        return data

    monkeypatch.setattr("sixdim.parsers.input.follow.os.pread", rotated_after_this_read)
    assert [tail.look().data for _ in range(3)] == [b"2\n", b"3\n", b""]
    tail.close()
