"""A further figure that is no number costs its line nothing, whoever reads the log."""

from __future__ import annotations

import pytest

from sixdim.metrics.values.card import dumps
from sixdim.metrics.values.settings import Settings
from sixdim.tui.session.request import Request


@pytest.mark.parametrize("norm", ["1e999", "0.5"])
def test_a_screen_and_a_score_count_the_same_lines(norm: str) -> None:
    lines = [
        f"step {step:4d}/100 | loss 9.932123 (-1.20z)| norm {norm if step == 7 else 0.5} (+0.10z)| "
        f"lr 8.57e-06 | {400 + step}.20 ms | 41.3% bf16 MFU | {1_000_000 + step} tok/s\n"
        for step in range(1, 31)
    ]
    cards = []
    for lines_on_screen in (0, 100):
        session = Request(Settings()).session("train.log", keep=lines_on_screen)
        session.feed("".join(lines).encode())
        session.end()
        cards.append(session.card())
        assert session.run.epochs[0].records == 30
    assert dumps(cards[0]) == dumps(cards[1])
    assert not [w for w in cards[0].warnings if w.kind == "broken_number"]
