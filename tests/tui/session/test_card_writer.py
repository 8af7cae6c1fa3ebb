"""A card that cannot be written when it is due: the run goes on, and the next try may succeed."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sixdim.tui.base.clock import Clock
from sixdim.tui.base.errors import USAGE, UserError
from sixdim.tui.base.safe_files import write_atomically
from sixdim.tui.base.settings.settings_file import from_table
from sixdim.tui.session.live.feed import Frame
from sixdim.tui.session.live.gpus import Gpus
from sixdim.tui.session.live.monitor import LiveFeed
from sixdim.tui.session.options import read_request
from sixdim.tui.session.replay.replay import ReplayFeed
from tests.support.processes.live import SAMPLE

Cli = Callable[..., tuple[int, str, str]]


def _until(seen: Callable[[], object]) -> None:
    until = time.monotonic() + 120
    while not seen():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.parametrize("repaired", [True, False])
def test_a_watch_goes_on_and_writes_the_last_card(tmp_path: Path, repaired: bool) -> None:
    log, card = tmp_path / "train.log", tmp_path / "cards" / "card.json"
    log.write_bytes(SAMPLE)
    request = read_request(from_table({}))
    frames: list[Frame] = []
    feed = LiveFeed(str(log), request, Clock(), Gpus(""), str(card))
    feed.start(frames.append)
    _until(lambda: frames and "cannot write" in frames[-1].message)
    if repaired:
        card.parent.mkdir()
    with log.open("ab") as file:
        file.write(b"the last line\n")
    _until(lambda: frames[-1].snapshot.bytes == len(SAMPLE) + 14)
    feed.stop()
    if repaired:
        feed.writer.check()
        assert json.loads(card.read_bytes())["provenance"]["bytes"] == len(SAMPLE) + 14
        return
    with pytest.raises(UserError, match="cannot write") as error:
        feed.writer.check()
    assert error.value.code == USAGE


def test_a_watch_that_ends_before_it_has_read_the_log_leaves_the_earlier_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sixdim.tui.session.live.monitor.BUDGET", -1.0)  # a frame for each piece
    log, card = tmp_path / "train.log", tmp_path / "card.json"
    log.write_bytes(8 * SAMPLE)
    card.write_text("the card of yesterday")
    feed = LiveFeed(str(log), read_request(from_table({})), Clock(), Gpus(""), str(card))
    begun, ending = threading.Event(), threading.Event()

    def publish(frame: Frame) -> None:
        if frame.catching_up is not None:
            begun.set()
            ending.wait(120)

    feed.start(publish)
    assert begun.wait(120)
    threading.Timer(0.5, ending.set).start()
    feed.stop()
    assert card.read_text() == "the card of yesterday"
    with pytest.raises(UserError, match="is not written: not all of the log was read"):
        feed.writer.check()


def test_a_replay_goes_on_without_its_card_and_says_so(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_bytes(SAMPLE)
    frames: list[Frame] = []
    request = read_request(from_table({}))
    feed = ReplayFeed(str(log), request, time.monotonic, None, str(tmp_path / "none" / "c.json"))
    feed.start(frames.append)
    _until(lambda: frames and frames[-1].snapshot.ended)
    feed.stop()
    assert "cannot write" in frames[-1].message
    with pytest.raises(UserError, match="cannot write") as error:
        feed.writer.check()
    assert error.value.code == USAGE


@pytest.mark.parametrize(("run", "code"), [("1", 0), ("2", USAGE)])
def test_a_watched_log_without_the_chosen_run_has_no_card_and_no_event(
    sixdim: Cli, tmp_path: Path, run: str, code: int
) -> None:
    log, card = tmp_path / "train.log", tmp_path / "card.json"
    log.write_bytes(SAMPLE)
    seen = tmp_path / "seen"
    words = ("watch", str(log), "--plain", "--no-gpus", "--json", str(card), "--run", run)
    found, out, err = sixdim(*words, "--on", f"finished=touch {seen}")
    assert (found, card.exists(), seen.exists()) == (code, code == 0, code == 0)
    assert ("--run 2: the log holds 1 run, so there is no run 2" in err) is (code != 0)
    assert ("  stability " in out) is (code == 0)
    assert ("epoch " in out) is (code == 0), "the epochs of another run"


def test_a_watched_log_without_the_chosen_run_says_so_and_exports_nothing(tmp_path: Path) -> None:
    log, card = tmp_path / "train.log", tmp_path / "card.json"
    log.write_bytes(SAMPLE)
    frames: list[Frame] = []
    request = read_request(from_table({"run": 2}))
    feed = LiveFeed(str(log), request, Clock(), Gpus(""), str(card))
    feed.start(frames.append)
    _until(lambda: frames and frames[-1].snapshot.bytes == len(SAMPLE))
    with pytest.raises(UserError, match="there is no run 2"):
        feed.export()
    feed.stop()
    assert not card.exists()
    assert frames[-1].message == "--run 2: the log holds 1 run, so there is no run 2"


def test_a_replay_of_a_log_without_the_chosen_run_writes_no_card(tmp_path: Path) -> None:
    log, card = tmp_path / "train.log", tmp_path / "card.json"
    log.write_bytes(SAMPLE)
    frames: list[Frame] = []
    request = read_request(from_table({"run": 2}))
    feed = ReplayFeed(str(log), request, time.monotonic, None, str(card))
    feed.start(frames.append)
    _until(lambda: frames and frames[-1].snapshot.ended)
    with pytest.raises(UserError, match="there is no run 2"):
        feed.export()
    feed.stop()
    assert not card.exists()
    assert feed.lacks_run == frames[-1].message
    assert feed.lacks_run == "--run 2: the log holds 1 run, so there is no run 2"


@pytest.mark.parametrize("stem", ["x" * 250, "\N{GRINNING FACE}" * 62 + "xx"])
def test_a_name_as_long_as_a_file_system_takes_is_written(tmp_path: Path, stem: str) -> None:
    card = tmp_path / f"{stem}.json"
    write_atomically(str(card), "new")
    assert len(os.fsencode(card.name)) == 255
    assert [path.read_text() for path in tmp_path.iterdir()] == ["new"]


def test_an_interrupt_while_a_card_is_written_leaves_the_old_one_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = tmp_path / "card.json"
    card.write_text("old")

    def interrupted(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(str(card), "new")
    assert [path.name for path in tmp_path.iterdir()] == ["card.json"]
    assert card.read_text() == "old"


def test_all_cards_of_a_file_are_written_again(tmp_path: Path, sixdim: Cli) -> None:
    logs = [tmp_path / "one.log", tmp_path / "two.log"]
    for log in logs:
        log.write_bytes(SAMPLE)
    cards, again = tmp_path / "cards.json", tmp_path / "again.json"
    assert sixdim("score", *logs, "--json", cards)[0] == 0
    code, out, _ = sixdim("score", cards, "--json", again)
    assert code == 0 and out.count("CONVERGED") == 2
    assert json.loads(again.read_bytes()) == json.loads(cards.read_bytes())
