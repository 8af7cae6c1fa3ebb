"""`watch --plain` that is interrupted says what the epoch at hand has come to."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sixdim import sample_logs
from tests.support.inputs.torchvision_log import epoch

PROGRESS = re.compile(
    rb"Epoch: \[(\d+)\]  \[ *(\d+)/334\].* img/s: ([\d.]+)  loss: ([\d.]+) .*data: [\d.]+"
)


def interrupted(path: Path, last: str, number: int) -> tuple[int, list[str]]:
    """Exit code and rows of a watch that gets a signal once a row was printed."""
    words = [sys.executable, "-m", "sixdim", "watch", str(path), "--plain", "--no-gpus"]
    rows: list[str] = []
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for row in process.stdout:
            rows.append(row.rstrip("\n"))
            if row.startswith(last):
                process.send_signal(number)
        return process.wait(60), rows


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_epoch_at_hand_is_said_and_marked(number: int) -> None:
    path = sample_logs.path("resnet50_cut.log")
    label, step, speed, loss = PROGRESS.findall(path.read_bytes())[-1]
    code, rows = interrupted(path, "epoch   11", number)
    assert code == 128 + number
    (row,) = [row for row in rows if "unfinished" in row]
    assert row.startswith(f"epoch {int(label):>4}  unfinished at step {int(step)} of 334  ")
    assert f"loss {float(loss):.4g}" in row and f"now {float(speed):.1f} img/s" in row
    assert rows.index(row) == 2 + int(label), "after the rows of all epochs, before the card"


def test_an_epoch_that_is_over_is_no_unfinished_one(tmp_path: Path) -> None:
    path = tmp_path / "train.log"
    path.write_text("".join(epoch(n, 100.0, 50.0 + n) for n in range(3)))
    code, rows = interrupted(path, "epoch    1", signal.SIGINT)
    assert code == 130
    assert [row.split()[1] for row in rows if row.startswith("epoch ")] == ["0", "1", "2"]
    assert not any("unfinished" in row for row in rows)
