"""Signals that end a screen: whenever one comes, the terminal is a terminal again.

Loads next to nothing: it is there before the first picture.
"""

from __future__ import annotations

import os
import signal
import sys
import termios
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

ENDINGS = (
    *(signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT),
    *(signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, signal.SIGXCPU),
)
"""Each would end the program without a word, and leave the terminal as it was painted."""
_MODES = (1000, 1002, 1003, 1006, 1015, 1016, 1004, 2004, 2026, 2048)
"""Mouse, focus, paste, painting at once, and news of its size: all that Textual asks for."""
SANE = (
    "".join(f"\x1b[?{mode}l" for mode in _MODES)
    + "\x1b[<u\x1b[?7h\x1b[0m\x1b[?25h\x1b[?1049l"  # keys, long lines, colours, cursor, screen
)


class Endings:
    """What signals do while the terminal is painted on.

    As long as nothing could end in an orderly way, a signal restores the terminal and ends the
    program at once; so does the second one.

    Attributes:
        came: The signal that came; 0 while none did.
    """

    def __init__(self) -> None:
        self.came = 0
        self._said: Callable[[], str] = str
        self._waits = False
        self._end: Callable[[int], object] | None = None
        self._attributes = _attributes()
        self._before = {number: signal.signal(number, self._come) for number in ENDINGS}
        self._pipe: tuple[int, int] | None = None

    def say_first(self, said: Callable[[], str]) -> None:
        """Sets what is written to standard error when a signal ends the program at once."""
        self._said = said

    def wait(self) -> None:
        """Leaves a signal to `end_with`: the screen is being built."""
        self._waits = True

    def end_with(self, end: Callable[[int], object]) -> None:
        """Sets what a signal calls, with its number; one that came already calls it now."""
        self._end = end
        if self.came:
            end(self.came)

    def wake(self, watch: Callable[[int, Callable[[], object]], object]) -> None:
        """Lets a signal wake the event loop, which may fall asleep just as it comes.

        Args:
            watch: Calls a function where a descriptor has something to read (`loop.add_reader`).
        """
        reader, writer = self._pipe = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        watch(reader, lambda: os.read(reader, 64))

    def over(self) -> None:
        """The terminal is as it was: signals do again what they did before."""
        if self._pipe is not None:
            signal.set_wakeup_fd(-1)
            for descriptor in self._pipe:
                os.close(descriptor)
            self._pipe = None
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before = {}

    def _come(self, number: int, frame: FrameType | None) -> None:
        first, self.came = not self.came, self.came or number
        if not first or not self._waits:
            self._restore()
            os._exit(128 + number)
        if self._end is not None:
            self._end(number)

    def _restore(self) -> None:
        """Writes past all buffers: one of them may be what the signal interrupted."""
        with suppress(OSError, ValueError, AttributeError):
            os.write(sys.__stdout__.fileno(), SANE.encode())  # type: ignore[union-attr]  # suppressed
        if self._attributes is not None:
            with suppress(OSError, termios.error):
                termios.tcsetattr(0, termios.TCSANOW, self._attributes)
        with suppress(OSError, ValueError, AttributeError):
            os.write(sys.__stderr__.fileno(), self._said().encode())  # type: ignore[union-attr]  # suppressed


def _attributes() -> list[Any] | None:
    """How the terminal reads keys; None where there is none."""
    try:
        return termios.tcgetattr(0)
    except termios.error:
        return None
