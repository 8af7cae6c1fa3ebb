"""The lines of `watch --plain`: each thing is said once, and of the run that it is about."""

from __future__ import annotations

import os
import re
import sys
import time
from contextlib import suppress
from dataclasses import replace

import pytest

from sixdim import sample_logs
from sixdim.metrics.values.convergence import parse_target
from sixdim.metrics.values.settings import Settings
from sixdim.tui.export.epoch_lines import EpochLines, PrintedRuns
from sixdim.tui.export.patient_output import GRACE_S, MOST, PatientOutput, WaitingFrames
from sixdim.tui.session.live.feed import Frame
from sixdim.tui.session.request import Request
from tests.support.inputs.torchvision_log import epoch
from tests.support.screens import frame_at


def _listed(*runs: Frame) -> Frame:
    return replace(runs[0], runs=runs)


def _run(name: str, epochs: int, *, restarts: int = 0, message: str = "") -> Frame:
    shot = replace(frame_at(epochs).snapshot, name=name)
    return Frame(shot, restarts=restarts, message=message)


def test_a_log_that_begins_anew_repeats_no_line_of_another() -> None:
    plain, two = PrintedRuns(), _run("two.log", 12)
    first = [*plain.lines(_listed(_run("one.log", 12), two))]
    assert sum(row.startswith("two.log: epoch") for row in first) == 12
    again = [*plain.lines(_listed(_run("one.log", 3, restarts=1), two))]
    assert [row[:19] for row in again] == [f"one.log: epoch    {n}" for n in range(3)]


def test_an_epoch_that_waits_for_its_evaluation_is_not_printed_among_those_of_another_log() -> None:
    plain = EpochLines()

    def rows(epochs: int, restarts: int) -> list[str]:
        session = Request(Settings()).session("t.log", keep=1)
        for label in range(epochs):
            session.feed(epoch(label, 100.0, 70.0).encode())
        frame = Frame(session.snapshot(), restarts=restarts)
        return [row[:10] for row in plain.lines(frame) if row.startswith("epoch")]

    assert rows(3, 0) == ["epoch    0", "epoch    1"]
    assert rows(2, 1) == ["epoch    0"]


def test_the_second_log_of_a_list_may_begin_anew_too() -> None:
    plain, one = PrintedRuns(), _run("one.log", 12)
    assert [*plain.lines(_listed(one, _run("two.log", 12)))]
    again = [*plain.lines(_listed(one, _run("two.log", 3, restarts=1)))]
    assert [row[:19] for row in again] == [f"two.log: epoch    {n}" for n in range(3)]


def test_each_time_a_log_begins_anew_is_said() -> None:
    plain, anew = EpochLines(), "reading it anew"
    frames = [_run("one.log", 3, restarts=n, message=anew) for n in (1, 1, 2)]
    assert [anew in [*plain.lines(frame)] for frame in frames] == [True, False, True]


def test_a_message_of_the_second_log_is_printed_with_its_name() -> None:
    two = _run("two.log", 12, message="cannot write two.json: No space left on device")
    rows = [*PrintedRuns().lines(_listed(_run("one.log", 12), two))]
    assert "two.log: cannot write two.json: No space left on device" in rows


def test_an_epoch_after_the_target_waits_for_its_evaluation_too() -> None:
    """The training goes on after the target: epoch 34 is over before its accuracy is printed."""
    log = sample_logs.path(sample_logs.RUN)
    wanted = Request(Settings(target=parse_target("acc1>=65", "--target")))
    session, plain = wanted.session(log.name, keep=1), EpochLines()
    rows: list[str] = []
    for line in log.read_bytes().splitlines(keepends=True):
        session.feed(line)
        if line.startswith((b"Epoch: [34] Total", b"Epoch: [35]")):
            rows += plain.lines(Frame(session.snapshot()))
    text = log.read_text()
    rate = re.findall(r"^Epoch: \[34\] Avg img/s: (\S+)", text, re.MULTILINE)[0]
    accuracy = re.findall(r"^ *\* Acc@1 (\S+)", text, re.MULTILINE)[34]
    (row,) = (row for row in rows if row.startswith("epoch   34"))
    assert "target acc1>=65 reached: the card is frozen" in rows
    assert f" {float(rate):.1f} img/s  acc1 {float(accuracy):.2f} " in row


def test_a_silence_is_one_line_however_long_it_is() -> None:
    lines, frame = EpochLines(), frame_at(12)
    said = [
        row
        for minutes in (1, 2, 3)
        for row in lines.lines(
            replace(frame, stalled=True, message=f"stalled: no new line for {minutes} min")
        )
        if "stalled" in row
    ]
    assert said == ["stalled: no new line for 1 min"]
    assert not [row for row in lines.lines(frame) if "stalled" in row]
    later = replace(frame, stalled=True, message="stalled: no new line for 1 min")
    assert [*lines.lines(later)] == ["stalled: no new line for 1 min"]


def test_frames_that_wait_for_a_late_reader_are_few_and_no_epoch_is_lost() -> None:
    waiting = WaitingFrames()
    for epochs in [*range(1, 13)] * 100:  # a screen shows ten a second
        waiting.put(_run("train.log", epochs))
    waiting.end()
    frames = [*iter(waiting.get, None)]
    assert len(frames) == MOST < 1200
    rows = [row for frame in frames for row in EpochLines().lines(frame)]
    assert any(row.startswith("epoch   11") for row in rows)
    assert len(frames[-1].snapshot.epochs) == len(_run("train.log", 12).snapshot.epochs)


def test_the_reader_of_a_full_pipe_gets_its_time_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for each of the forty lines that still wait when the command is to end."""
    reads, writes = os.pipe()
    os.set_blocking(writes, False)
    with suppress(BlockingIOError):
        while True:
            os.write(writes, bytes(4096))
    with open(writes, "w") as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        output = PatientOutput(lambda: True)
        begin = time.monotonic()
        for number in range(20):
            output.print(f"{number}\nits second line")
        assert GRACE_S <= time.monotonic() - begin < 3 * GRACE_S
    os.close(reads)
