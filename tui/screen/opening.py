"""The first picture of `watch`: the log's last lines, painted before anything else is loaded.

Textual takes ten times as long to load as Python to start. Until it paints, the terminal shows
the end of the log, on the alternate screen that Textual then goes on with.
"""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sixdim.parsers.text.untrusted import clean, label
from sixdim.tui.screen.endings import Endings

_ELSEWHERE = ("--plain", "--inline", "--help", "-h")
"""Flags with which nothing is painted on the alternate screen."""
_TAIL = 64 << 10
"""Bytes of the log's end that are looked at."""
_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[H\x1b[2J"  # no cursor, and long lines are cut
_WRAP = "\x1b[?7h"
_LEAVE = "\x1b[?25h\x1b[?1049l"


def has_terminal() -> bool:
    """Whether there is one to paint on, and someone to press keys."""
    if os.environ.get("TERM", "") in ("", "dumb"):
        return False
    return sys.stdin.isatty() and sys.stdout.isatty()


@contextmanager
def opening(words: Sequence[str]) -> Iterator[Opening | None]:
    """Paints the log that stands first among the words of `sixdim watch`, where there is one.

    Yields:
        What is on the screen until `hand_over`; None where nothing is.
    """
    painted = _painted(words) if has_terminal() else None
    try:
        yield painted
    finally:
        if painted is not None:
            painted.close()


class Opening:
    """The picture while it stands; what is said on standard error meanwhile waits.

    Args:
        picture: What is painted.

    Attributes:
        endings: What signals do, for who paints next.
    """

    def __init__(self, picture: str) -> None:
        self._stderr, self._said = sys.stderr, io.StringIO()
        self.endings = Endings()
        self.endings.say_first(self._said.getvalue)
        sys.stderr = self._said
        self._stands = True
        _write(picture)

    def hand_over(self) -> None:
        """Leaves the alternate screen to who paints next, or goes back to say what waited."""
        self._give_back(back=bool(self._said.getvalue()))

    def close(self) -> None:
        """Goes back to the terminal's own screen, unless it was handed over."""
        stood = self._stands
        self._give_back(back=True)
        if stood:
            self.endings.over()

    def _give_back(self, back: bool) -> None:
        if not self._stands:
            return
        self._stands = False
        sys.stderr = self._stderr
        if back:
            _write(_LEAVE)
        if said := self._said.getvalue():
            print(said, end="", file=sys.stderr)


def _painted(words: Sequence[str]) -> Opening | None:
    if not words or any(flag.startswith(word) for word in words for flag in _ELSEWHERE):
        return None
    try:
        picture = _picture(words[0], *os.get_terminal_size(sys.stdout.fileno()))
    except (OSError, ValueError):  # whatever is wrong with it is said later, and better
        return None
    return Opening(picture)


def _picture(path: str, columns: int, rows: int) -> str:
    """The end of the log below its name.

    Raises:
        OSError: It cannot be read.
        ValueError: It is no file, or no text.
    """
    found = os.stat(path)  # noqa: PTH116 (pathlib costs a third of the way to this picture)
    if not stat.S_ISREG(found.st_mode):  # to open and close a FIFO would end its writer
        raise ValueError(path)
    with open(path, "rb") as log:  # noqa: PTH123 (see above)
        log.seek(max(0, found.st_size - _TAIL))
        tail = log.read(_TAIL)
    if b"\0" in tail:
        raise ValueError(path)
    columns, rows = columns or 80, rows or 24  # a terminal may not know
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
