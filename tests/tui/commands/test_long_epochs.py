"""`watch --plain` inside an epoch that takes hours: a line a minute while the log grows."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from sixdim.metrics.values.settings import Settings
from sixdim.tui.commands.watch_lines import _follow
from sixdim.tui.export.epoch_lines import PrintedRuns
from sixdim.tui.export.patient_output import PatientOutput, WaitingFrames
from sixdim.tui.session.live.feed import Frame
from sixdim.tui.session.request import Request
from tests.support.inputs.torchvision_log import epoch


def _line(step: int) -> str:
    return (
        f"Epoch: [1]  [{step:4}/5000]  eta: 0:01:00  lr: 0.1  img/s: 100.0  "
        f"loss: 1.0 (1.0)  time: 0.5  data: 0.0\n"
    )


def _printed(capsys: pytest.CaptureFixture[str], *moments: float) -> list[str]:
    """What is printed of a log whose second epoch has one more line at each moment."""
    session = Request(Settings()).session("t.log", keep=1)
    session.feed(("Namespace(epochs=2)\n" + epoch(0, 100.0, 70.0)).encode())
    frames = WaitingFrames()
    frames.put(Frame(session.snapshot()))
    for place in range(len(moments)):
        session.feed(_line(10 * place).encode())
        frames.put(Frame(session.snapshot()))
    frames.end()
    now = iter([0.0, 0.0, *moments, *[moments[-1]] * 9])
    feed: Any = SimpleNamespace(feeds=())
    output = PatientOutput(lambda: False)
    _follow(feed, frames, PrintedRuns(), output, set(), True, lambda: next(now))
    return capsys.readouterr().out.splitlines()


def test_a_line_is_printed_after_a_minute_without_one(capsys: pytest.CaptureFixture[str]) -> None:
    begin = _printed(capsys, 0.0, 59.9)
    assert [row[:10] for row in begin] == ["format tor", "epoch    0"]
    *first, row = _printed(capsys, 0.0, 60.0)
    assert first == begin
    assert row.startswith("epoch    1  unfinished at step 10 of 5000  ")
    assert "  now 100.0 img/s  ends in ~" in row
