"""`sixdim record` beside a log too fast to look at all the time; the clock stands still here."""

from __future__ import annotations

import threading
from pathlib import Path

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.journal import JournalReader
from sixdim.tui.base.clock import Clock
from sixdim.tui.base.pacing import FLOOD_LINES
from sixdim.tui.commands.record import Recorder
from tests.support.processes.live import REQUEST
from tests.support.telemetry import Board

LINE = (
    "Epoch: [{epoch}]  [{step:>4}/1000]  eta: 0:00:47  lr: 0.1  img/s: 4100.5  "
    "loss: 1.1 (7.1)  acc1: 0.1 (0.1)  time: 0.3  data: 0.01\n"
)


def write(log: Path, epoch: int, count: int) -> None:
    with log.open("a") as out:
        out.writelines(LINE.format(epoch=epoch, step=step) for step in range(count))


def test_a_reading_beside_a_flood_carries_the_epoch_of_its_moment(tmp_path: Path) -> None:
    log, stop = tmp_path / "train.log", threading.Event()
    write(log, 0, 2 * FLOOD_LINES)

    def read(now_us: int) -> list[Reading]:
        """One device, asked when the log was in epoch 0; it is in epoch 5 by the answer."""
        write(log, 5, 3)
        return [Reading(device=0, time_us=now_us, power_w=100.0)]

    recorder = Recorder(
        str(log), Board(read, patience_s=100.0), Clock(lambda: 0.0, lambda: 1), 1.0, events=False
    )
    work = threading.Thread(target=recorder.run, args=(lambda: REQUEST.session("train.log"), stop))
    work.start()
    journal = JournalReader(tmp_path / "train.log.sixdim.jsonl")
    try:
        found: list[Reading] = []
        patience = threading.Event()
        for _ in range(6000):
            if journal.path.exists() and (found := [*journal.poll()]):
                break
            patience.wait(0.01)
    finally:
        stop.set()
        recorder.wake()
        work.join()
    assert [(r.device, r.power_w, r.epoch) for r in found] == [(0, 100.0, 5)]
