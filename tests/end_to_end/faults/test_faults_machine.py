"""What a machine does to a monitor: full disks, no home, odd clocks, signals, sudden death."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from sixdim.parsers.reading import Reading
from sixdim.tui.base.clock import Clock
from sixdim.tui.session.live.feed import Frame
from sixdim.tui.session.live.gpus import PolledGpus
from tests.support.processes.live import LINES, OTHER, SAMPLE, Live, card_of
from tests.support.processes.pty_session import Session
from tests.support.telemetry import Board

pytestmark = pytest.mark.slow  # kills, and waits for what a machine does late
ROOT = Path(__file__).parents[3]
HALF = b"".join(LINES[:1400])
SIXDIM = [sys.executable, "-m", "sixdim"]
NAMESPACE = ["unshare", "--user", "--map-root-user", "--mount"]


def in_namespace(shell: str, *words: object) -> subprocess.CompletedProcess[str]:
    """Runs a shell script where file systems can be mounted."""
    if subprocess.run([*NAMESPACE, "true"], capture_output=True).returncode:
        pytest.skip("no user namespaces here: nothing can be mounted")
    return subprocess.run(
        [*NAMESPACE, "sh", "-eu", "-c", shell, "sh", *map(str, words)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=180,
    )


# The disk and the home


def test_a_full_disk_leaves_the_old_card_whole(tmp_path: Path) -> None:
    (tmp_path / "train.log").write_bytes(SAMPLE)
    done = in_namespace(
        """
        mkdir "$1/small" && mount -t tmpfs -o size=32k none "$1/small" && cd "$1/small"
        echo old > card.json
        head -c 27000 /dev/zero > filler
        cd "$OLDPWD" && set +e
        "$2" -m sixdim score "$1/train.log" --json "$1/small/card.json" > /dev/null
        echo "code $?"; cat "$1/small/card.json"; ls -A "$1/small"
        """,
        tmp_path,
        sys.executable,
    )
    assert done.stdout.split() == ["code", "2", "old", "card.json", "filler"]
    assert done.stderr == (
        f"sixdim: cannot write {tmp_path}/small/card.json: No space left on device\n"
    )


@pytest.mark.parametrize("words", ["score train.log", "--help", "--version"])
def test_a_full_disk_behind_standard_output_is_one_line(tmp_path: Path, words: str) -> None:
    (tmp_path / "train.log").write_bytes(SAMPLE)
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*SIXDIM, *words.split()],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert (done.returncode, done.stderr) == (2, "sixdim: cannot go on: No space left on device\n")


def test_a_device_is_written_to_and_never_replaced(
    tmp_path: Path, sixdim: Callable[..., tuple[int, str, str]]
) -> None:
    (tmp_path / "train.log").write_bytes(SAMPLE)
    done = subprocess.run(
        [*SIXDIM, "score", str(tmp_path / "train.log"), "--json", "/dev/stderr"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0
    assert done.stderr == card_of(SAMPLE)
    fifo = tmp_path / "card.fifo"
    os.mkfifo(fifo)
    reader = subprocess.Popen(["cat", str(fifo)], stdout=subprocess.PIPE, text=True)
    assert sixdim("score", tmp_path / "train.log", "--json", fifo)[0] == 0
    assert reader.communicate(timeout=180)[0] == card_of(SAMPLE)


@pytest.mark.parametrize("command", [["score"], ["replay", "--plain"], ["watch", "--plain"]])
def test_read_only_folders_and_no_home_at_all(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "train.log").write_bytes(SAMPLE)
    # A user without a name, as in many containers, on a file system that takes nothing.
    done = in_namespace(
        """
        mount --bind "$1" "$1" && mount -o remount,ro,bind "$1"
        python=$2 log=$1/train.log && shift 2
        exec env -u HOME -u XDG_STATE_HOME unshare --user --map-user=12345 \\
            "$python" -m sixdim "$@" "$log"
        """,
        tmp_path,
        sys.executable,
        *command,
    )
    assert done.returncode == 0, done.stderr
    assert "4938.9 img/s" in done.stdout
    assert done.stderr == ""


# Readings and clocks


class OneBoard(Board):
    """A source with one board whose power a test decides."""

    def __init__(self) -> None:
        super().__init__(
            lambda now_us: [
                Reading(0, source="board", time_us=now_us, power_w=self.watts, memory_mib=1000.0)
            ]
        )
        self.watts = 300.0


class Time:
    """Clocks that a test moves by hand, on top of the real ones."""

    def __init__(self) -> None:
        self.slept = 0.0
        self.wall = 0.0

    def monotonic(self) -> float:
        # Fast: a reading is due every 50 ms.
        return time.monotonic() * 20 + self.slept

    def wall_us(self) -> int:
        return time.time_ns() // 1000 + int(self.wall * 1e6)


def watched(log: Path, board: OneBoard, clock: Time) -> Live:
    return Live(log, PolledGpus(str(log), lambda: board, Clock(clock.monotonic, clock.wall_us)))


def watts(card: str) -> Any:
    return json.loads(card)["dimensions"]["power"]


def wait_for_power(live: Live, power: float) -> None:
    """Waits until the newest reading is of that power."""
    live.wait(lambda f: bool(f.snapshot.readings) and f.snapshot.readings[0].power_w == power)


def append_slowly(log: Path, lines: Sequence[bytes], live: Live) -> None:
    """Lets readings fall into every epoch."""
    for begin in range(0, len(lines), 60):
        with log.open("ab") as file:
            file.writelines(lines[begin : begin + 60])
        live.wait_for_bytes(log.stat().st_size)
        live.wait(newer_than(newest(live.frames[-1])))


def newer_than(time_us: int | None) -> Callable[[Frame], bool]:
    return lambda frame: newest(frame) not in (None, time_us)


def newest(frame: Frame) -> int | None:
    """When the newest reading was taken."""
    readings = frame.snapshot.readings
    return readings[0].time_us if readings else None


def test_readings_of_a_replaced_log_never_reach_the_new_one(tmp_path: Path) -> None:
    log, board = tmp_path / "train.log", OneBoard()
    log.write_bytes(b"".join(LINES[:400]))
    with watched(log, board, Time()) as live:
        wait_for_power(live, 300.0)
        append_slowly(log, LINES[400:1000], live)
        board.watts = 100.0
        wait_for_power(live, 100.0)
        log.unlink()
        log.touch()
        live.wait(lambda f: f.restarts == 1)
        # Only now: until the new log is seen, a reading belongs to the old one.
        first = log.with_name("train.log.sixdim.jsonl").read_bytes()
        append_slowly(log, OTHER.splitlines(keepends=True)[:1000], live)
        power = watts(live.card())
    assert power["value"] == 100.0, power
    assert log.with_name("train.log.sixdim.jsonl").read_bytes() == first
    journals = sorted(tmp_path.glob("*.sixdim.jsonl"))
    assert len(journals) == 2
    assert not any(b"300.0" in j.read_bytes() for j in journals if j.name.count(".") > 3)


@pytest.mark.parametrize("jump", [-3600.0, 3600.0], ids=["clock set back", "suspended"])
def test_a_jump_of_an_hour_moves_no_figure(tmp_path: Path, jump: float) -> None:
    log, board, clock = tmp_path / "train.log", OneBoard(), Time()
    log.write_bytes(b"".join(LINES[:400]))
    with watched(log, board, clock) as live:
        wait_for_power(live, 300.0)
        append_slowly(log, LINES[400:600], live)
        clock.wall += jump
        if jump > 0:
            clock.slept += jump
        board.watts = 200.0
        wait_for_power(live, 200.0)
        append_slowly(log, LINES[600:1000], live)
        card = json.loads(live.card())
    head = b"".join(LINES[:1000])
    power = card["dimensions"].pop("power")
    assert 200.0 < power["value"] < 300.0, power  # a mean of readings: an hour weighs nothing
    card["dimensions"].pop("memory")
    expected = json.loads(card_of(head))
    expected["dimensions"].pop("power"), expected["dimensions"].pop("memory")
    expected["evidence"].pop("power", None)
    assert card == expected


# Signals


SIGNALS = (signal.SIGHUP, signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGUSR1)
WATCHES = """
import os, sys
import sixdim.metrics.card.run_snapshot, sixdim.tui.commands.watch, watchdog.observers
from sixdim.tui.cli import main
from tests.support.processes.live import LINES, card_of

