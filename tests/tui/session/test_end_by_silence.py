"""A run without a closing line is over once it did all that it planned, and the log is silent."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

import pytest

from sixdim.metrics.values.card import Card, Status, dumps
from sixdim.metrics.values.convergence import parse_target
from sixdim.metrics.values.settings import Settings
from sixdim.tui.base.clock import Clock
from sixdim.tui.session.live.feed import Frame
from sixdim.tui.session.live.gpus import Gpus
from sixdim.tui.session.live.monitor import LiveFeed
from sixdim.tui.session.request import Request
from tests.support.processes.live import REQUEST, Live, card_of


def _keras(epochs: int, planned: int = 5) -> bytes:
    """So many epochs of Keras, which prints no line after the last one."""
    lines: list[str] = []
    for epoch in range(1, epochs + 1):
        lines.append(f"Epoch {epoch}/{planned}")
        lines += [
            f"{step}/100 [===>......] - ETA: 3s - loss: {2 - epoch / 9:.4f} - accuracy: 0.5{epoch}"
            for step in range(10, 100, 10)
        ]
        lines.append(
            f"100/100 [==========] - 5s 52ms/step - loss: {2 - epoch / 9:.4f} - accuracy: 0.6"
            f" - val_loss: 0.5{epoch} - val_accuracy: 0.5{epoch}"
        )
    return "\n".join([*lines, ""]).encode()


def _own_loop(epochs: int) -> bytes:
    """So many of five epochs of a loop that no format knows."""
    lines = [
        f"epoch {epoch}/5 step {step}/100 loss={2 / epoch:.4f} img/s=812.5"
        if step < 100
        else f"epoch {epoch}/5 done in 4.0s | val_acc=7{epoch}.25%"
        for epoch in range(1, epochs + 1)
        for step in range(0, 101, 20)
    ]
    return "\n".join([*lines, ""]).encode()


class _Clock:
    """The time, which may be put forward."""

    def __init__(self) -> None:
        self.forward = 0.0

    def __call__(self) -> Clock:
        return Clock(lambda: time.monotonic() + self.forward, lambda: time.time_ns() // 1000)


@pytest.mark.parametrize(
    ("log", "silent", "status"),
    [
        (_keras(5), 20.0, Status.TRAINING),
        (_keras(5), 31.0, Status.FINISHED),
        pytest.param(_keras(4), 31.0, Status.TRAINING, marks=pytest.mark.slow),
        (_keras(4), 3600.0, Status.TRAINING),
        (_keras(5)[:-120], 31.0, Status.TRAINING),
        (_own_loop(5), 20.0, Status.TRAINING),
        (_own_loop(5), 31.0, Status.FINISHED),
        (_own_loop(4), 3600.0, Status.TRAINING),
    ],
)
def test_it_is_finished_where_a_finished_log_would_be(
    tmp_path: Path, log: bytes, silent: float, status: Status
) -> None:
    clock, path = _Clock(), tmp_path / "train.log"
    path.write_bytes(log)
    with Live(path, clock=clock()) as live:
        live.wait_for_bytes(len(log))
        clock.forward = silent
        seen = len(live.frames)
        if status is Status.FINISHED:
            live.wait(lambda frame: frame.snapshot.card.status is Status.FINISHED)
        else:
            time.sleep(1.5)
        shot = live.frames[-1].snapshot
        assert shot.card.status is status, seen
        exported = json.loads(Path(live.feed.writer.path).read_text()) if live.feed.export() else {}
    finished = json.loads(card_of(log))
    if status is Status.FINISHED:
        assert shot.card.to_json() == finished == exported
        assert live.frames[-1].over
        assert not live.frames[-1].stalled
    else:
        assert (finished["status"] == "finished") is (log in (_keras(5), _own_loop(5)))


@pytest.mark.parametrize("log", [_keras(5), _own_loop(5)], ids=["keras", "own loop"])
def test_it_ends_after_its_target_too(tmp_path: Path, log: bytes) -> None:
    clock, path = _Clock(), tmp_path / "train.log"
    path.write_bytes(log)
    target = "val_accuracy>=0.53" if b"ETA" in log else "val_acc>=73"
    request = Request(Settings(target=parse_target(target, "--target")))
    with Live(path, clock=clock(), request=request) as live:
        live.wait_for_bytes(len(log))
        clock.forward = 31.0
        live.wait(lambda frame: frame.snapshot.card.run_end is not None)
        assert live.frames[-1].snapshot.card.status is Status.CONVERGED
        assert live.card() == card_of(log, request=request)


def test_a_watch_that_is_ended_early_prints_the_card_that_it_would_write(tmp_path: Path) -> None:
    """As `sixdim score` then: three of five epochs, and the log may go on."""
    log, path = _keras(3), tmp_path / "train.log"
    path.write_bytes(log)
    printed: list[str] = []
    for json_path in (None, str(tmp_path / "card.json")):
        feed = LiveFeed(str(path), REQUEST, Clock(), Gpus("none"), json_path)
        read = threading.Event()

        def take(frame: Frame, read: threading.Event = read) -> None:
            if frame.snapshot.bytes == len(log):
                read.set()

        feed.start(take)
        assert read.wait(60)
        feed.stop()
        assert feed.visible_card().status is Status.INCOMPLETE
        printed.append(dumps(feed.visible_card()))
    assert printed == [card_of(log)] * 2


def _accuracy(card: Card) -> object:
    return json.loads(dumps(card))["dimensions"]["accuracy"].get("value")


def test_a_run_that_has_its_closing_line_shows_what_a_finished_log_would(tmp_path: Path) -> None:
    # The figures of a frame of Rich go on until another line is none of them.
    path, log = (
        tmp_path / "train.log",
        (
            "GPU available: False, used: False\n"
            "`Trainer.fit` stopped: `max_epochs=5` reached.\n"
            "Epoch 4/4 ━━━━━━━━━ 40/40 0:00:01 • 0:00:00 27.54it/s val/acc: 0.75\n"
        ),
    )
    path.write_text(log)
    clock = _Clock()
    with Live(path, clock=clock()) as live:
        live.wait_for_bytes(len(log.encode()))
        clock.forward = 31.0  # the frame after the closing line goes on until then
        live.wait(lambda frame: _accuracy(frame.snapshot.card) == 0.75)
        shown = live.frames[-1].snapshot.card
        assert dumps(shown) == dumps(live.feed.visible_card()) == card_of(log.encode())


def test_a_second_run_of_the_log_is_awaited_for_two_seconds(tmp_path: Path) -> None:
    clock, path = _Clock(), tmp_path / "train.log"
    closing = b"`Trainer.fit` stopped: `max_epochs=1` reached.\n"
    first = b"Epoch 0: 100%|##| 10/10 [00:01<00:00, 8.00it/s, val_acc=0.5]\n" + closing
    second = b"Epoch 0: 100%|##| 10/10 [00:01<00:00, 9.00it/s, val_acc=0.6]\n" + closing
    path.write_bytes(first)
    with Live(path, clock=clock()) as live:
        live.wait_for_bytes(len(first))
        clock.forward = 1.5
        time.sleep(0.3)
        assert live.frames[-1].snapshot.card.status is Status.FINISHED
        assert not live.frames[-1].over
        with path.open("ab") as log:
            log.write(second)
        assert not live.wait_for_bytes(len(first + second)).over
        clock.forward += 2.1
        shown = live.wait(lambda frame: frame.over).snapshot.card
        assert dumps(shown) == card_of(first + second)


def _mxnet(epochs: int) -> bytes:
    """So many epochs of MXNet (at most 90); a line after an evaluation shows that it is over."""
    return "".join(
        f"INFO:root:Epoch[{epoch}] Batch [0-50]\tSpeed: 700.00 samples/sec\taccuracy=0.5\n"
        f"INFO:root:Epoch[{epoch}] Train-accuracy=0.6\n"
        f"INFO:root:Epoch[{epoch}] Time cost=0.9\n"
        f"INFO:root:Epoch[{epoch}] Validation-accuracy=0.{epoch + 10}\n"
        for epoch in range(epochs)
    ).encode()


@pytest.mark.parametrize(("silent", "accuracy"), [(20.0, 0.88), (31.0, 0.89)])
def test_a_silent_log_shows_what_its_format_held_back(
    tmp_path: Path, silent: float, accuracy: float
) -> None:
    clock, path, log = _Clock(), tmp_path / "train.log", _mxnet(80)
    path.write_bytes(log)
    with Live(path, clock=clock()) as live:
        live.wait_for_bytes(len(log))
        clock.forward = silent
        assert _accuracy(live.feed.visible_card()) == accuracy
        live.wait(lambda frame: _accuracy(frame.snapshot.card) == accuracy)
        assert live.frames[-1].snapshot.card.status is Status.TRAINING


def test_what_comes_after_a_long_silence_is_read_as_ever(tmp_path: Path) -> None:
    clock, path = _Clock(), tmp_path / "train.log"
    path.write_bytes(_keras(5))
    more = b"Epoch 6/8\n10/100 [=>......] - ETA: 3s - loss: 0.4 - accuracy: 0.9\n"
    with Live(path, clock=clock()) as live:
        live.wait_for_bytes(len(_keras(5)))
        clock.forward = 31.0
        live.wait(lambda frame: frame.over)
        with path.open("ab") as log:
            log.write(more)
        frame = live.wait_for_bytes(len(_keras(5) + more))
        assert frame.snapshot.card.status is Status.TRAINING
        assert frame.snapshot.progress.epoch == 6
        assert live.card() == card_of(_keras(5) + more)
