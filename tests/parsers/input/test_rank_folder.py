"""A folder whose ranks log by themselves is one run; any other is an error with a way out."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest import approx

Sixdim = Callable[..., tuple[int, str, str]]
CardOf = Callable[..., dict[str, Any]]


def text(rate: float) -> str:
    lines = [f"epoch 0 step {n}: loss {3 / n:.3f}, {rate + 2.5} samples/s\n" for n in (1, 2, 3, 4)]
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
    assert card["dimensions"]["speed"]["value"] == approx(102.5)
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
        assert card["dimensions"]["speed"]["value"] == approx(2002.5)
    first = card_of(tmp_path / "a" / "none_x1" / "attempt_0")
    assert first["dimensions"]["speed"]["value"] == approx(1002.5)


def node(root: Path, run: str, attempt: int, ranks: int, log: str) -> None:
    """What torchrun writes on one node whose first rank logs and whose others are silent."""
    for rank in range(ranks):
        where = root / run / f"attempt_{attempt}" / str(rank)
        where.mkdir(parents=True)
        (where / "stdout.log").write_text("" if rank else log)
        (where / "stderr.log").write_text("W0101 warning\n")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("job7_zzzzzzzz", "job7_a_b1c2d3"),  # one folder for all
        ("node0/job7_zzzzzzzz", "node1/job7_a1b2c3d4"),  # a folder for each
        ("0/job7_zzzzzzzz", "1/job7_a1b2c3d4"),
        ("node2", "node10"),
    ],
)
def test_nodes_of_one_torchrun(
    tmp_path: Path, card_of: CardOf, sixdim: Sixdim, first: str, second: str
) -> None:
    logs = tmp_path / "logs"
    node(logs, first, 0, 8, text(4000))
    node(logs, second, 0, 8, "starting\n")
    card = card_of(logs)
    assert card["run"]["devices"] == 16
    assert card["run"]["sources"]["devices"] == "name"
    assert card["provenance"]["log"] == "logs (one of 16 ranks on 2 nodes)"
    assert card["dimensions"]["speed"]["value"] == approx(4002.5)
    assert card_of(logs / first)["run"]["devices"] == 8


def test_nodes_that_restart_and_one_that_is_lost(tmp_path: Path, card_of: CardOf) -> None:
    logs = tmp_path / "logs"
    node(logs, "job7_aaaaaaaa", 0, 8, text(4000))
    node(logs, "job7_bbbbbbbb", 0, 8, "starting\n")
    node(logs, "job7_bbbbbbbb", 1, 8, text(5000))
    card = card_of(logs)
    assert card["run"]["devices"] == 8
    assert card["provenance"]["log"] == "logs (rank 0 of 8, after 1 restart)"
    assert card["dimensions"]["speed"]["value"] == approx(5002.5)


def test_runs_of_one_id_one_after_another_are_no_nodes(tmp_path: Path, sixdim: Sixdim) -> None:
    logs = tmp_path / "logs"
    for hour, run in enumerate(("none_aaaaaaaa", "none_bbbbbbbb")):
        node(logs, run, 0, 2, text(100))
        for path in (logs / run).rglob("*"):
            os.utime(path, (3600 * hour, 3600 * hour))
    code, _out, err = sixdim("score", logs)
    assert code == 2 and "is a folder: name the log in it" in err


def test_of_two_runs_at_once_on_a_node_none_is_a_node_of_the_other(
    tmp_path: Path, sixdim: Sixdim, card_of: CardOf
) -> None:
    """Runs of one id are nodes of one run in one folder, or in a folder each, but in no mixture."""
    logs = tmp_path / "logs"
    for run in ("node0/none_aaaaaaaa", "node1/none_bbbbbbbb"):
        node(logs, run, 0, 2, text(100))
    assert card_of(logs)["run"]["devices"] == 4
    node(logs, "node1/none_cccccccc", 0, 2, text(100))
    code, _out, err = sixdim("score", logs)
    assert code == 2 and "is a folder: name the log in it" in err


def test_a_node_without_its_first_rank(tmp_path: Path, sixdim: Sixdim) -> None:
    logs = tmp_path / "logs"
    for run in ("job7_aaaaaaaa", "job7_bbbbbbbb"):
        node(logs, run, 0, 3, text(100))
    shutil.rmtree(logs / "job7_bbbbbbbb" / "attempt_0" / "0")
    code, _out, err = sixdim("score", logs)
    assert code == 2 and "has logs of 2 ranks and none of rank 0" in err


def test_files_by_rank_in_a_folder_for_each_node(tmp_path: Path, card_of: CardOf) -> None:
    (tmp_path / "logs").mkdir()
    flat(tmp_path / "logs" / "node0", range(4))
    flat(tmp_path / "logs" / "node1", range(4, 8))
    card = card_of(tmp_path / "logs")
    assert (card["run"]["devices"], card["dimensions"]["speed"]["value"]) == (8, approx(102.5))


def test_the_stream_that_says_something(tmp_path: Path, card_of: CardOf) -> None:
    torchrun(tmp_path / "a", 0, 2)
    chief = tmp_path / "a" / "none_x1" / "attempt_0" / "0"
    (chief / "stdout.log").write_text("")
    (chief / "stderr.log").write_text(text(500))
    assert card_of(tmp_path / "a")["dimensions"]["speed"]["value"] == approx(502.5)


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
        assert err.startswith("sixdim: logs is a folder: name the log in it (rank0.log")
        assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "says"), [("99999", "and none of rank 0"), ("100000", "name the log in it")]
)
def test_a_folder_named_by_six_digits_is_no_rank(
    tmp_path: Path, sixdim: Sixdim, name: str, says: str
) -> None:
    """It is a job's, for example."""
    (tmp_path / "logs" / name).mkdir(parents=True)
    (tmp_path / "logs" / name / "stdout.log").write_text(text(100))
    assert says in sixdim("score", tmp_path / "logs")[2]


def test_a_missing_rank_is_named(tmp_path: Path, sixdim: Sixdim) -> None:
    logs = flat(tmp_path / "logs", range(1, 4))
    assert "logs of 3 ranks and none of rank 0" in sixdim("score", logs)[2]
    flat(logs, range(1))
    (logs / "rank2.log").unlink()
    code, _out, err = sixdim("score", logs)
    assert code == 2 and "none of rank 2" in err
