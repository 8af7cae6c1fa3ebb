"""The picture that stands until Textual paints, on a real pseudo-terminal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sixdim import sample_logs
from tests.support.processes.pty_session import ROOT, Session

ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"
MAIN = "import sys; from sixdim.tui.cli import main; sys.exit(main({words!r}))"
OPENING = "from sixdim.tui.screen.opening import opening\nwith opening([{log!r}]):\n    {then}"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "train.log"
    path.write_text("".join(f"line {n} of the log\n" for n in range(1, 500)) + "line 500 begins")
    return path


def opened(log: Path, then: str) -> tuple[bytes, int]:
    session = Session(OPENING.format(log=str(log), then=then), columns=60, rows=10)
    code = session.wait()
    return session.output, code


def test_the_end_of_the_log_stands_before_anything_heavy_is_loaded(log: Path) -> None:
    heavy = "{'textual', 'argparse', 'dataclasses', 'sixdim.parsers.events'}"
    output, code = opened(log, f"import sys; print({heavy} & {{*sys.modules}})")
    picture = output.partition(b"set()")[0].decode()
    assert code == 0
    assert "train.log  9,887 bytes, reading …" in picture
    assert picture.index("line 494 of the log") < picture.index("line 500 begins")
    assert "line 493" not in picture
    assert output.index(ENTER) < output.index(b"line 500") < output.index(LEAVE)


def test_nothing_of_the_log_reaches_the_terminal_as_a_command(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_text("before\x1b]0;owned\x07after\rredrawn \u202egnorw\n" + "x" * 500 + "\n")
    output, _ = opened(log, "pass")
    text = output.decode()
    assert "redrawn gnorw" in text and "owned" not in text and "\x1b]" not in text
    assert "x" * 60 in text and "x" * 61 not in text


PIPED = "import os, sys; os.execv('/bin/sh', ['sh', '-c', {line!r}, 'sh', sys.executable])"


def test_a_piped_log_has_a_screen_and_its_keys_come_from_the_terminal() -> None:
    main = MAIN.format(words=["watch", "-", "--no-gpus"])
    line = f'cat {sample_logs.path(sample_logs.RUN)} | "$1" -c "{main}"'
    session = Session(PIPED.format(line=line))
    assert session.read_until("CONVERGED")
    assert session.read_until("Scorecard")
    session.send("?")
    assert session.read_until("How a figure was computed")
    assert session.quit() == 0


def test_textual_goes_on_from_it(log: Path) -> None:
    session = Session(MAIN.format(words=["watch", str(log), "--no-gpus"]))
    assert session.read_until("bytes, reading")
    assert session.read_until("\x1b[?1000h")  # Textual's first: it asks for the mouse
    assert LEAVE not in session.output  # without showing the shell in between
    session.send("q")
    assert session.wait() == 0
    assert session.output.rstrip().rindex(LEAVE) > session.output.rindex(ENTER)


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--bogus"], b"no flag --bogus"),
        (["--target", "nonsense"], b"nonsense"),
        (["--theme", "nonsense"], b"no theme"),
    ],
)
def test_what_is_wrong_is_said_on_the_terminals_own_screen(
    log: Path, flags: list[str], said: bytes
) -> None:
    session = Session(MAIN.format(words=["watch", str(log), "--no-gpus", *flags]))
    assert session.wait() == 2
    assert session.output.index(LEAVE) < session.output.index(said)
    assert b"\x1b[?25h" in session.output


def test_a_signal_gives_the_terminal_back(log: Path) -> None:
    output, code = opened(log, "import os; os.kill(os.getpid(), 15)")
    assert code == 128 + signal.SIGTERM
    assert output.rstrip().endswith(LEAVE)


@pytest.mark.parametrize("flag", ["--plain", "--help", "--help-all"])
def test_lines_and_help_come_without_it(flag: str) -> None:
    log = str(sample_logs.path(sample_logs.RUN))  # whole: lines end with it
    session = Session(MAIN.format(words=["watch", log, "--no-gpus", flag]))
    assert session.wait() == 0
    assert len(session.output) > 500
    assert ENTER not in session.output


@pytest.mark.parametrize("kind", ["missing", "folder", "binary", "fifo"])
def test_no_picture_of_what_is_no_text(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "train.log"
    if kind == "folder":
        path.mkdir()
    elif kind == "binary":
        path.write_bytes(b"\x1f\x8b\0\0")
    elif kind == "fifo":
        os.mkfifo(path)
    output, code = opened(path, "print('on')")
    assert (output.strip(), code) == (b"on", 0)


@pytest.mark.parametrize("command", ["replay", "watch"])
def test_closed_standard_input_is_no_terminal(log: Path, command: str) -> None:
    sample = sample_logs.path(sample_logs.RUN)
    words = ["sh", "-c", f"{sys.executable} -m sixdim {command} {sample} <&-"]
    session = Session(f"import os; os.execvp('sh', {words!r})")
    assert session.wait() == 0
    assert b"CONVERGED" in session.output and b"Error" not in session.output


def test_another_run_may_be_read_from_standard_input() -> None:
    run, base = (sample_logs.path(name) for name in (sample_logs.RUN, sample_logs.BASELINE))
    with base.open("rb") as piped:
        done = subprocess.run(
            [sys.executable, "-m", "sixdim", "replay", str(run), "--baseline", "-"],
            stdin=piped,
            capture_output=True,
            text=True,
            env={**os.environ, "TERM": "xterm"},
            cwd=ROOT,
        )
    assert (done.returncode, done.stderr) == (0, "") and "CONVERGED" in done.stdout
