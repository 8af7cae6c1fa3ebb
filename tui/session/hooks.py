"""`--on converged='command'`: runs a command of the user's own when something happens."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from sixdim.metrics.values.nearest import did_you_mean
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.session.alerts import EVENTS, begun
from sixdim.tui.session.feed import Frame
from sixdim.tui.session.gpus import Gpus
from sixdim.tui.session.monitor import KEEP_LINES, Clock, LiveFeed
from sixdim.tui.session.options import Request

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
    """Starts a command that survives the screen and cannot write to it."""
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

    The shell gets the command unchanged. Foreign text (the paths of the card and the log) is never
    part of it: it is in `$1` and in environment variables.

    Attributes:
        commands: Command by event.
        log: The log's path.
        card_path: Where `export` writes the card.
        export: Writes the card, so that the command finds it.
        run: Starts a process.
    """

    commands: Mapping[str, str]
    log: str
    card_path: str
    export: Callable[[], object]
    run: Run = launch
    _before: Frame | None = None

    def look(self, frame: Frame) -> str:
        """Runs the commands of what began with this frame; says what could not be run."""
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
        environment = {
            **os.environ,
            "SIXDIM_EVENT": event,
            "SIXDIM_CARD": self.card_path,
            "SIXDIM_LOG": self.log,
        }
        command = ["/bin/sh", "-c", self.commands[event], "sixdim", self.card_path]
        self.run(command, environment)


class HookedFeed(LiveFeed):
    """A live feed whose frames pass by the hooks.

    Attributes:
        latest: The newest frame; None before the first.
    """

    def __init__(
        self,
        path: str,
        request: Request,
        clock: Clock,
        gpus: Gpus,
        json_path: str | None = None,
        events: bool = True,
        stdin: int = 0,
        keep: int = KEEP_LINES,
        *,
        commands: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(path, request, clock, gpus, json_path, events, stdin, keep)
        where = str(Path(path).absolute()), str(Path(self.card_path).absolute())
        self.latest: Frame | None = None
        self._hooks = Hooks(commands or {}, *where, self.export)

    def start(self, publish: Callable[[Frame], None]) -> None:
        """See `Feed.start`."""

        def take(frame: Frame) -> None:
            said = self._hooks.look(frame)
            self.latest = replace(frame, message=said) if said else frame
            publish(self.latest)

        super().start(take)
