"""However the screen ends, the terminal is a terminal again and the exit code says why."""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import sys
import termios
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.app import App

from sixdim.tui.screen.drivers import KeyboardDriver
from tests.support.processes.live import SAMPLE
from tests.support.processes.pty_session import Session

SHOW = """
import argparse, sys
from tests.support.screens import *
from sixdim.tui.screen.show import add_screen_options, show
from sixdim.tui.cli import main
parser = argparse.ArgumentParser()
add_screen_options(parser)
class Feed(ScriptedFeed):
    def stop(self):
        print("the feed was stopped", file=open({marker!r}, "w"))
{more}
from sixdim.tui.base.errors import UserError
try:
    sys.exit(show(Feed([frame_at(34)]), parser.parse_args({flags!r})))
except UserError as error:
    print(error, file=sys.stderr)
    sys.exit(error.code)
"""
DIES = """
    def start(self, publish):
        super().start(publish)
        def die():
            import time
            time.sleep(0.5)
            raise ValueError("a bug\\x1b[31m")
        import threading
        threading.Thread(target=die).start()
"""
BREAKS = {
    "in a widget": """
    def start(self, publish):
        super().start(publish)
        from sixdim.tui.screen.panels.base import Panel
        def paint(*_given):
            secret = "of the log"
            raise ValueError("a bug\\x1b[31m [red]")
        Panel.paint = paint
""",
    "in a callback of the loop": """
    def start(self, publish):
        super().start(publish)
        import asyncio
        def fall():
            secret = "of the log"
            raise ValueError("a bug\\x1b[31m [red]")
        asyncio.get_running_loop().call_later(0.2, fall)
""",
}
REFUSES = """
    def export(self):
        raise UserError("no-space-left")
"""
LEAVE = b"\x1b[?1049l"


def session(marker: str, *flags: str, more: str = "") -> Session:
    started = Session(SHOW.format(marker=marker, flags=list(flags), more=more))
    assert started.read_until("Scorecard")
    return started


ENDINGS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGUSR1)


ONE_BY_ONE = """
import os, sys
import sixdim.tui.screen.show
from tests.support.screens import frame_at

frame_at(34)  # what all of them load is loaded once
for code in {codes!r}:
    child = os.fork()
    if not child:
        print("process", os.getpid(), "begins", flush=True)
        exec(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print("code", code, "of this screen", flush=True)
"""


def test_a_signal_ends_the_screen_and_stops_the_feed(tmp_path: Path) -> None:
    marker = [tmp_path / number.name for number in ENDINGS]
    codes = [SHOW.format(marker=str(file), flags=[], more="") for file in marker]
    started = Session(ONE_BY_ONE.format(codes=codes))
    for number, file in zip(ENDINGS, marker, strict=True):
        assert started.read_until("Scorecard")
        started.read_for(0.3)
        (pid,) = re.findall(rb"process (\d+) begins", started.output)
        os.kill(int(pid), number)
        assert started.read_until("of this screen")
        said, _, started.output = started.output.partition(b"of this screen")
        assert said.endswith(f"code {128 + number} ".encode())
        assert LEAVE in said
        assert file.exists()
    assert started.wait() == 0


DEAF = """
    def start(self, publish):
        super().start(publish)
        import asyncio, signal
        asyncio.get_running_loop().remove_signal_handler(signal.SIGHUP)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
"""


def closed(started: Session) -> int:
    """Closes the terminal as a window manager does; returns the exit code."""
    started.settle()
    os.close(started.fd)
    until = time.monotonic() + 60
    while (ended := os.waitpid(started.pid, os.WNOHANG)) == (0, 0):
        if time.monotonic() > until:
            os.kill(started.pid, signal.SIGKILL)
            pytest.fail("it goes on without a terminal")
        time.sleep(0.05)
    return os.waitstatus_to_exitcode(ended[1])


@pytest.mark.slow
def test_a_terminal_that_is_closed_is_no_fault(tmp_path: os.PathLike[str]) -> None:
    marker = Path(tmp_path, "marker")
    assert closed(session(str(marker))) == 128 + signal.SIGHUP
    assert marker.exists()


@pytest.mark.slow
def test_a_terminal_that_is_gone_ends_the_screen_without_a_signal(
    tmp_path: os.PathLike[str],
) -> None:
    marker = Path(tmp_path, "marker")
    closed(session(str(marker), more=DEAF))
    assert marker.exists()


