"""What reaches a person who does not look: hooks, bell, notification, entries of arrival."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from sixdim import sample_logs
from sixdim.metrics.values.card import Status
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.input.follow import Piece
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.reading import RUN_GONE, Reading
from sixdim.tui.base.clock import Clock
from sixdim.tui.base.errors import UserError
from sixdim.tui.export.epoch_lines import EpochLines
from sixdim.tui.screen.notifications import notification
from sixdim.tui.session.live.alerts import alerts, begun
from sixdim.tui.session.live.feed import Frame
from sixdim.tui.session.live.frames import Frames
from sixdim.tui.session.live.hooks import Hooks, launch, parse_hooks
from sixdim.tui.session.live.silence import Silence
from sixdim.tui.session.session import Session as LogSession
from tests.support.processes.live import LINES, Live, card_of
from tests.support.processes.pty_session import Session
from tests.support.screens import HOSTILE, ScriptedFeed, frame_at, on_screen, readings


def test_what_begins_between_two_frames() -> None:
    training, frozen = frame_at(34), frame_at(65, frozen=True)
    silent = replace(training, stalled=True)
    assert begun(None, training) == []
    assert begun(None, frozen)[0] == "converged", "joined late, it is news all the same"
    assert begun(training, frozen)[0] == "converged"
    assert begun(frozen, frozen) == []
    assert begun(training, silent) == ["stalled"]
    assert begun(silent, silent) == []


def test_a_crash_is_news_while_one_watches(tmp_path: Path) -> None:
    """A log that ends in a traceback never ends for `watch`: silence after it is the sign."""
    log, ahead = tmp_path / "train.log", [0.0]
    crash = b"Traceback (most recent call last):\nRuntimeError: CUDA error: unspecified\n"
    log.write_bytes(b"".join(LINES[:60]) + crash)
    clock = Clock(lambda: time.monotonic() + ahead[0], lambda: time.time_ns() // 1000)
    with Live(tmp_path / "train.log", clock=clock) as live:
        seen = live.wait(lambda frame: frame.snapshot.lines == 62)
        assert not seen.broken and begun(None, seen) == []
        assert live.feed.visible_card().status is Status.TRAINING
        ahead[0] = 31.0
        broken = live.wait(lambda frame: frame.broken)
        assert begun(seen, broken) == ["failed"]
        assert (
            broken.message
            == "failed: no line since RuntimeError: CUDA error: unspecified (line 62)"
        )
        assert "FAILED" in on_screen(ScriptedFeed([broken]), (120, 40))[0]
        assert live.feed.visible_card() == broken.snapshot.card
        assert not broken.over, "a script may start the training again"
        live.feed.export()
        assert live.json.read_text() == card_of(log.read_bytes())
        assert json.loads(live.json.read_text())["status"] == "failed"
        assert broken.message in [*EpochLines().lines(broken)]
        with log.open("ab") as more:
            more.write(b"".join(LINES[60:70]))  # 31 s later
        assert not live.wait(lambda frame: frame.snapshot.lines == 72).broken
        ahead[0] = 200.0
        assert live.wait(lambda frame: frame.stalled).broken is False, "it was caught"


@pytest.mark.parametrize(("later", "failed"), [(0.0, True), (8.0, True), (11.0, False)])
def test_a_bar_that_is_drawn_again_at_the_exit_is_no_further_training(
    tmp_path: Path, later: float, failed: bool
) -> None:
    """tqdm closes a bar after the traceback; lines that come later show that it was caught."""
    log, ahead = tmp_path / "train.log", [0.0]
    log.write_bytes(b"".join(LINES[:60]) + b"Traceback (most recent call last):\nKeyError: 3\n")
    clock = Clock(lambda: time.monotonic() + ahead[0], lambda: time.time_ns() // 1000)
    with Live(log, clock=clock) as live:
        live.wait(lambda frame: frame.snapshot.lines == 62)
        ahead[0] = later
        with log.open("ab") as more:
            more.write(LINES[60])
        live.wait(lambda frame: frame.snapshot.lines == 63)
        ahead[0] = later + 100.0
        frame = live.wait(lambda frame: frame.broken or frame.stalled)
        assert (frame.broken, frame.message.startswith("failed")) == (failed, failed)


def test_a_training_of_seldom_lines_goes_on_after_an_exception_that_was_caught() -> None:
    """A line a minute; one stands 5 s after the exception, and the next is expected after 60 s."""
    now = 0.0
    silence, session = Silence(lambda: now), LogSession("train.log", Settings(), formats())
    frames = Frames("train.log", silence, lambda: now)

    def failed_at(second: float, data: bytes) -> bool:
        nonlocal now
        now = second
        if data:
            session.feed(data)
            silence.note_growth(0.0)
        return frames.frame(session, Piece(), 0, "").broken

    assert not failed_at(0.0, b"".join(LINES[:59]))
    assert not failed_at(60.0, LINES[59])
    assert not failed_at(115.0, b"Traceback (most recent call last):\nValueError: x\n")
    assert not failed_at(120.0, LINES[60])
    assert not failed_at(179.0, b"")
    assert not failed_at(239.0, b"")
    assert failed_at(240.0, b""), "twice the longest pause"


@pytest.mark.parametrize(("quiet", "status"), [(29.9, Status.TRAINING), (30.0, Status.FAILED)])
def test_a_card_is_failed_half_a_minute_after_a_traceback(quiet: float, status: Status) -> None:
    now = 0.0
    silence, session = Silence(lambda: now), LogSession("train.log", Settings(), formats())
    session.feed(b"".join(LINES[:60]) + b"Traceback (most recent call last):\nValueError: x\n")
    now = quiet
    frame = Frames("train.log", silence, lambda: now).frame(session, Piece(), 0, "")
    assert frame.snapshot.card.status is status


def test_a_watch_says_that_the_processes_left_the_gpus_for_as_long_as_it_is_so() -> None:
    """A killed run prints nothing: by its log, it trains until it has been silent for long."""
    now = 0.0
    silence, session = Silence(lambda: now), LogSession("train.log", Settings(), formats())
    frames = Frames("train.log", silence, lambda: now)

    def message(second: float, *readings: Reading) -> str:
        nonlocal now
        now = second
        session.readings = readings
        return frames.frame(session, Piece(), 0, "").message

    session.feed(b"".join(LINES[:60]))
    held, gone = Reading(0, process_mib=9.0, process_scope="run"), Reading(0, missing=(RUN_GONE,))
    left = "no process of the run is on a GPU any more"
    assert [message(1.0, held), message(2.0, gone), message(20.0, gone)] == ["", left, left]
    assert message(21.0, held) == ""
    assert message(300.0, gone) == "stalled: no new line for 5 min"


def test_a_lost_device_is_reported_once_and_so_is_its_return() -> None:
    before = frame_at(34)
    first, *others = before.snapshot.readings
    dead = first._replace(
        power_w=None, memory_mib=None, throttle=(), missing=(("power_w", "GPU is lost"),)
    )
    after = replace(before, snapshot=replace(before.snapshot, readings=(dead, *others)))
    (lost,) = alerts(before, after)
    assert (lost.kind, lost.text) == ("gpu_lost", "GPU 0 gives no readings: GPU is lost")
    assert alerts(after, after) == []
    assert [note.kind for note in alerts(after, before)] == ["gpu_back"]


def test_many_devices_lost_at_once_are_reported_at_once() -> None:
    before = frame_at(34)
    before = replace(before, snapshot=replace(before.snapshot, readings=readings(8)))
    silence = (("power_w", "nvml did not answer within 2 s"),)
    dead = tuple(
        r._replace(power_w=None, memory_mib=None, throttle=(), missing=silence)
        for r in before.snapshot.readings
    )
    after = replace(before, snapshot=replace(before.snapshot, readings=dead))
    (lost,) = alerts(before, after)
    assert lost.text == "GPUs 0–7 give no readings: nvml did not answer within 2 s"
    (back,) = (note for note in alerts(after, before) if note.kind == "gpu_back")
    assert back.text == "GPUs 0–7 give readings again"
    hosts = tuple(r._replace(host=f"node{r.device % 2}") for r in readings(4))
    dead = tuple(r._replace(power_w=None, memory_mib=None, missing=silence) for r in hosts[:2])
    known = replace(before, snapshot=replace(before.snapshot, readings=hosts))
    after = replace(before, snapshot=replace(before.snapshot, readings=(*dead, *hosts[2:])))
    (lost,) = (note for note in alerts(known, after) if note.kind == "gpu_lost")
    assert lost.text == "GPUs node0/0, node1/1 give no readings: nvml did not answer within 2 s"


def test_a_run_that_leaves_the_devices_before_its_end_is_news() -> None:
    """A killed run prints nothing, and its log is not yet silent for long."""
    training, over = frame_at(34), frame_at(65, frozen=True)

    def left(frame: Frame) -> Frame:
        gone = tuple(r._replace(missing=(RUN_GONE,)) for r in frame.snapshot.readings)
        return replace(frame, snapshot=replace(frame.snapshot, readings=gone))

    (note,) = alerts(training, left(training))
    assert (note.kind, note.text) == ("run_gone", "no process of the run is on a GPU any more")
    assert alerts(left(training), left(training)) == []
    assert alerts(over, left(over)) == []


def test_clocks_that_a_fault_holds_down_are_news_and_a_board_at_its_power_limit_is_not() -> None:
    frame = frame_at(34)

    def held(*reasons: str) -> Frame:
        made = tuple(r._replace(throttle=reasons) for r in frame.snapshot.readings[:1])
        return replace(frame, snapshot=replace(frame.snapshot, readings=made))

    capped, hot = held("power cap"), held("power cap", "thermal (hardware)")
    assert alerts(held(), capped) == []
    (note,) = alerts(capped, hot)
    assert (note.kind, note.text) == ("throttled", "GPU 0 is held down: thermal (hardware)")
    assert alerts(hot, held("thermal (hardware)")) == []


def test_silence_and_its_end() -> None:
    training = frame_at(34)
    silent = replace(training, stalled=True, message="stalled: no new line for 3 min")
    assert [note.text for note in alerts(training, silent)] == ["stalled: no new line for 3 min"]
    assert [note.kind for note in alerts(silent, training)] == ["resumed"]


def started(commands: Mapping[str, str]) -> list[tuple[list[str], Mapping[str, str]]]:
    runs: list[tuple[list[str], Mapping[str, str]]] = []

    def run(command: list[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
        runs.append((command, environment))
        return launch(["true"], {})

    log, card = "/logs/$(touch pwned); train.log", "/cards/a b`id`.json"
    hooks = Hooks(commands, log, card, lambda: "wrote", run)
    for frame in (frame_at(34), frame_at(50), frame_at(65, frozen=True), frame_at(65, frozen=True)):
        hooks.look(frame)
        hooks.wait(time.monotonic() + 60)
        assert hooks.news() == ""
    assert hooks.failures == []
    return runs


def test_a_hook_runs_once_and_paths_are_never_part_of_the_command() -> None:
    ((command, env),) = started({"converged": 'notify "$1"', "failed": "false"})
    assert command == ["/bin/sh", "-c", 'notify "$1"', "sixdim", "/cards/a b`id`.json"]
    assert env["SIXDIM_EVENT"] == "converged"
    assert env["SIXDIM_CARD"] == "/cards/a b`id`.json"
    assert env["SIXDIM_LOG"] == "/logs/$(touch pwned); train.log"


@pytest.mark.parametrize("flag", ["", "converged", "converged=", "converged= ", "won=true", "=x"])
def test_a_hook_that_cannot_be_read(flag: str) -> None:
    with pytest.raises(UserError, match="converged, finished, failed, stalled"):
        parse_hooks([flag])


def test_a_hook_given_twice() -> None:
    with pytest.raises(UserError, match="twice"):
        parse_hooks(["failed=a", "failed=b"])
    assert parse_hooks(["failed=a=b", "finished=c"]) == {"failed": "a=b", "finished": "c"}


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("exit 3", "exit status 3"),
        ("kill -9 $$", "ended by SIGKILL"),
        ("no-such-command", "exit status 127"),
        ("exit 0", ""),
    ],
)
def test_a_command_that_fails_is_named_once(command: str, said: str) -> None:
    hooks = Hooks({"converged": command}, "train.log", "card.json", lambda: "wrote")
    hooks.look(frame_at(34))
    hooks.look(frame_at(65, frozen=True))
    hooks.wait(time.monotonic() + 60)
    whole = f"--on converged: {said}; append >notify.log 2>&1 to it to see why" if said else ""
    assert [hooks.news(), hooks.news()] == [whole, ""]
    assert hooks.failures == ([whole] if said else [])


def test_a_command_that_runs_on_is_not_waited_for_for_long() -> None:
    hooks = Hooks({"converged": "exec sleep 600"}, "train.log", "card.json", lambda: "wrote")
    hooks.look(frame_at(65, frozen=True))
    begin = time.monotonic()
    hooks.wait(begin + 0.2)
    assert 0.2 <= time.monotonic() - begin < 60
    ((_, process),) = hooks._running
    process.kill()
    assert hooks.failures == []


def test_a_card_that_cannot_be_written_is_named_and_the_command_does_not_run() -> None:
    def export() -> object:
        raise UserError("cannot write card.json: No space left on device")

    hooks = Hooks({"converged": "exit 3"}, "train.log", "card.json", export)
    hooks.look(frame_at(65, frozen=True))
    assert hooks.news() == "--on converged: cannot write card.json: No space left on device"


def test_watch_names_a_command_that_fails_and_keeps_its_exit_code(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_bytes(sample_logs.path(sample_logs.RUN).read_bytes())
    words = [sys.executable, "-m", "sixdim", "watch", str(log), "--plain", "--no-gpus"]
    words += ["--on", "converged=exit 7", "--on", "finished=exit 0"]
    root = str(Path(__file__).parents[3])
    environment = {**os.environ, "PYTHONPATH": root}
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, timeout=180)
    assert done.returncode == 0
    named = b"--on converged: exit status 7; append >notify.log 2>&1 to it to see why\n"
    assert (done.stdout + done.stderr).count(named) == 1


def test_a_notification_carries_no_escape_of_its_text() -> None:
    sent = notification(HOSTILE, tmux=False)
    assert sent.startswith("\x1b]9;sixdim: ") and sent.endswith("\x07")
    inner = sent.removeprefix("\x1b]9;").removesuffix("\x07")
    assert inner.isprintable() and inner.isascii()
    wrapped = notification("done", tmux=True)
    assert wrapped == "\x1bPtmux;\x1b\x1b]9;sixdim: done\x07\x1b\\"


def test_watch_runs_the_command_with_the_card(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_bytes(sample_logs.path(sample_logs.RUN).read_bytes())
    words = [sys.executable, "-m", "sixdim", "watch", str(log), "--plain", "--no-gpus"]
    words += ["--on", 'converged=cp "$1" copy.json; echo "$SIXDIM_EVENT" > said.txt']
    root = str(Path(__file__).parents[3])
    subprocess.run(
        words, cwd=tmp_path, env={**os.environ, "PYTHONPATH": root}, check=True, timeout=180
    )
    said = tmp_path / "said.txt"
    until = time.monotonic() + 120
    while not (said.exists() and said.read_text()) and time.monotonic() < until:
        time.sleep(0.02)
    assert said.read_text() == "converged\n"
    assert '"converged"' in (tmp_path / "copy.json").read_text()


GROWS = """
import sys
from tests.support.screens import *
class Growing(ScriptedFeed):
    def start(self, publish):
        publish(frame_at(34))
        import signal
        signal.signal(signal.SIGUSR1, lambda *_: publish(frame_at(65, frozen=True)))
app = SixdimApp(Growing([]), bell={bell})
app.run()
"""


@pytest.mark.parametrize("bell", [True, False])
def test_the_end_rings_unless_switched_off(bell: bool) -> None:
    session = Session(GROWS.format(bell=bell))
    assert session.read_until("Scorecard")
    assert session.settle(0.5)
    os.kill(session.pid, signal.SIGUSR1)
    assert session.read_until("FROZEN")
    assert session.settle(0.5)
    session.quit()
    assert (b"\x1b]9;sixdim: train.log converged\x07" in session.output) is bell
