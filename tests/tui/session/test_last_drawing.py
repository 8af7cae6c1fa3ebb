"""The last drawing of a bar: its line ends with the next one, which may be an epoch later."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from sixdim.tui.base.clock import Clock
from tests.support.processes.live import Live, card_of


def _bar(done: int, seconds: int, figures: str = "") -> str:
    """A drawing of a bar of 8 epochs of 5 s."""
    rest = f"{(8 - done) * 5:02}, 5.00s/it{figures}" if done else "?, ?it/s"
    return f"\r{12 * done:3}%|##   | {done}/8 [00:{seconds:02}<00:{rest}]"


def _log(epochs: int) -> str:
    """Each epoch's figures are drawn beside the count before, and then beside the next one."""
    text = _bar(0, 0)
    for done in range(1, epochs + 1):
        figures = f", train_loss=0.{9 - done}, val_acc=0.{done}5"
        text += _bar(done - 1, 5 * done, figures) + _bar(done, 5 * done, figures)
    return text


@pytest.mark.parametrize(
    ("cut", "shown", "epochs"), [(0, 0.45, 4), (1, 0.35, 3), (12, 0.35, 3)], ids=str
)
def test_it_is_read_once_the_log_pauses(
    tmp_path: Path, cut: int, shown: float, epochs: int
) -> None:
    """With its bracket alone: a part of a drawing is none, and the card waits for its line."""
    log = _log(4)
    data = log[: len(log) - cut].encode()
    path, forward = tmp_path / "train.log", [0.0]
    path.write_bytes(data)
    clock = Clock(lambda: time.monotonic() + forward[0], lambda: time.time_ns() // 1000)
    with Live(path, clock=clock) as live:
        before = live.wait_for_bytes(len(data)).snapshot
        forward[0] = 3.0
        time.sleep(1.5)
        after = live.frames[-1].snapshot
        with path.open("ab") as file:
            file.write(log[len(data) :].encode() + b"\n")
        live.wait_for_bytes(len(log) + 1)
        assert live.card() == card_of(log.encode() + b"\n")
    assert before.card.dimensions["accuracy"].value == 0.35
    assert after.card.dimensions["accuracy"].value == shown
    assert after.progress.remaining.trained == pytest.approx(epochs / 8)
