"""The first picture of `watch`: the log's last lines, painted before anything else is loaded.

Textual takes ten times as long to load as Python to start. Until it paints, the terminal displays
the end of the log, on the alternate screen that Textual then uses.
"""

from __future__ import annotations

import codecs
import io
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sixdim.parsers.text.untrusted import clean, label
from sixdim.tui.screen.signals import SignalHandlers

_ELSEWHERE = ("--plain", "--inline", "--help-all", "-h")
"""Flags with which nothing is painted on the alternate screen."""
_TAIL = 64 << 10
"""Bytes of the log's end that are looked at."""
_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[H\x1b[2J"  # no cursor, and long lines are cut
_WRAP = "\x1b[?7h"
_LEAVE = "\x1b[?25h\x1b[?1049l"


def has_terminal() -> bool:
    """Returns whether standard input and output are a terminal that can display a screen."""
    if os.environ.get("TERM", "") in ("", "dumb"):
        return False
    # The caller may have closed standard input, or another run was read from it (`--baseline -`).
    if sys.stdin is None or sys.stdin.closed or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    return codecs.lookup(sys.stdout.encoding).name == "utf-8"  # frames and charts need it


@contextmanager
def opening(words: Sequence[str]) -> Iterator[Opening | None]:
    """Paints the end of the log that is the first argument of `sixdim watch`.

    Args:
        words: The arguments.

    Yields:
        The picture; None if nothing was painted.
    """
    painted = _painted(words) if has_terminal() else None
    try:
        yield painted
    finally:
        if painted is not None:
            painted.end()


class Opening:
    """The first picture; messages to standard error are held back until it is closed.

    Args:
        picture: The text and escape sequences to write.

    Attributes:
        signals: The signal handlers, which the screen takes over.
    """

    def __init__(self, picture: str) -> None:
        self._stderr, self._messages = sys.stderr, io.StringIO()
        self.signals = SignalHandlers()
        self.signals.message = self._messages.getvalue
        sys.stderr = self._messages
        self._displayed = True
        _write(picture)

    def end(self, *, to_app: bool = False) -> None:
        """Restores standard error and the terminal's screen, which the app may take over.

        Messages are printed below it. A second call does nothing.
        """
        if not self._displayed:
            return
        self._displayed = False
        sys.stderr, messages = self._stderr, self._messages.getvalue()
        if messages or not to_app:
            _write(_LEAVE)
        print(messages, end="", file=sys.stderr)
        if not to_app:
            self.signals.restore_handlers()


def _painted(words: Sequence[str]) -> Opening | None:
    if not words or any(flag.startswith(word) for word in words for flag in _ELSEWHERE):
        return None
    try:
        picture = _picture(words[0], *os.get_terminal_size(sys.stdout.fileno()))
    except (OSError, ValueError):  # the command reports it later
        return None
    return Opening(picture)


def _picture(path: str, columns: int, rows: int) -> str:
    """Returns the name of the log and its last lines.

    Raises:
        OSError: It cannot be read.
        ValueError: It is no file, or no text.
    """
    found = os.stat(path)  # noqa: PTH116 (pathlib costs a third of the way to this picture)
    if not stat.S_ISREG(found.st_mode):  # opening and closing a FIFO would end its writer
        raise ValueError(path)
    with open(path, "rb") as log:  # noqa: PTH123 (see above)
        log.seek(max(0, found.st_size - _TAIL))
        tail = log.read(_TAIL)
    if b"\0" in tail:
        raise ValueError(path)
    columns, rows = columns or 80, rows or 24  # some terminals report 0
    text = tail.decode("utf-8", "replace")
    lines = [
        clean(line.rstrip().rpartition("\r")[2]).expandtabs()[:columns] for line in text.split("\n")
    ]
    latest = [line for line in lines if line.strip()][-max(1, rows - 3) :]
    head = f"{label(path.rpartition('/')[2])}  {found.st_size:,} bytes, reading …"
    return _ENTER + "\r\n".join([head[:columns], "", *latest]) + _WRAP


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