card_of(b"".join(LINES[:100]))  # what all of them load is loaded once
for card in {cards!r}:
    child = os.fork()
    if not child:
        print("process", os.getpid(), "begins", flush=True)
        sys.exit(main(["watch", "--plain", "--no-gpus", {log!r}, "--json", card]))
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print("code", code, "of this watch", flush=True)
"""


def test_a_signal_ends_the_watch_with_its_card_written(tmp_path: Path) -> None:
    log, cards = tmp_path / "train.log", [tmp_path / f"{one.name}.json" for one in SIGNALS]
    log.write_bytes(HALF)
    session = Session(WATCHES.format(log=str(log), cards=[*map(str, cards)]))
    before = termios.tcgetattr(session.fd)
    for number, card in zip(SIGNALS, cards, strict=True):
        assert session.read_until("epoch   30")
        (pid,) = re.findall(rb"process (\d+) begins", session.output)
        os.kill(int(pid), number)
        assert session.read_until("end to end")
        assert session.read_until("of this watch")
        assert termios.tcgetattr(session.fd) == before
        said, _, session.output = session.output.partition(b"of this watch")
        assert b"\x1b" not in said
        assert said.endswith(f"code {128 + number} ".encode())
        assert card.read_text() == card_of(HALF)
    assert session.wait() == 0


def stopped(pid: int) -> int:
    """The status of a child once it has stopped or ended."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        changed, status = os.waitpid(pid, os.WUNTRACED | os.WNOHANG)
        if changed:
            return status
        time.sleep(0.02)
    raise AssertionError("neither stopped nor ended")


