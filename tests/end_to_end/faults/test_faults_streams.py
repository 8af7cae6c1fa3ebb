"""Logs that are no growing file: FIFOs, standard input, archives; real pipes, real processes."""

from __future__ import annotations

import bz2
import contextlib
import fcntl
import gzip
import lzma
import os
import pty
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import zstandard

from tests.support.processes.forked import codes_of
from tests.support.processes.live import LINES, SAMPLE, Live, card_of
from tests.support.processes.pty_session import Session

pytestmark = pytest.mark.slow  # kills, and waits for what a machine does late
ROOT = Path(__file__).parents[3]
WATCH = [sys.executable, "-m", "sixdim", "watch", "--plain", "--no-gpus"]
Sixdim = Callable[..., tuple[int, str, str]]
SHORT = b"".join(LINES[:1400])  # no closing line: only the end of the input ends it


def write_slowly(descriptor: int, data: bytes) -> None:
    for begin in range(0, len(data), 9973):
        os.write(descriptor, data[begin : begin + 9973])
    os.close(descriptor)


def test_a_fifo_is_read_to_its_end(tmp_path: Path) -> None:
    fifo, card = tmp_path / "train.log", tmp_path / "live.json"
    os.mkfifo(fifo)
    watch = subprocess.Popen([*WATCH, str(fifo), "--json", str(card)], cwd=ROOT, stdout=-1)
    write_slowly(os.open(fifo, os.O_WRONLY), SHORT)
    out, _ = watch.communicate(timeout=180)
    assert watch.returncode == 0
    assert out.count(b"epoch ") > 20
    assert card.read_text() == card_of(SHORT)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "stdin is empty"),
        (gzip.compress(SHORT)[:10], "stdin is a damaged archive: "),
        (gzip.compress(SHORT)[:-2000], "stdin is a damaged archive: "),
    ],
    ids=["empty", "nothing but a beginning", "cut short"],
)
def test_a_pipe_that_ends_too_early_is_one_line(tmp_path: Path, data: bytes, expected: str) -> None:
    """What was read before is on the card; no card is made of nothing."""
    card = tmp_path / "live.json"
    words = [*WATCH, "-", "--json", str(card)]
    done = subprocess.run(words, cwd=ROOT, input=data, capture_output=True, timeout=180)
    read = len(data) > 10
    assert done.returncode == 2
    assert done.stderr.startswith(f"sixdim: {expected}".encode()) and done.stderr.count(b"\n") == 1
    assert card.exists() is read and (b"  speed  " in done.stdout) is read
    assert (b"epoch    0 " in done.stdout) is read


def test_a_fifo_without_a_writer_holds_nothing_up(tmp_path: Path) -> None:
    fifo = tmp_path / "train.log"
    os.mkfifo(fifo)
    with Live(fifo) as live:
        live.wait(lambda frame: frame.message == "waiting for train.log")
        live.feed.stop()
        # Its reading thread is left behind, not waited for.
        assert "sixdim-monitor" not in {thread.name for thread in threading.enumerate()}


def test_after_a_tee(tmp_path: Path) -> None:
    source, log, card = tmp_path / "source", tmp_path / "train.log", tmp_path / "live.json"
    source.write_bytes(SHORT)
    watch = " ".join([*WATCH, "-", "--json", str(card)])
    done = subprocess.run(
        f"cat {source} | tee {log} | {watch}",
        shell=True,
        cwd=ROOT,
        capture_output=True,
        timeout=180,
    )
    assert done.returncode == 0, done.stderr
    assert log.read_bytes() == SHORT
    assert card.read_text() == card_of(SHORT, "stdin")


def test_standard_input_is_read_beside_a_folder_of_that_name(tmp_path: Path) -> None:
    (tmp_path / "-").mkdir()
    words = [sys.executable, "-m", "sixdim", "score", "-", "--json", "-"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        words, cwd=tmp_path, input=SHORT, env=environment, capture_output=True, timeout=180
    )
    assert (done.returncode, done.stdout.decode()) == (0, card_of(SHORT, "stdin"))


