"""The promise: the same bytes give the same card, however they arrive."""

from __future__ import annotations

import itertools
import json
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sixdim import sample_logs
from sixdim.metrics.values.card import dumps
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.reading import Reading
from sixdim.sample_logs.grow import grow
from sixdim.tui.base.clock import Clock
from sixdim.tui.cli import main
from sixdim.tui.session.live.feed import Frame
from sixdim.tui.session.live.gpus import Gpus, PolledGpus
from sixdim.tui.session.live.monitor import LiveFeed
from sixdim.tui.session.replay.replay import ReplayFeed
from sixdim.tui.session.request import Request
from sixdim.tui.session.session import Session
from tests.support.telemetry import Board

REQUEST = Request(Settings())
# A short log with a multi-byte character, carriage returns, an escape and a cut-off last line.
SMALL = (
    "Créating model résnet50 \u4e2d\u6587\r\n"
    "Start training\n"
    "\x1b[32mEpoch: [0]  [ 0/14]  eta: 0:00:03  lr: 0.1  img/s: 590.7  loss: 7.1 (7.1)  "
    "time: 6.9  data: 0.0\x1b[0m\n"
    "10%|#\r20%|##\r30%|###\n"
    "Epoch: [0] Avg img/s: 5060.21643823427\n"
    " * Acc@1 0.112 Acc@5 1.040\n"
    "Epoch: [1] Avg img/s: nan\n"
    " * Acc@1 76.5 Acc@5 91.0\n"
    "The accuracy has been exceeded 75.9,and the training is       terminated at epoch 1\n"
    "Training time 1 day, 0:00:01"
).encode()


def card_of(data: bytes, cuts: list[int] | None = None) -> str:
    session = REQUEST.session("train.log")
    begin = 0
    for cut in sorted(cuts or []):
        session.feed(data[begin:cut])
        begin = max(begin, cut)
    session.feed(data[begin:])
    session.end()
    return dumps(session.card())


WHOLE = card_of(SMALL)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, len(SMALL)), max_size=60))
def test_any_chunking_gives_the_byte_identical_card(cuts: list[int]) -> None:
    assert card_of(SMALL, cuts) == WHOLE


def test_single_bytes_give_the_byte_identical_card() -> None:
    assert card_of(SMALL, list(range(len(SMALL)))) == WHOLE


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(st.lists(st.integers(0, 400_000), min_size=1, max_size=40))
def test_any_chunking_of_the_whole_sample(cuts: list[int]) -> None:
    data = sample_logs.path(sample_logs.RUN).read_bytes()
    assert card_of(data, cuts) == card_of(data)


def clock() -> Clock:
    return Clock(time.monotonic, lambda: 0)


class Watcher:
    """Starts a live feed and waits for what it publishes."""

    def __init__(
        self, path: Path, json_path: Path, events: bool = True, gpus: Gpus | None = None
    ) -> None:
        self.frames: list[Frame] = []
        self.changed = threading.Condition()
        self.feed = LiveFeed(
            str(path), REQUEST, clock(), gpus or Gpus("none"), str(json_path), events=events
        )
        self.feed.start(self._take)

    def _take(self, frame: Frame) -> None:
        with self.changed:
            self.frames.append(frame)
            self.changed.notify_all()

    def wait_until_closed(self, seconds: float = 120.0) -> None:
        with self.changed:
            done = self.changed.wait_for(
                lambda: bool(self.frames) and self.frames[-1].snapshot.card.run_end is not None,
                seconds,
            )
        assert done, "the run's closing line never arrived"


@pytest.mark.parametrize("events", [True, False], ids=["watchdog", "heartbeat alone"])
def test_live_equals_headless(tmp_path: Path, events: bool) -> None:
    log, live, headless = tmp_path / "train.log", tmp_path / "live.json", tmp_path / "score.json"
    watcher = Watcher(log, live, events)  # before the log exists
    grow(log, sample_logs.path(sample_logs.RUN), seconds=1.5, chunk=997)
    watcher.wait_until_closed()
    deadline = time.monotonic() + 120
    main(["score", str(log), "--json", str(headless)])
    # By itself, before anybody quits.
    while not (live.exists() and live.read_bytes() == headless.read_bytes()):
        assert time.monotonic() < deadline, "the live card never became the headless one"
        time.sleep(0.05)
    watcher.feed.stop()
    assert live.read_bytes() == headless.read_bytes()


