"""Readings after the last line of a training without a closing line belong to no epoch."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.journal import JournalReader
from sixdim.parsers.telemetry.logkey import SUFFIX
from sixdim.tui.base.clock import Clock
from sixdim.tui.session.live.gpus import PolledGpus
from sixdim.tui.session.session import Session
from tests.support.telemetry import Board

EPOCHS = b"epoch 1 loss 0.5 accuracy 0.25\nepoch 2 loss 0.4 accuracy 0.35\n"
BUSY, IDLE = 300.0, 20.0


class Watch:
    """A watch of a log; its clock stands still but for `wait`."""

    def __init__(self, folder: Path) -> None:
        self.now, self.watts = 1000.0, BUSY
        self.log = folder / "train.log"
        self.log.write_bytes(EPOCHS)
        self.session = Session("train.log", Settings(), formats())
        self.board = Board(lambda now_us: [Reading(0, time_us=now_us, power_w=self.watts)])
        clock = Clock(lambda: self.now, lambda: int(self.now * 1e6))
        self.gpus = PolledGpus(str(self.log), lambda: self.board, clock)
        self.gpus.start()
        self.session.feed(EPOCHS)

    def readings(self) -> list[tuple[float | None, int | None]]:
        journals = [*self.log.parent.glob(f"*{SUFFIX}")]
        return [(r.power_w, r.epoch) for path in journals for r in JournalReader(path).poll()]

    def have(self, readings: int) -> bool:
        return len(self.readings()) >= readings

    def until(self, happened: Callable[[], bool]) -> None:
        end = time.monotonic() + 30
        while not happened():
            assert time.monotonic() < end
            self.gpus.collect(self.session)
            time.sleep(0.002)

    def wait(self, seconds: int) -> None:
        """Lets time pass, with one reading a second."""
        for _ in range(seconds):
            more = len(self.readings()) + 1
            self.now += 1
            self.until(partial(self.have, more))


def test_a_silence_takes_the_epoch_off_the_readings_since_the_last_line(tmp_path: Path) -> None:
    watch = Watch(tmp_path)
    watch.until(lambda: bool(watch.readings()))
    watch.wait(5)
    watch.session.feed(b"epoch 3 loss 0.3 accuracy 0.45\n")
    trained = len(watch.readings())
    watch.watts = IDLE
    watch.wait(25)
    assert {epoch for _, epoch in watch.readings()[trained + 2 :]} == {3}, "it may still train"
    watch.wait(15)
    watch.gpus.stop()
    watch.session.end()
    watch.gpus.finish(watch.session)
    idle = [epoch for watts, epoch in watch.readings() if watts == IDLE]
    assert len(idle) >= 40
    assert set(idle[2:]) == {None}
    power = watch.session.card().dimensions["power"]
    assert power.value == pytest.approx(BUSY, abs=2 * (BUSY - IDLE) / trained)


def test_a_journal_that_was_removed_costs_the_readings_before_alone(tmp_path: Path) -> None:
    watch = Watch(tmp_path)
    watch.until(lambda: bool(watch.readings()))
    watch.wait(3)
    (journal,) = tmp_path.glob(f"*{SUFFIX}")
    journal.unlink()
    watch.wait(40)
    watch.gpus.stop()
    assert len(watch.readings()) >= 40
    assert {epoch for _, epoch in watch.readings()} == {None}, "the log was silent"


def test_what_was_answered_when_the_watch_ends_is_in_the_journal(tmp_path: Path) -> None:
    watch = Watch(tmp_path)
    watch.until(lambda: bool(watch.readings()))
    watch.watts = IDLE
    watch.now += 1
    answered = threading.Event()
    read = watch.board.read

    def note(now_us: int) -> list[Reading]:
        threading.Timer(0.1, answered.set).start()
        return read(now_us)

    watch.board.read = note
    watch.gpus.collect(watch.session)
    assert answered.wait(30)
    watch.gpus.stop()
    assert [watts for watts, _ in watch.readings()][-1] == IDLE


def test_a_log_that_grows_again_goes_on(tmp_path: Path) -> None:
    watch = Watch(tmp_path)
    watch.until(lambda: bool(watch.readings()))
    watch.wait(35)
    assert {epoch for _, epoch in watch.readings()} == {None}
    watch.session.feed(b"epoch 3 loss 0.3 accuracy 0.45\n")
    watch.wait(50)  # a pause of 35 s is usual now, and one of 70 s is the end
    watch.gpus.stop()
    assert {epoch for _, epoch in watch.readings()[-45:]} == {3}
