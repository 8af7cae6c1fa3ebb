"""Standard output that may be read late: a pipe that nobody reads, a terminal after Ctrl-S."""

from __future__ import annotations

import select
import sys
import time
from collections.abc import Callable

LOOK_S = 0.5
"""Seconds between two looks at whether the output is to end."""
GRACE_S = 2.0
"""Seconds that a reader gets for the rest once the output is to end."""


class PatientOutput:
    """Prints texts one after the other, and waits for the reader; drops them if it has to end.

    Args:
        ending: Whether the command was asked to end, for example by a signal.
    """

    def __init__(self, ending: Callable[[], bool]) -> None:
        self._ending = ending
        self._until: float | None = None

    def print(self, text: str) -> None:
        """Prints a text and a newline once its reader is ready."""
        while not _ready():
            if self._ending():
                now = time.monotonic()
                self._until = self._until or now + GRACE_S
                if now >= self._until:
                    return
        print(text, flush=True)


def _ready() -> bool:
    """Waits for a moment; returns whether a text can be written without blocking."""
    try:
        return bool(select.select([], [sys.stdout.fileno()], [], LOOK_S)[1])
    except (OSError, ValueError):  # no descriptor, or one that cannot be asked
        return True