@pytest.fixture
def own_handlers() -> Iterator[None]:
    """A driver answers SIGTSTP and SIGCONT; the tests after this one may be stopped and go on."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTSTP, signal.SIGCONT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_nobody_waits_for_the_keys_of_a_terminal_that_is_gone(own_handlers: None) -> None:
    async def read_to_the_end() -> bool:
        ours, theirs = os.openpty()
        keyboard = KeyboardDriver(App())
        keyboard.fileno = theirs
        os.close(ours)
        reads = threading.Thread(target=keyboard.run_input_thread, daemon=True)
        reads.start()
        await asyncio.to_thread(reads.join, 10)
        ended = not reads.is_alive()
        keyboard.exit_event.set()  # or a failure would keep a processor busy
        return ended

    assert asyncio.run(read_to_the_end())


def test_a_dead_thread_ends_the_screen_with_one_line(tmp_path: os.PathLike[str]) -> None:
    marker = f"{os.fspath(tmp_path)}/marker"
    started = Session(SHOW.format(marker=marker, flags=[], more=DIES))
    assert started.wait() == 70
    after = started.output[started.output.rindex(LEAVE) :].decode()
    assert "a fault inside sixdim: ValueError: a bug" in after
    assert "\x1b[31m" not in after and "Traceback" not in after


@pytest.mark.parametrize("where", BREAKS)
def test_a_fault_of_the_screen_is_one_line_on_a_sane_terminal(
    tmp_path: os.PathLike[str], where: str
) -> None:
    stopped = f"{os.fspath(tmp_path)}/marker"
    code = SHOW.format(marker=stopped, flags=[], more=BREAKS[where])
    started = Session(code)
    before = termios.tcgetattr(started.fd)
    assert started.read_until("a fault inside sixdim")
    assert termios.tcgetattr(started.fd) == before
    assert started.wait() == 70
    after = started.output[started.output.rindex(LEAVE) :]
    for mode in (b"\x1b[?1000l", b"\x1b[?1003l", b"\x1b[?2004l", b"\x1b[?25h"):
        assert mode in started.output[started.output.rindex(b"\x1b[?1049h") :]
    (line,) = [row for row in after.decode().splitlines() if "fault" in row]
    assert "a fault inside sixdim: ValueError: a bug" in line
    assert line.endswith("; --plain follows the run without a screen")
    assert b"\x1b[31m" not in after and b"Traceback" not in after and b"secret" not in after
    assert os.path.exists(stopped)  # noqa: PTH110 - the path as it is printed


def test_a_card_that_cannot_be_written_is_said_and_the_screen_goes_on(
    tmp_path: os.PathLike[str],
) -> None:
    started = session(f"{os.fspath(tmp_path)}/marker", more=REFUSES)
    started.send("e")
    assert started.read_until("no-space-left")
    assert started.quit() == 0


def test_inline_leaves_its_last_picture_in_the_scrollback(tmp_path: os.PathLike[str]) -> None:
    started = session(f"{os.fspath(tmp_path)}/marker", "--inline")
    started.read_for(0.3)
    assert started.quit() == 0
    assert b"\x1b[?1049h" not in started.output
    assert b"\x1b[?1000h" not in started.output, "the mouse stays the shell's"


@pytest.mark.slow
def test_suspended_and_brought_back_the_screen_is_drawn_again(
    tmp_path: os.PathLike[str],
) -> None:
    started = session(f"{os.fspath(tmp_path)}/marker")
    started.read_for(0.3)
    os.kill(started.pid, signal.SIGTSTP)
    assert started.wait_for(lambda: LEAVE in started.output)
    _, status = os.waitpid(started.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    begin = len(started.output)
    os.kill(started.pid, signal.SIGCONT)
    assert started.wait_for(lambda: b"Scorecard" in started.output[begin:])
    assert started.quit() == 0


@pytest.mark.slow
@pytest.mark.parametrize("stopped", [True, False])
@pytest.mark.parametrize("end", [signal.SIGTERM, None])
def test_a_continue_without_a_suspend_changes_nothing(
    tmp_path: os.PathLike[str], stopped: bool, end: signal.Signals | None
) -> None:
    """`kill -STOP` cannot be answered, and systemd sends SIGCONT to who was never stopped."""
    started = Session(SHOW.format(marker=f"{os.fspath(tmp_path)}/marker", flags=[], more=""))
    terminal = os.dup(started.fd)
    shell = termios.tcgetattr(terminal)
    assert started.read_until("Scorecard")
    for _ in range(3):
        if stopped:
            os.kill(started.pid, signal.SIGSTOP)
            os.waitpid(started.pid, os.WUNTRACED)
            termios.tcsetattr(terminal, termios.TCSANOW, shell)
        begin = len(started.output)
        os.kill(started.pid, signal.SIGCONT)
        assert started.wait_for(lambda: b"Scorecard" in started.output[begin:])  # noqa: B023
    assert not termios.tcgetattr(terminal)[3] & (termios.ICANON | termios.ECHO)
    for key in "??":  # opens the list of keys, and closes it
        begin = len(started.output)
        started.send(key)
        assert started.wait_for(lambda: len(started.output) > begin + 500), key  # noqa: B023
    if end is None:
        assert started.quit() == 0
    else:
        os.kill(started.pid, end)
        os.kill(started.pid, signal.SIGCONT)
        assert started.wait() == 128 + end
    assert modes_left(started.output) == set()
    assert termios.tcgetattr(terminal) == shell
    os.close(terminal)


WATCH = "from sixdim.tui.cli import main; import sys; sys.argv[1:] = {words!r}; sys.exit(main())"


def modes_left(output: bytes) -> set[bytes]:
    """The private modes of the terminal that are on at the end; wrapping and the cursor if off."""
    last = dict(re.findall(rb"\x1b\[\?(\d+)([hl])", output))
    usual = {b"7": b"h", b"25": b"h"}
    return {mode for mode, state in last.items() if state != usual.get(mode, b"l")}


@pytest.mark.slow
@pytest.mark.parametrize("number", ENDINGS)
def test_a_signal_at_any_moment_of_the_start_leaves_a_sane_terminal(
    number: signal.Signals, tmp_path: Path
) -> None:
    """From the first byte of the opening on; how often is SIXDIM_SIGNALS, where the moments fall
    chance."""
    log = tmp_path / "train.log"
    log.write_bytes(SAMPLE[:100_000])
    moments = random.Random(number)
    for _ in range(int(os.environ.get("SIXDIM_SIGNALS", "3"))):
        started = Session(WATCH.format(words=["watch", str(log), "--no-gpus"]))
        before = termios.tcgetattr(started.fd)
        assert started.read_until("\x1b[?1049h")
        started.read_for(moments.random() * 1.5)
        os.kill(started.pid, number)
        status = None
        while status is None:
            started.read_for(0.05)
            done, found = os.waitpid(started.pid, os.WNOHANG)
            status = found if done else None
        assert os.waitstatus_to_exitcode(status) == 128 + number
        assert termios.tcgetattr(started.fd) == before
        os.close(started.fd)
        assert modes_left(started.output) == set(), started.output[-300:]


def test_a_second_signal_ends_a_screen_that_does_not_end(tmp_path: Path) -> None:
    stuck = """
    def start(self, publish):
        super().start(publish)
        import asyncio, time
        asyncio.get_running_loop().call_later(0.1, lambda: (open("{marker}", "w"), time.sleep(600)))
"""
    marker = tmp_path / "marker"
    started = session(os.devnull, more=stuck.replace("{marker}", str(marker)))
    before = termios.tcgetattr(started.fd)
    assert before[3] & termios.ICANON == 0
    assert started.wait_for(marker.exists)
    for _ in range(2):
        os.kill(started.pid, signal.SIGTERM)
        started.read_for(0.3)
    assert termios.tcgetattr(started.fd)[3] & termios.ICANON
    assert started.wait() == 128 + signal.SIGTERM
    assert modes_left(started.output) == set()


@pytest.mark.parametrize("elsewhere", ["2>{err}", "2>&-"])
def test_the_screen_is_painted_where_standard_output_is(tmp_path: Path, elsewhere: str) -> None:
    log, err = tmp_path / "train.log", tmp_path / "err"
    log.write_bytes(SAMPLE[:100_000])
    words = f"{sys.executable} -m sixdim watch {log} --no-gpus {elsewhere.format(err=err)}"
    started = Session(f"import os; os.execv('/bin/sh', ['sh', '-c', {words!r}])")
    assert started.read_until("Scorecard")
    assert started.quit() == 0
    assert modes_left(started.output) == set()
    assert not err.exists() or err.read_bytes() == b""
