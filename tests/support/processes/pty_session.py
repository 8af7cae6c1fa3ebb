"""Runs a piece of Python in a real pseudo-terminal and keeps every byte it wrote there."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pyte

ROOT = Path(__file__).parents[3]
PATIENCE = 120.0
"""Seconds to wait for what must come: a limit for what hangs, never a measure of speed."""


@dataclass
class Session:
    """A program on a terminal of so many columns and rows."""

    code: str
    columns: int = 120
    rows: int = 40
    env: Mapping[str, str] = field(default_factory=dict)
    output: bytes = b""
    _terminal: Terminal | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            given = {"TERM": "xterm-256color", "COLORTERM": "truecolor", **self.env}
            # An environment of its own: readline, which pytest loads, sets COLUMNS and LINES
            # after `os.environ`, and with them every terminal would have one size for ever.
            sizes = ("COLUMNS", "LINES")
            both = os.environ | given
            env = {name: text for name, text in both.items() if name not in sizes}
            os.execve(sys.executable, [sys.executable, "-c", self.code], env)
        self.resize(self.columns, self.rows)

    def resize(self, columns: int, rows: int) -> None:
        """Gives the terminal another size, as a window manager does."""
        self.columns, self.rows = columns, rows
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def send(self, keys: str) -> None:
        """Types."""
        os.write(self.fd, keys.encode())

    def read_for(self, seconds: float) -> bytes:
        """Everything written in that time."""
        begin, until = len(self.output), time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and self._read(left):
            pass
        return self.output[begin:]

    def read_until(self, text: str, seconds: float = PATIENCE) -> bool:
        """Reads until the text was written; False where it never was."""
        wanted = text.encode()
        return self.wait_for(lambda: wanted in self.output, seconds)

    def wait_for(self, seen: Callable[[], bool], seconds: float = PATIENCE) -> bool:
        """Reads until what was written fulfils a condition; False where it never does."""
        until = time.monotonic() + seconds
        while not seen():
            left = until - time.monotonic()
            if left <= 0 or not self._read(min(left, 0.5)):
                return seen()
        return True

    def terminal(self) -> Terminal:
        """A terminal of the present size, which reads what was written so far."""
        if self._terminal is None or self._terminal.size != (self.columns, self.rows):
            self._terminal = Terminal(self)
        return self._terminal

    def painted(self) -> list[str]:
        """The rows that a terminal of the present size displays."""
        return self.terminal().rows()

    def settle(self, quiet: float = 1.0) -> bool:
        """Reads until nothing comes for so long; False where something always does."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if not self.read_for(quiet):
                return True
        return False

    def quit(self) -> int:
        """Presses q until it ends: one that comes with an escape before it is another key."""
        until = time.monotonic() + PATIENCE
        ended = False
        while not ended and time.monotonic() < until:
            with suppress(OSError):  # the other side is gone
                self.send("q")
            pause = time.monotonic() + 2.0
            while not ended and time.monotonic() < pause:
                ended = not self._read(0.2)
        return self.wait()

    def wait(self) -> int:
        """Reads to the end and returns the exit code."""
        until = time.monotonic() + PATIENCE
        while self._read(1.0):
            if time.monotonic() > until:
                os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status)

    def _read(self, timeout: float) -> bool:
        ready, _, _ = select.select([self.fd], [], [], timeout)
        if not ready:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # the other side is gone
            return False
        if b"\x1b[?2026$p" in data:  # "can you paint a frame at once?" Yes.
            os.write(self.fd, b"\x1b[?2026;2$y")
        self.output += data
        return bool(data)


class Terminal:
    """A terminal that reads what a session writes as it comes."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.size = session.columns, session.rows
        self._screen = pyte.Screen(session.columns, session.rows)
        self._stream = pyte.ByteStream(self._screen)
        self._fed = 0

    def cells(self) -> list[list[pyte.screens.Char]]:
        """Every cell as it stands, its colours included."""
        screen = self.screen()
        rows, columns = range(screen.lines), range(screen.columns)
        return [[screen.buffer[y][x] for x in columns] for y in rows]

    def rows(self) -> list[str]:
        """The rows as they stand."""
        return list(self.screen().display)

    def screen(self) -> pyte.Screen:
        """The screen as it stands: the same object each time."""
        fed, self._fed = self._fed, len(self._session.output)
        self._stream.feed(self._session.output[fed : self._fed])
        return self._screen

    def shows(self, text: str) -> bool:
        return text in "\n".join(self.rows())
