"""A folder whose ranks log by themselves is one run; any other is an error with a way out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Sixdim = Callable[..., tuple[int, str, str]]
CardOf = Callable[..., dict[str, Any]]


def text(rate: float) -> str:
    lines = [f"epoch 0 step {n}: loss {3 / n:.3f}, {rate + n} samples/s\n" for n in (1, 2, 3, 4)]
    return "".join([*lines, "epoch 0 valid: acc 61.5 %\n"])


def flat(root: Path, ranks: range, before: str = "rank") -> Path:
    root.mkdir(exist_ok=True)
    for rank in ranks:
        (root / f"{before}{rank}.log").write_text(text(100 * (rank + 1)))
    return root


def torchrun(root: Path, attempt: int, ranks: int, run: str = "none_x1") -> Path:
    for rank in range(ranks):
        where = root / run / f"attempt_{attempt}" / str(rank)
        where.mkdir(parents=True)
        (where / "stdout.log").write_text(text(1000 * (attempt + 1) + 100 * rank))
        (where / "stderr.log").touch()
    return root


def test_files_by_rank(tmp_path: Path, sixdim: Sixdim, card_of: CardOf) -> None:
    logs = flat(tmp_path / "logs", range(12))  # rank10 is not the one after rank1
    (logs / "config.yaml").touch()
    card = card_of(logs)
    assert card["provenance"]["log"] == "logs (rank 0 of 12)"
    assert card["run"]["devices"] == 12
    assert card["run"]["sources"]["devices"] == "name"
    assert card["dimensions"]["speed"]["value"] == 102.5
    alone = card_of(logs / "rank0.log")
    assert alone["provenance"]["sha256"] == card["provenance"]["sha256"]
    assert card_of(logs, "--devices", 3)["run"]["devices"] == 3
    assert "logs (rank 0 of 12)" in sixdim("score", logs)[1]
    assert "logs (rank 0 of 12)" in sixdim("replay", logs, "--plain")[1]


def test_what_torchrun_writes(tmp_path: Path, card_of: CardOf) -> None:
    torchrun(tmp_path / "a", 0, 4)
    torchrun(tmp_path / "a", 1, 4)  # restarted: the last attempt is the run
    for named in (tmp_path / "a", tmp_path / "a" / "none_x1"):
        card = card_of(named)
        assert card["run"]["devices"] == 4
        assert card["dimensions"]["speed"]["value"] == 2002.5
    assert card_of(tmp_path / "a" / "none_x1" / "attempt_0")["dimensions"]["speed"]["value"] == (
        1002.5
    )


def test_the_stream_that_says_something(tmp_path: Path, card_of: CardOf) -> None:
    torchrun(tmp_path / "a", 0, 2)
    chief = tmp_path / "a" / "none_x1" / "attempt_0" / "0"
    (chief / "stdout.log").write_text("")
    (chief / "stderr.log").write_text(text(500))
    assert card_of(tmp_path / "a")["dimensions"]["speed"]["value"] == 502.5


@pytest.mark.parametrize("what", ["empty", "unrelated", "two runs", "two torchruns"])
def test_a_folder_that_is_not_one_run(tmp_path: Path, sixdim: Sixdim, what: str) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    if what == "unrelated":
        (logs / "a.log").write_text(text(1))
        (logs / "b.log").write_text(text(2))
    elif what == "two runs":
        flat(logs, range(2), "amp_rank")
        flat(logs, range(2), "fp32_rank")
    elif what == "two torchruns":
        torchrun(logs, 0, 2, "one")
        torchrun(logs, 0, 2, "two")
    for command in ("score", "replay"):
        code, out, err = sixdim(command, logs)
        assert (code, out) == (2, "")
        assert err.startswith("sixdim: logs is a folder: name the log inside it (rank0.log")
        assert err.count("\n") == 1


def test_a_missing_rank_is_named(tmp_path: Path, sixdim: Sixdim) -> None:
    logs = flat(tmp_path / "logs", range(1, 4))
    assert "logs of 3 ranks and none of rank 0" in sixdim("score", logs)[2]
    flat(logs, range(1))
    (logs / "rank2.log").unlink()
    code, _out, err = sixdim("score", logs)
    assert code == 2 and "none of rank 2" in err