def test_a_fast_writer_waits_for_a_slow_reader() -> None:
    from sixdim.parsers.input.stream import StreamTail

    reader, writer = os.pipe()
    written = 0

    def write() -> None:
        nonlocal written
        try:
            while True:
                written += os.write(writer, b"x" * 65536)
        except BrokenPipeError:
            os.close(writer)

    tail = StreamTail("stdin", lambda: reader, lambda: None)
    tail.look()
    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    before = -1
    while before != written:
        before = written
        assert written < 8 << 20
        time.sleep(0.5)
    assert 0 < written < 8 << 20  # 16 chunks of at most 256 KiB, and the pipe's own
    tail.close()
    tail.look()
    time.sleep(0.1)
    os.close(reader)
    thread.join(60)
    assert not thread.is_alive()


@pytest.mark.parametrize("packer", [gzip, bz2, lzma])
@pytest.mark.parametrize("whole", [True, False])
def test_a_compressed_stream_is_unpacked_as_it_comes(packer: Any, whole: bool) -> None:
    """Of one that is cut, what comes before the cut is given, and then the trouble."""
    from sixdim.parsers.input.stream import StreamTail

    text = b"".join(b"epoch %d loss %d\n" % (n, n * n % 977) for n in range(20_000))
    packed = packer.compress(text)
    reader, writer = os.pipe()

    def write() -> None:
        with open(writer, "wb") as pipe:
            pipe.write(packed if whole else packed[: len(packed) // 2])

    threading.Thread(target=write, daemon=True).start()
    tail = StreamTail("stdin", lambda: reader, lambda: None)
    found, end = b"", time.monotonic() + 60
    while not (piece := tail.look()).ended and time.monotonic() < end:
        found += piece.data
    os.close(reader)
    assert piece.ended
    assert (found == text) if whole else text.startswith(found)
    assert ("stdin is a damaged archive" in piece.trouble) == (not whole)


def test_an_end_that_came_with_the_data_wakes_its_reader_again() -> None:
    from sixdim.parsers.input.stream import StreamTail

    reader, writer = os.pipe()
    os.write(writer, b"x")
    os.close(writer)
    woken, looked = threading.Event(), threading.Event()
    tail = StreamTail("stdin", lambda: reader if looked.wait(60) else -1, woken.set)
    tail.look()
    looked.set()
    assert tail._thread is not None
    tail._thread.join(60)
    woken.clear()
    assert tail.look().data == b"x"
    assert woken.is_set(), "the end would be found half a second later"
    assert tail.look().ended


SCREEN = """
import os, sys
reader, writer = os.pipe()
if os.fork() == 0:
    os.close(reader)
    data = open({source!r}, "rb").read()
    while data:
        data = data[os.write(writer, data[:5000]):]
    os._exit(0)
os.close(writer)
os.dup2(reader, 0)
from sixdim.tui.cli import main
sys.exit(main(["watch", "-", "--no-gpus"]))
"""


def test_the_screen_reads_the_pipe_and_the_keyboard(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(SAMPLE)
    session = Session(SCREEN.format(source=str(source)))
    assert session.wait_for(lambda: "4938.9" in "\n".join(session.painted()))
    session.send("q")
    assert session.wait() == 0


def test_a_terminal_as_standard_input_is_no_log() -> None:
    _main, terminal = pty.openpty()
    done = subprocess.run([*WATCH, "-"], cwd=ROOT, stdin=terminal, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == (
        "sixdim: - reads a pipe: python train.py 2>&1 | tee train.log | sixdim watch -\n"
    )


@pytest.mark.parametrize(
    ("closed", "code", "out", "err"),
    [
        ("<&-", 2, "", "sixdim: standard input is closed, or was read before: name a file\n"),
        (">&-", 2, "", "sixdim: no log nowhere.log"),
        ("2>&-", 2, "", ""),
    ],
)
def test_a_closed_stream_is_no_fault(closed: str, code: int, out: str, err: str) -> None:
    log = "-" if closed == "<&-" else "nowhere.log"
    words = shlex.join([sys.executable, "-m", "sixdim", "score", log])
    done = subprocess.run(f"{words} {closed}", shell=True, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (code, out)
    assert done.stderr.startswith(err) and bool(done.stderr) == bool(err)


@pytest.mark.parametrize("to", ["a full disk", "a reader that is gone"])
def test_a_message_that_cannot_be_written_changes_no_exit_code(tmp_path: Path, to: str) -> None:
    log = tmp_path / "train.log"
    log.write_bytes(SAMPLE)
    if to == "a full disk":
        errors = os.open("/dev/full", os.O_WRONLY)
    else:
        reader, errors = os.pipe()
        os.close(reader)
    try:
        commands = [
            ["score", "nowhere.log"],
            ["score", str(log), "--no-such-flag"],
            ["score", str(log), "--target", "acc1>99"],
            ["score", str(log)],
        ]
        assert codes_of(commands, errors) == [2, 2, 1, 0]
    finally:
        os.close(errors)


def test_a_card_for_a_closed_standard_output_is_dropped(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_bytes(SAMPLE)
    words = shlex.join([sys.executable, "-m", "sixdim", "score", str(log)])
    done = subprocess.run(f"{words} >&-", shell=True, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_watch_whose_output_nobody_reads_can_be_ended_and_writes_its_card(tmp_path: Path) -> None:
    """As behind `| less`, or on a terminal that was stopped with Ctrl-S."""
    log, card = tmp_path / "train.log", tmp_path / "live.json"
    log.write_bytes(SHORT)
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    os.write(writer, b"x" * 4096)
    watch = subprocess.Popen([*WATCH, str(log), "--json", str(card)], cwd=ROOT, stdout=writer)
    os.close(writer)
    try:
        until = time.monotonic() + 60
        while not _holds_open(watch.pid, log) and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(2)  # it has lines to print by now
        watch.terminate()
        assert watch.wait(timeout=60) == 128 + 15
    finally:
        watch.kill()
        os.close(reader)
    assert card.read_text() == card_of(SHORT)


def _holds_open(pid: int, file: Path) -> bool:
    """Whether a process has a file open."""
    with contextlib.suppress(OSError):
        return any(
            link.exists() and link.samefile(file) for link in Path(f"/proc/{pid}/fd").iterdir()
        )
    return False


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": partial(lzma.compress, preset=0),
    "zst": lambda data: zstandard.ZstdCompressor().compress(data),
}


@pytest.mark.parametrize("ending", PACKERS)
def test_a_packed_log_gives_the_card_of_the_log(
    sixdim: Sixdim, tmp_path: Path, ending: str
) -> None:
    packed = tmp_path / "train.log"
    packed.write_bytes(PACKERS[ending](SAMPLE))
    code, out, _err = sixdim("score", packed, "--json", "-")
    assert (code, out) == (0, card_of(SAMPLE))
    code, out, _err = sixdim("replay", packed, "--plain")
    assert code == 0
    assert "4938.9 img/s" in out


@pytest.mark.parametrize("ending", PACKERS)
def test_a_damaged_archive_is_one_clear_line(sixdim: Sixdim, tmp_path: Path, ending: str) -> None:
    packed = tmp_path / "train.log"
    whole = PACKERS[ending](SAMPLE)
    middle = len(whole) // 2
    packed.write_bytes(whole[:middle] + bytes(64) + whole[middle + 64 :])
    code, _out, err = sixdim("score", packed)
    assert code == 2
    assert err.count("\n") == 1
    assert "train.log" in err


def test_a_compressed_log_says_how_far_it_is_unpacked(tmp_path: Path) -> None:
    log = tmp_path / "train.log.gz"
    log.write_bytes(gzip.compress(SAMPLE * (1 + 3_000_000 // len(SAMPLE)), 1))
    words = ["replay", str(log), "--speed", "max"]
    screen = Session(f"import sys; from sixdim.tui.cli import main; sys.exit(main({words!r}))")
    assert screen.read_until("unpacking train.log.gz: 2 MiB", 60.0)
    assert screen.read_until("Scorecard", 60.0)
    assert b"\r\x1b[K\x1b[?1049h" in screen.output, "wiped away before the screen begins"
    screen.send("q")
    assert screen.wait() == 0


def test_what_the_watcher_of_files_complains_of_stays_off_stderr(tmp_path: Path) -> None:
    """watchdog logs an error where an event comes in while it is being stopped."""
    code = (
        "import logging, sys, time\n"
        "from sixdim.parsers.input.waker import Waker\n"
        "waker = Waker(sys.argv[1], time.monotonic)\n"
        "waker.start()\n"
        "logging.getLogger('watchdog.observers.inotify').error('called when inactive')\n"
        "waker.stop()\n"
    )
    words = [sys.executable, "-c", code, str(tmp_path / "a.log")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""