def two_gpus() -> Board:
    """Two devices whose power rises with every reading."""
    watts = itertools.count(101)

    def read(now_us: int) -> list[Reading]:
        now = next(watts)
        return [Reading(d, time_us=now_us, power_w=float(now + d), memory_mib=3e4) for d in (0, 1)]

    return Board(read)


def test_live_readings_are_on_the_headless_card_through_the_journal(tmp_path: Path) -> None:
    log, live, headless = tmp_path / "train.log", tmp_path / "live.json", tmp_path / "score.json"
    hurried = Clock(lambda: 20 * time.monotonic())  # a reading every 50 ms
    gpus = PolledGpus(str(log), two_gpus, hurried)
    watcher = Watcher(log, live, gpus=gpus)
    grow(log, sample_logs.path(sample_logs.RUN), seconds=1.5, chunk=997)
    watcher.wait_until_closed()
    time.sleep(1.2)  # the machine idles on, and its readings must count nowhere
    watcher.feed.stop()
    main(["score", str(log), "--json", str(headless)])
    assert live.read_bytes() == headless.read_bytes()
    power = json.loads(live.read_text())["dimensions"]["power"]
    assert (power["state"], power["devices"], power["window"]) == (
        "short",  # five hours of training are written in a second and a half
        [0, 1],
        "epochs 6-64",
    )
    assert power["reason"] == "the readings cover less than 1 % of the window"
    # Device 1 draws one watt more than device 0, at every reading.
    zero, one = power["per_device"]
    assert round(one["value"] - zero["value"], 9) == 1.0
    assert zero["readings"] == one["readings"] > 0


def test_a_monitor_that_joins_in_the_middle_and_quits_early_is_the_headless_card(
    tmp_path: Path,
) -> None:
    log, live, headless = tmp_path / "train.log", tmp_path / "live.json", tmp_path / "score.json"
    content = sample_logs.path(sample_logs.RUN).read_bytes()
    log.write_bytes(content[:200_000])
    watcher = Watcher(log, live)
    with watcher.changed:
        assert watcher.changed.wait_for(
            lambda: bool(watcher.frames) and watcher.frames[-1].snapshot.bytes == 200_000, 120
        )
    watcher.feed.stop()
    main(["score", str(log), "--json", str(headless)])
    assert live.read_bytes() == headless.read_bytes()


def test_replay_equals_headless_and_seeking_back_is_the_state_as_it_was(tmp_path: Path) -> None:
    path = sample_logs.path(sample_logs.RUN)
    frames: list[Frame] = []
    arrived = threading.Condition()

    def take(frame: Frame) -> None:
        with arrived:
            frames.append(frame)
            arrived.notify_all()

    def wait_for_epoch(label: int | None, ended: bool) -> Frame:
        with arrived:
            assert arrived.wait_for(
                lambda: (
                    bool(frames)
                    and frames[-1].snapshot.ended is ended
                    and (label is None or frames[-1].snapshot.epochs[-1].label == label)
                ),
                20,
            )
            return frames[-1]

    exported = tmp_path / "replay.json"
    feed = ReplayFeed(str(path), REQUEST, time.monotonic, None, str(exported))
    feed.start(take)
    wait_for_epoch(64, True)
    feed.export()
    assert exported.read_text() == card_of(path.read_bytes()).replace("train.log", path.name)
    feed.toggle_pause()
    feed.go_to_epoch(9)
    back = wait_for_epoch(9, False)
    # The same bytes read forwards.
    session = Session(path.name, Settings(), formats())
    session.feed(path.read_bytes()[: back.snapshot.bytes])
    assert back.snapshot.card == session.card()
    assert back.snapshot.card.dimensions["speed"].details["window"] == [6, 7, 8, 9]
    feed.go_to_end()
    again = wait_for_epoch(64, True)
    assert dumps(again.snapshot.card) == exported.read_text()
    feed.stop()


def test_quitting_before_the_log_was_looked_at_leaves_an_earlier_card_alone(tmp_path: Path) -> None:
    card = tmp_path / "card.json"
    card.write_text("of an earlier watch")
    LiveFeed(str(tmp_path / "train.log"), REQUEST, clock(), Gpus("none"), str(card)).stop()
    assert card.read_text() == "of an earlier watch"
