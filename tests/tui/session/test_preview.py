"""Before a format is certain, its figures are shown as provisional, and nothing rests on them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from sixdim.metrics.values.card import Status
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.input.follow import Piece
from sixdim.parsers.reader.latest import LatestLines
from sixdim.parsers.reader.registry import formats
from sixdim.tui.export.epoch_lines import EpochLines
from sixdim.tui.screen.panels.header import identity
from sixdim.tui.session.live.alerts import current_events
from sixdim.tui.session.live.feed import Frame
from sixdim.tui.session.live.frames import Frames
from sixdim.tui.session.live.silence import BROKEN_AFTER, Silence
from sixdim.tui.session.session import Session
from tests.support.processes.live import LINES, Live
from tests.support.screens import ScriptedFeed, on_screen

KERAS = b"".join(
    b"Epoch %d/9\n40/40 - 2s - 50ms/step - accuracy: 0.6%d - loss: 0.%d\n" % (e, e, 90 - e)
    for e in range(1, 10)
)


def _session() -> Session:
    return Session("train.log", Settings(), formats())


def test_the_first_progress_line_is_shown_as_provisional() -> None:
    session = _session()
    session.feed(KERAS[: KERAS.index(b"Epoch 3")])
    shot = session.snapshot()
    assert (shot.format, shot.provisional) == ("keras", True)
    assert shot.card.status is Status.TRAINING
    assert [epoch.label for epoch in shot.epochs] == [1]
    assert "keras (provisional)" in identity(Frame(shot))
    assert session.card().status is Status.WAITING, "a card that is written knows no format yet"


def test_a_provisional_reading_neither_freezes_nor_ends_nor_fires() -> None:
    text = b'{"epoch": 1, "train_loss": 0.5}\nTraining time 0:01:00\n'
    session = _session()
    session.feed(LINES[-40] + b" * Acc@1 99.9 Acc@5 99.9\n" + b"Training time 0:01:00\n" + text)
    frame = Frame(session.snapshot())
    if frame.snapshot.provisional:
        assert current_events(frame) == set()
    assert not session.run.frozen


@pytest.mark.parametrize("size", [pytest.param(1, marks=pytest.mark.slow), 7, 64, 1000])
def test_looking_at_a_preview_changes_no_card(size: int) -> None:
    data = b"a preamble of its own\n" * 30 + KERAS
    watched, read = _session(), _session()
    for begin in range(0, len(data), size):
        watched.feed(data[begin : begin + size])
        watched.snapshot()
    watched.end()
    read.feed(data)
    read.end()
    assert watched.card() == read.card()


def test_another_format_overtakes_and_the_lines_are_read_again() -> None:
    session, lines = _session(), EpochLines()
    # A line that the generic reader can make something of, then the log of a known format.
    session.feed(b"epoch 1 loss 0.5 accuracy 0.25\n" * 3)
    first = session.snapshot()
    said = [*lines.lines(Frame(first))]
    session.feed(b"".join(LINES[:1200]))
    shot = session.snapshot()
    said += lines.lines(Frame(shot))
    assert (shot.format, shot.provisional) == ("torchvision", False)
    whole = _session()
    whole.feed(b"epoch 1 loss 0.5 accuracy 0.25\n" * 3 + b"".join(LINES[:1200]))
    assert shot.epochs == whole.snapshot().epochs
    formats_said = [line for line in said if line.startswith("format ")]
    assert formats_said[-1] == "format torchvision"


def test_a_watch_shows_a_finished_log_that_is_never_certain(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_bytes(KERAS[: KERAS.index(b"Epoch 3")])
    with Live(log, json=tmp_path / "card.json") as live:
        frame = live.wait(lambda frame: bool(frame.snapshot.format))
        assert frame.snapshot.card.status is Status.TRAINING
        assert not (tmp_path / "card.json").exists()
    assert json.loads((tmp_path / "card.json").read_text())["run"]["format"] == "keras"


@pytest.mark.parametrize("known", [False, True])
def test_a_few_unknown_lines_and_a_silence_are_no_wait_for_a_log(known: bool) -> None:
    """A program that prints a line after twice as many examples as before shows few for hours."""
    now = 0.0
    silence, session = Silence(lambda: now), _session()
    frames = Frames("odd.log", silence, lambda: now)
    session.feed(KERAS if known else b"0.5000 1.0000 2 2.0 1.0 0.0 104\n" * 5)
    assert frames.frame(session, Piece(), 0, "").message == ""
    now = BROKEN_AFTER
    said = "" if known else "no format fits yet (5 lines)"
    assert frames.frame(session, Piece(), 0, "").message == said
    assert Frames("odd.log", silence, lambda: now).frame(_session(), Piece(), 0, "").message == ""


def test_a_line_every_24_seconds_that_no_format_knows_is_said_after_half_a_minute() -> None:
    """The pauses are too short for a silence: `epoch 3: 55.00`, and nothing else."""
    now = 0.0
    silence, session = Silence(lambda: now), _session()
    frames, said = Frames("odd.log", silence, lambda: now), []
    for line in range(3):
        now = 100.0 + 24.0 * line
        session.feed(b"0.5000 1.0000 2 2.0 1.0 0.0 104\n")
        silence.note_growth(0.0)
        said.append(frames.frame(session, Piece(), 0, "").message)
    assert said == ["", "", "no format fits yet (3 lines)"]
    assert frames.frame(session, Piece(), 1, "").message == ""  # another log


def test_of_a_bar_without_a_name_it_does_not_ask_for_a_pattern() -> None:
    """Hugging Face draws it alone until the first 500 steps are done."""
    now, drawing = 0.0, b"\r  1%|#   | 9/900 [00:01<02:09,  7.00it/s]"
    silence, session = Silence(lambda: now), _session()
    frames = Frames("odd.log", silence, lambda: now)
    session.feed(drawing * 3)
    assert frames.frame(session, Piece(), 0, "").message == ""
    now = 30.0
    few = frames.frame(session, Piece(), 0, "").message
    session.feed(drawing * 30)
    said = frames.frame(session, Piece(), 0, "").message
    assert (
        few == said == "no format fits yet: the last line is a bar that does not say what it counts"
    )
    session.feed(b"\n0.5000 1.0000 2 2.0 1.0 0.0 104\n")
    assert "sixdim teach" in frames.frame(session, Piece(), 0, "").message


def test_a_bar_of_keras_without_an_epoch_may_be_that_of_a_training_or_an_evaluation() -> None:
    """`fit(epochs=1)` and `evaluate` draw alike until the validation."""
    now = 0.0
    silence, session = Silence(lambda: now), _session()
    session.interpreter.recent = LatestLines(1)  # as where a log is followed
    frames = Frames("odd.log", silence, lambda: now)
    for step in range(1, 30):
        bar = f" {step}/40 ━━━━━━━━━━━━━━━━━━━━ 11s 305ms/step - accuracy: 0.6250 - loss: 0.6357"
        session.feed(f"\r{bar}\b\b".encode())
    frame = frames.frame(session, Piece(), 0, "")
    assert frame.snapshot.card.status is Status.WAITING
    assert frame.message == "the last line is a bar that trains one epoch or evaluates"
    session.feed(f"\r\nEpoch 1/2\r\n{bar}\r{bar}\r".encode())
    assert frames.frame(session, Piece(), 0, "").message == ""


@pytest.mark.parametrize(("lines", "said"), [(19, False), (20, True), (400, True)])
def test_an_unknown_log_says_so(tmp_path: Path, lines: int, said: bool) -> None:
    log = tmp_path / "odd.log"
    log.write_text("".join(f"nothing that anybody knows {'ab' * n}\n" for n in range(lines)))
    with Live(log) as live:
        frame = live.wait_for_bytes(log.stat().st_size)
        assert ("sixdim teach odd.log" in frame.message) is said
        if said:
            assert {20: "(20 lines", 400: "(320 lines"}[lines] in frame.message


def test_a_crash_is_reported_before_any_format_is_known() -> None:
    session = _session()
    session.feed(
        b"Traceback (most recent call last):\n"
        b'  File "train.py", line 3, in <module>\n'
        b"    import torch\n"
        b"ModuleNotFoundError: No module named 'torch'\n"
    )
    shot = session.snapshot()
    assert shot.failure == "ModuleNotFoundError: No module named 'torch'"
    session.end()
    assert session.card().status is Status.FAILED


def test_a_log_that_crashed_before_the_watch_is_failed_at_once(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_text("Traceback (most recent call last):\n  File 'x'\nImportError: no module y\n")
    os.utime(log, (1_700_000_000, 1_700_000_000))
    with Live(log) as live:
        frame = live.wait(lambda frame: frame.broken, 10.0)
        assert frame.message == "failed: no line since ImportError: no module y (line 3)"
        assert live.feed.visible_card().status is Status.FAILED
        for size in ((80, 24), (100, 30), (160, 48)):
            top = on_screen(ScriptedFeed([frame]), size)[0]
            assert "FAILED" in top and "ImportError: no module y" in top
