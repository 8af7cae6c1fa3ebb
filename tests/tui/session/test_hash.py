"""The hash of a log stands wherever its card is kept, and wherever runs are compared."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sixdim import sample_logs

RUN = sample_logs.path(sample_logs.RUN)
Command = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize("flag", ["--json", "--markdown", "--summary"])
def test_a_card_that_is_stored_says_which_bytes_it_rests_on(
    flag: str, sixdim: Command, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    sixdim("score", RUN, flag, kept)
    assert hashlib.sha256(RUN.read_bytes()).hexdigest() in kept.read_text()


def test_a_printed_card_tells_runs_of_the_same_bytes(sixdim: Command, tmp_path: Path) -> None:
    copy = tmp_path / "copy.log"
    copy.write_bytes(RUN.read_bytes())
    others = [sample_logs.path(name) for name in sample_logs.REPEATS]
    _code, out, err = sixdim("score", RUN, "--repeat", copy, *others[:3])
    assert "byte-identical logs" in out + err


def test_a_printed_card_is_the_one_that_is_stored(sixdim: Command, tmp_path: Path) -> None:
    """What is printed does not depend on whether the bytes were hashed."""
    alone = sixdim("score", RUN)
    beside = sixdim("score", RUN, "--json", tmp_path / "card.json")
    assert alone == beside
    assert json.loads((tmp_path / "card.json").read_text())["provenance"]["bytes"]
