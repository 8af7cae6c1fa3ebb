"""Looks for packages with formats in the folders of an installation."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from sixdim.parsers.reader.announced import announced


@pytest.mark.parametrize("says", [True, False])
def test_a_file_that_cannot_be_read_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: bool
) -> None:
    (tmp_path / "a-1.dist-info" / "entry_points.txt").mkdir(parents=True)
    if says:
        other = tmp_path / "b-1.dist-info"
        other.mkdir()
        (other / "entry_points.txt").write_text("[sixdim.formats]\nours = ours:Reader\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    announced.cache_clear()
    try:
        assert announced() is says
    finally:
        announced.cache_clear()
