"""Handlers of the signals that end a screen; each restores the terminal.

This module imports little, because it is loaded before the first picture is painted.
"""

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
"""Signals that would end the program without restoring the terminal."""
_DRIVERS = (signal.SIGTSTP, signal.SIGCONT, signal.SIGWINCH)
"""Signals that the screen's driver handles, for ever if nobody restores their handlers."""
_MODES = (1000, 1002, 1003, 1006, 1015, 1016, 1004, 2004, 2026, 2048)
"""Modes that Textual sets: mouse, focus, paste, synchronised output, and size reports."""
SANE = (
    "".join(f"\x1b[?{mode}l" for mode in _MODES)
    + "\x1b[<u\x1b[?7h\x1b[0m\x1b[?25h\x1b[?1049l"  # keys, long lines, colours, cursor, screen
)


class SignalHandlers:
    """Handles signals while the screen is displayed.

    Unless it is deferred, a signal restores the terminal and ends the program at once; so does a
    second signal at any time.

    Attributes:
        received: The first signal received; 0 if none was.
        message: Returns what is written to standard error when a signal ends the program at once.
        deferred: Whether signals are left to the function that `end_with` sets: the screen is being
            built.
    """

    def __init__(self) -> None:
        self.received = 0
        self.message: Callable[[], str] = str
        self.deferred = False
        self._end: Callable[[int], object] | None = None
        self._attributes: list[Any] | None = None  # none if standard input is no terminal
        with suppress(termios.error):
            self._attributes = termios.tcgetattr(0)
        self._before = {number: signal.signal(number, self._receive) for number in ENDINGS}
        self._before |= {number: signal.getsignal(number) for number in _DRIVERS}
        self._pipe: tuple[int, int] | None = None

    def end_with(self, end: Callable[[int], object]) -> None:
        """Sets the function that a signal calls with its number; calls it if one was received."""
        self._end = end
        if self.received:
            end(self.received)

    def wake_loop(self, watch: Callable[[int, Callable[[], object]], object]) -> None:
        """Lets a signal wake the event loop, which may be about to sleep.

        Args:
            watch: Calls a function when a descriptor can be read (`loop.add_reader`).
        """
        reader, writer = self._pipe = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        watch(reader, lambda: os.read(reader, 64))

    def restore_handlers(self) -> None:
        """Restores the handlers that were set before; the terminal must be restored by then."""
        if self._pipe is not None:
            signal.set_wakeup_fd(-1)
            for descriptor in self._pipe:
                os.close(descriptor)
            self._pipe = None
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before = {}

    def _receive(self, number: int, frame: FrameType | None) -> None:
        first, self.received = not self.received, self.received or number
        if not first or not self.deferred:
            self._restore_terminal()
            os._exit(128 + number)
        if self._end is not None:
            self._end(number)

    def _restore_terminal(self) -> None:
        """Restores the terminal without buffered output, which the signal may have interrupted."""
        with suppress(OSError, ValueError, AttributeError):
            os.write(sys.__stdout__.fileno(), SANE.encode())  # type: ignore[union-attr]  # suppressed
        if self._attributes is not None:
            with suppress(OSError, termios.error):
                termios.tcsetattr(0, termios.TCSANOW, self._attributes)
        with suppress(OSError, ValueError, AttributeError):
            os.write(sys.__stderr__.fileno(), self.message().encode())  # type: ignore[union-attr]  # suppressed