def test_stopped_and_continued(tmp_path: Path) -> None:
    log, card = tmp_path / "train.log", tmp_path / "live.json"
    log.write_bytes(HALF)
    watch = subprocess.Popen(
        [*SIXDIM, "watch", "--plain", "--no-gpus", str(log), "--json", str(card)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        process_group=0,  # the kernel stops no orphaned group, and CI's may be one
    )
    assert watch.stdout is not None
    watch.stdout.readline()
    watch.send_signal(signal.SIGTSTP)
    assert os.WIFSTOPPED(stopped(watch.pid))
    with log.open("ab") as file:
        file.write(SAMPLE[len(HALF) :])
    watch.send_signal(signal.SIGCONT)
    watch.communicate(timeout=180)
    assert watch.returncode == 0
    assert card.read_text() == card_of(SAMPLE)


KILLED = """
import json, os, random, signal, sys, time
from pathlib import Path
import sixdim.parsers.reader.registry, sixdim.tui.commands.watch
import sixdim.tui.session.live.monitor, watchdog.observers
from sixdim.tui.cli import main
log, card, kills, seed = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
lines = Path(sys.argv[5]).read_bytes().splitlines(keepends=True)
chance = random.Random(seed)
sixdim.parsers.reader.registry.formats()

def watch():
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(main(["watch", "--plain", "--no-gpus", str(log), "--json", str(card)]))
    return pid

# How long an undisturbed watch takes here and now decides how soon "random moments" are.
log.write_bytes(b"".join(lines))
begun = time.monotonic()
os.waitpid(watch(), 0)
whole = time.monotonic() - begun
log.unlink(), card.unlink()
written = alive = 0
for kill in range(kills):
    begin, end = (len(lines) * k * 3 // (kills * 2) for k in (kill, kill + 1))
    pid = watch()
    until = time.monotonic() + chance.uniform(0, 1.25 * whole)
    with log.open("ab") as file:
        for line in lines[begin:end]:
            file.write(line)
            file.flush()
    time.sleep(max(0, until - time.monotonic()))
    while kill == kills - 1 and not card.exists() and time.monotonic() < until + 120:
        time.sleep(0.01)  # the last one is killed around its writing, however slow the machine
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    alive += os.WIFSIGNALED(status)
    if card.exists():
        json.loads(card.read_text())  # whole at every moment
        written += 1
print(alive, written)
"""


def test_killed_at_random_moments_again_and_again(tmp_path: Path) -> None:
    kills = int(os.environ.get("SIXDIM_KILLS", "12"))
    log, card, source = tmp_path / "train.log", tmp_path / "card.json", tmp_path / "source"
    source.write_bytes(SAMPLE)
    words = [str(log), str(card), str(kills), str(random.randrange(10**6)), str(source)]
    done = subprocess.run(
        [sys.executable, "-c", KILLED, *words], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, f"seed {words[3]}: {done.stderr}"
    alive, written = map(int, done.stdout.split())
    assert alive >= kills // 4, "most had ended before they were killed"
    assert written >= 1
    assert log.read_bytes() == SAMPLE
    card.unlink()
    subprocess.run(
        [*SIXDIM, "watch", "--plain", "--no-gpus", str(log), "--json", str(card)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        timeout=180,
        check=True,
    )
    assert card.read_text() == card_of(SAMPLE)


def test_a_reader_that_leaves_early_still_leaves_the_card(tmp_path: Path) -> None:
    log, card = tmp_path / "train.log", tmp_path / "card.json"
    log.write_bytes(SAMPLE)
    words = [*SIXDIM, "watch", "--plain", "--no-gpus", str(log), "--json", str(card)]
    done = subprocess.run(
        f"{' '.join(words)} | head -1", shell=True, cwd=ROOT, capture_output=True, text=True
    )
    assert done.stdout.startswith("format torchvision")
    assert done.stderr == ""
    assert card.read_text() == card_of(SAMPLE)
