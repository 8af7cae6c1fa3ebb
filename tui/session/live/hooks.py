"""Runs a command of the user at an event: `--on converged='command'`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sixdim.metrics.values.nearest import did_you_mean
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.session.live.alerts import EVENTS, begun
from sixdim.tui.session.live.feed import Frame

if TYPE_CHECKING:
    import subprocess

WAIT_S = 1.0
"""Seconds that the end of a watch waits for commands, to learn whether they fail."""
Run = Callable[[list[str], Mapping[str, str]], "subprocess.Popen[bytes]"]


def parse_hooks(flags: list[str]) -> dict[str, str]:
    """Reads `EVENT=COMMAND` flags.

    Raises:
        UserError: An event is unknown, given twice, or has no command.
    """
    commands: dict[str, str] = {}
    for flag in flags:
        event, equals, command = flag.partition("=")
        if event not in EVENTS or not equals or not command.strip():
            raise UserError(f"--on {label(flag, 40)!r} is not EVENT=COMMAND; {_meant(event)}")
        if event in commands:
            raise UserError(f"--on {event} is given twice: join the commands with ;")
        commands[event] = command
    return commands


def _meant(event: str) -> str:
    """Returns what a mistyped event may mean, or the list of events."""
    there_are = f"there are {', '.join(EVENTS)}"
    return there_are if event in EVENTS else did_you_mean(event, EVENTS, there_are)


def launch(command: list[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Starts a command in a session of its own, without input and output."""
    import subprocess  # few runs have commands

    return subprocess.Popen(
        command,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


@dataclass
class Hooks:
    """Runs the commands of `--on` when their event begins in the frames of a log.

    The shell gets the command unchanged. Untrusted text (the paths of the card and the log) is not
    part of it: it is in `$1` and in environment variables.

    Attributes:
        commands: Command by event.
        log: The log's path.
        card_path: Where `export` writes the card.
        export: Writes the card, so that the command finds it.
        run: Starts a process from its arguments and environment.
        failures: What went wrong so far, one sentence for each command.
    """

    commands: Mapping[str, str]
    log: str
    card_path: str
    export: Callable[[], object]
    run: Run = launch
    failures: list[str] = field(default_factory=list)
    _before: Frame | None = None
    _running: list[tuple[str, subprocess.Popen[bytes]]] = field(default_factory=list)
    _returned: int = 0

    def look(self, frame: Frame) -> None:
        """Runs the commands of events that begin with this frame."""
        if frame.catching_up is not None:
            return
        before, self._before = self._before, frame
        for event in begun(before, frame):
            try:
                if event in self.commands:
                    self._start(event)
            except (UserError, OSError) as error:
                self._fail(event, label(error))

    def news(self) -> str:
        """Returns the next failure that this has not returned before; empty if there is none."""
        self._note_ends()
        new = self.failures[self._returned : self._returned + 1]
        self._returned += len(new)
        return "".join(new)

    def wait(self, until: float) -> None:
        """Waits for the commands that run, until a moment of the monotonic clock at most."""
        self._note_ends()
        while self._running and time.monotonic() < until:
            time.sleep(0.01)
            self._note_ends()

    def _note_ends(self) -> None:
        running, self._running = self._running, []
        for event, process in running:
            code = process.poll()
            if code is None:
                self._running.append((event, process))
            elif code:
                self._fail(event, f"{_how(code)}; append >notify.log 2>&1 to it to see why")

    def _fail(self, event: str, what: str) -> None:
        text = f"--on {event}: {what}"
        if text not in self.failures:
            self.failures.append(text)

    def _start(self, event: str) -> None:
        self.export()
        card_path = str(Path(self.card_path).absolute())
        environment = {
            **os.environ,
            "SIXDIM_EVENT": event,
            "SIXDIM_CARD": card_path,
            "SIXDIM_LOG": str(Path(self.log).absolute()),
        }
        command = ["/bin/sh", "-c", self.commands[event], "sixdim", card_path]
        self._running.append((event, self.run(command, environment)))


def print_failures(hooks: Iterable[Hooks], printed: set[str]) -> None:
    """Prints which commands have failed, one line each, except for those in `printed`."""
    until = time.monotonic() + WAIT_S
    for one in hooks:
        one.wait(until)
        for failure in one.failures:
            if failure not in printed:
                printed.add(failure)
                print(f"sixdim: {failure}", file=sys.stderr)


def _how(code: int) -> str:
    """Returns how a command ended, from the code that `Popen.poll` gives."""
    if code > 0:
        return f"exit status {code}"
    import signal

    names = {int(one): one.name for one in signal.Signals}
    return f"ended by {names.get(-code, f'signal {-code}')}"
