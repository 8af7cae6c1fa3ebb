"""Textual's drivers, changed to sleep until a key is pressed and to write to standard output.

Textual's own driver wakes ten times a second to see whether it should end, and whether an escape
was a key of its own. Here a pipe wakes it at the end, and it polls only after an escape.
"""

from __future__ import annotations

import os
import selectors
import sys
import termios
from codecs import getincrementaldecoder
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from textual._parser import ParseError
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.drivers.linux_inline_driver import LinuxInlineDriver
from textual.messages import ExitApp

if TYPE_CHECKING:
    from textual.app import App

TICK = 0.1
"""Seconds between two polls while an escape may be the beginning of a sequence."""
_MOST = 4096


class InlineDriver(LinuxInlineDriver):
    """Textual's driver for a screen below the prompt; it writes to standard output."""

    def __init__(self, app: App[Any], **given: Any) -> None:
        super().__init__(app, **given)
        self._file = sys.__stdout__


class KeyboardDriver(LinuxDriver):
    """Textual's driver, which sleeps until a key is pressed or the app ends.

    It also survives a SIGCONT without a SIGTSTP before it. Textual's starts a second thread for
    the keys then, and waits at the end for one that never wakes.
    """

    def __init__(self, app: App[Any], **given: Any) -> None:
        super().__init__(app, **given)
        self._file = sys.__stdout__  # standard error may be a file
        self._at_terminal = os.isatty(self.fileno)
        self._ended, self._end = os.pipe()  # for good: a driver may be stopped and started again
        self._attributes: list[Any] | None = None  # of the terminal, while the screen is on it

    def start_application_mode(self) -> None:
        """Prepares the terminal, and begins to read the keys."""
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual
        with suppress(termios.error):  # no terminal
            self._attributes = termios.tcgetattr(self.fileno)

    def stop_application_mode(self) -> None:
        """Stops to read the keys, and restores the terminal."""
        self._attributes = None
        super().stop_application_mode()

    def _sigcont_application(self, *_given: object) -> None:
        """Goes on after a stop: of SIGTSTP, which left the screen, or of SIGSTOP, which did not.

        Nothing may have been stopped, too: systemd sends SIGCONT right after SIGTERM.
        """
        if self._must_signal_resume:
            super()._sigcont_application()
        elif self._attributes is not None:
            with suppress(termios.error):  # the shell may have changed them meanwhile
                termios.tcsetattr(self.fileno, termios.TCSANOW, self._attributes)
            with suppress(RuntimeError):  # the app has ended already
                self.send_message(self.SignalResume())

    def disable_input(self) -> None:
        """Ends the thread that reads the keys."""
        os.write(self._end, b"\0")
        super().disable_input()
        os.read(self._ended, 1)

    def _read_keys(self) -> bytes:
        """Returns what was typed; at the end of input nothing, and ends the app at a terminal."""
        try:
            data = os.read(self.fileno, _MOST)
        except OSError:  # the terminal was closed, and SIGHUP was ignored
            data = b""
        if not data and self._at_terminal and not self.exit_event.is_set():
            with suppress(RuntimeError):  # the app has ended already
                self.send_message(ExitApp())
        return data

    def run_input_thread(self) -> None:
        """Passes on the keys until the end."""
        decode = getincrementaldecoder("utf-8")("replace").decode
        parser = XTermParser(self._debug)
        with selectors.DefaultSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            selector.register(self._ended, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                ready = selector.select(None if parser._timeout_time is None else TICK)
                if any(key.fd == self.fileno for key, _ in ready):
                    data = self._read_keys()
                    if not data:
                        break
                    for event in parser.feed(decode(data)):
                        self.process_message(event)
                for event in parser.tick():
                    self.process_message(event)
        try:
            for _ in parser.feed(""):
                pass
        except (EOFError, ParseError):
            pass
