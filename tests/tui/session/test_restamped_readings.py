"""Readings that came while another format led get the epochs of the one that reads the log."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.reading import RUN_GONE, Reading
from sixdim.parsers.telemetry.journal import JournalReader
from sixdim.parsers.telemetry.logkey import SUFFIX
from sixdim.tui.base.clock import Clock
from sixdim.tui.session.live.gpus import PolledGpus
from sixdim.tui.session.session import Session
from tests.support.processes.live import LINES
from tests.support.telemetry import Board

FIRST = b"epoch 7 loss 0.5 accuracy 0.25\n" * 3
"""The generic reader sees an epoch 7 in it; the format of the rest sees nothing."""


def rising() -> Board:
    """Each of its readings draws one watt more than the one before."""
    watts = itertools.count(1)
    return Board(lambda now_us: [Reading(0, time_us=now_us, power_w=float(next(watts)))])


def test_a_format_that_overtakes_stamps_earlier_readings_anew(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    data = FIRST + b"".join(LINES[:1200])
    log.write_bytes(data)
    session = Session("train.log", Settings(), formats())
    clock = Clock(lambda: time.monotonic() * 100)
    gpus = PolledGpus(str(log), rising, clock)
    gpus.start()

    def read_until(watts: float) -> None:
        until = time.monotonic() + 30
        while time.monotonic() < until:
            gpus.collect(session)
            if session.readings and (session.readings[0].power_w or 0) >= watts:
                return
            time.sleep(0.005)
        raise AssertionError("no reading came")

    def stamps() -> dict[float | None, int | None]:
        (journal,) = tmp_path.glob(f"*{SUFFIX}")
        return {reading.power_w: reading.epoch for reading in JournalReader(journal).poll()}

    session.feed(FIRST)
    read_until(3)
    assert {stamps()[watts] for watts in (1, 2, 3)} == {7}
    session.feed(data[len(FIRST) :])
    first = max(watts or 0 for watts in stamps())
    read_until(first + 3)
    gpus.stop()
    found = stamps()
    assert session.snapshot().format == "torchvision"
    assert {found[watts] for watts in (1, 2, 3)} == {None}, "no epoch had begun"
    assert found[first + 3] == session.run.current
    assert list(found) == sorted(found, key=lambda watts: watts or 0.0), (
        "each reading once, in its order"
    )
    fold = session.telemetry.power
    assert fold is not None
    assert fold.readings == len(found)


def test_readings_before_the_first_line_belong_to_no_epoch(tmp_path: Path) -> None:
    """Trainers that print dicts name an epoch in the first line of their logs."""
    log = tmp_path / "train.log"
    log.touch()
    session = Session("train.log", Settings(), formats())
    gpus = PolledGpus(str(log), rising, Clock(lambda: time.monotonic() * 100))
    gpus.start()
    drawn: list[float] = []
    for data in (FIRST, b""):
        until = time.monotonic() + 30
        least = drawn[-1] + 2 if drawn else 2
        while time.monotonic() < until and not any(
            (r.power_w or 0) >= least for r in session.readings
        ):
            gpus.collect(session)
            time.sleep(0.005)
        drawn.append(session.readings[0].power_w or 0)
        session.feed(data)
    gpus.stop()
    (journal,) = tmp_path.glob(f"*{SUFFIX}")
    stamps = {reading.power_w: reading.epoch for reading in JournalReader(journal).poll()}
    assert {stamps[1.0], stamps[drawn[0]]} == {None}
    assert stamps[drawn[1]] == 7


def test_readings_after_the_run_has_left_the_devices_belong_to_no_epoch(tmp_path: Path) -> None:
    """A killed run prints no closing line: its last epoch must not fill up with idle readings."""
    log = tmp_path / "train.log"
    data = b"".join(LINES[:1200])
    log.write_bytes(data)
    session = Session("train.log", Settings(), formats())
    watts = itertools.count(1)

    def read(now_us: int) -> list[Reading]:
        drawn = next(watts)
        return [Reading(0, time_us=now_us, power_w=drawn, missing=(RUN_GONE,) * (drawn > 2))]

    gpus = PolledGpus(str(log), lambda: Board(read), Clock(lambda: time.monotonic() * 100))
    session.feed(data[: len(data) // 2])
    gpus.start()
    until = time.monotonic() + 30
    while time.monotonic() < until and not any((r.power_w or 0) > 4 for r in session.readings):
        gpus.collect(session)
        time.sleep(0.005)
    gpus.stop()
    (journal,) = tmp_path.glob(f"*{SUFFIX}")
    stamps = {reading.power_w: reading.epoch for reading in JournalReader(journal).poll()}
    current = session.run.current
    assert current is not None
    assert {stamps[watts] for watts in (1, 2)} == {current}
    assert {stamps[watts] for watts in (3, 4)} == {None}
