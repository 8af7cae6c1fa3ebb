"""What one look at a log that grows reads and compares: each limit on both of its sides."""

from __future__ import annotations

from pathlib import Path

import pytest

from sixdim.parsers.input.follow import Tail


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


@pytest.mark.parametrize(("size", "behind"), [(1_048_576, 0), (1_048_577, 1)])
def test_a_look_reads_a_mebibyte_at_most(tmp_path: Path, size: int, behind: int) -> None:
    path = tmp_path / "train.log"
    path.write_bytes(b"a" * size)
    tail = Tail(str(path), lambda: 0.0)
    piece = tail.look()
    assert (len(piece.data), piece.behind) == (1_048_576, behind)
    assert len(tail.look().data) == behind
    tail.close()
