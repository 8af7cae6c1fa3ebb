"""The readings of devices as curves beside those of the log, while it grows and in a replay."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

from sixdim.metrics.values.series import Kind
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.reading import Reading
from sixdim.tui.base.clock import Clock
from sixdim.tui.session.live.gpus import PolledGpus
from sixdim.tui.session.session import Session
from tests.support.processes.live import LINES
from tests.support.telemetry import Board


def training() -> Session:
    """A run in the middle of its training, as a screen reads it."""
    session = Session("train.log", Settings(), formats(), keep=10)
    session.feed(b"".join(LINES[:1200]))
    return session


def curves(session: Session) -> dict[str, list[float]]:
    return {
        view.name: [*view.lasts] for view in session.snapshot().series if view.kind is Kind.DEVICE
    }


def test_polled_readings_are_curves_of_the_screen(tmp_path: Path) -> None:
    watts = itertools.count(101)

    def read(now_us: int) -> list[Reading]:
        return [Reading(0, time_us=now_us, power_w=float(next(watts)), memory_mib=2000.0)]

    log = tmp_path / "train.log"
    log.write_bytes(b"".join(LINES[:1200]))
    session = training()
    gpus = PolledGpus(str(log), lambda: Board(read), Clock(lambda: time.monotonic() * 100))
    gpus.start()
    until = time.monotonic() + 30
    while time.monotonic() < until and len(curves(session).get("GPU0 power", ())) < 3:
        gpus.collect(session)
        time.sleep(0.005)
    gpus.stop()
    found = curves(session)
    assert found["GPU0 power"][:3] == [101.0, 102.0, 103.0]
    assert found["GPU0 memory"][:3] == [2000.0] * 3


def test_a_host_that_is_silent_for_a_moment_changes_the_name_of_no_other() -> None:
    session = training()
    first = Reading(0, host="n1", time_us=1, power_w=100.0)
    second = Reading(0, host="n2", time_us=1, power_w=300.0)
    session.show_readings((first, second))
    session.show_readings((first._replace(time_us=2, power_w=110.0), second))
    later = session.readings[0], second._replace(time_us=3, power_w=310.0)
    session.show_readings(later)
    assert curves(session) == {"GPU0 n1 power": [100.0, 110.0], "GPU0 n2 power": [300.0, 310.0]}
