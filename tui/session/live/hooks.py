"""Runs a command of the user at an event: `--on converged='command'`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sixdim.metrics.values.nearest import did_you_mean
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.session.live.alerts import EVENTS, begun
from sixdim.tui.session.live.feed import Frame

Run = Callable[[list[str], Mapping[str, str]], None]


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


def launch(command: list[str], environment: Mapping[str, str]) -> None:
    """Starts a command in a session of its own, without input and output."""
    import subprocess  # few runs have commands

    subprocess.Popen(
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
    """

    commands: Mapping[str, str]
    log: str
    card_path: str
    export: Callable[[], object]
    run: Run = launch
    _before: Frame | None = None

    def look(self, frame: Frame) -> str:
        """Runs the commands of events that begin with this frame; returns an error, if any."""
        if frame.catching_up is not None:
            return ""
        before, self._before = self._before, frame
        for event in begun(before, frame):
            try:
                if event in self.commands:
                    self._start(event)
            except (UserError, OSError) as error:
                return f"--on {event}: {label(error)}"
        return ""

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
        self.run(command, environment)
