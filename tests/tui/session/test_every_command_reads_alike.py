"""A log, or a folder of ranks, gives one card, whichever command reads it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sixdim.metrics.values.settings import Settings
from sixdim.tui.session.cards import read_one
from sixdim.tui.session.request import Request

Sixdim = Callable[..., tuple[int, str, str]]
CardOf = Callable[..., dict[str, Any]]
LINES = "".join(
    f"Epoch: [{epoch}]  [{step}/4]  eta: 0:00:01  lr: 0.1  img/s: {100 + epoch}  "
    f"loss: 1.5 (1.6)  time: 0.5  data: 0.0\n"
    for epoch in range(2)
    for step in range(4)
)


@pytest.fixture
def ranks(tmp_path: Path) -> Path:
    folder = tmp_path / "ranks"
    folder.mkdir()
    for rank in range(3):
        (folder / f"rank{rank}.log").write_text(LINES)
    return folder


def test_a_folder_of_ranks_gives_the_card_of_score(card_of: CardOf, ranks: Path) -> None:
    card = card_of(ranks)
    assert card["run"]["devices"] == 3
    assert read_one(str(ranks), Request(Settings())).card.to_json() == card


def test_compare_report_and_baseline_read_a_folder_of_ranks(
    sixdim: Sixdim, card_of: CardOf, ranks: Path, tmp_path: Path
) -> None:
    one = tmp_path / "one.log"
    one.write_text(LINES)
    code, out, err = sixdim("compare", ranks, one, "--json", "-")
    assert (code, err) == (0, "")
    assert [run["log"] for run in json.loads(out)["runs"]] == ["ranks (rank 0 of 3)", "one.log"]
    code, out, _ = sixdim("report", ranks, "-o", "-")
    assert code == 0 and "3 devices" in out
    linearity = card_of(one, "--scaled", ranks, "--baseline", one)["dimensions"]["linearity"]
    assert linearity["scaled"]["count"] == 3


def test_the_facts_of_a_folders_name_count_for_every_command(
    card_of: CardOf, tmp_path: Path
) -> None:
    folder = tmp_path / "2n8g"
    folder.mkdir()
    log = folder / "rn50_b128_fp32_1.log"
    log.write_text(LINES)
    card = card_of(log)
    assert (card["run"]["devices"], card["run"]["nodes"]) == (16, 2)
    assert read_one(str(log), Request(Settings())).card.to_json() == card
