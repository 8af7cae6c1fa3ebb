"""Commands stopped at a moment of the test's choice: their log is a FIFO, which blocks them."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
PATIENCE_S = 120.0


def until(found: Callable[[], Any], what: str) -> Any:
    """Waits for a state, however slow the machine is."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if value := found():
            return value
        time.sleep(0.02)
    raise AssertionError(f"{what}: not within {PATIENCE_S:.0f} s")


def kill(pid: int) -> None:
    """Kills a process, and waits until it holds nothing open any more."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    state = Path(f"/proc/{pid}/stat")

    def gone() -> bool:
        try:
            return state.read_text().rpartition(")")[2].split()[0] in "ZX"
        except (FileNotFoundError, ProcessLookupError):
            return True

    until(gone, f"the end of {pid}")


class FifoLog:
    """A log whose readers wait, until they are given what it says, or killed."""

    def __init__(self, path: Path, text: bytes) -> None:
        os.mkfifo(path)
        self.path = path
        self._text = text
        self._end = -1

    def wait(self, over: Callable[[], bool] = lambda: False) -> bool:
        """Until somebody reads it, or it is over; whether somebody does."""
        until(lambda: over() or self._opened(), "a reader of the log")
        return not over()

    def _opened(self) -> bool:
        try:
            end = os.open(self.path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            assert error.errno == errno.ENXIO  # nobody reads yet
            return False
        if self._end >= 0:
            self.forget()  # after the new end is open: the next reader may hold the old one
        self._end = end
        return True

    def forget(self) -> None:
        """Whoever still reads finds nothing."""
        os.close(self._end)

    def give(self) -> None:
        """Gives the reader the whole log."""
        os.set_blocking(self._end, True)
        with open(self._end, "wb") as out:
            out.write(self._text)


def started(*words: object) -> subprocess.Popen[str]:
    """A command, in a group of processes of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "sixdim", *map(str, words)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def ended(command: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Its exit code, and what it said."""
    out, err = command.communicate(timeout=PATIENCE_S)
    assert "Traceback" not in err and "distributed." not in err, err
    return command.returncode, out, err
