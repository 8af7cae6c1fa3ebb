"""The interface of an engine, which reads many logs, and what all engines share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeAlias

from sixdim.tui.base.log_name import named
from sixdim.tui.batch.log_figures import Figures, Job

DIED = "whoever read it died: too little memory?"


Note: TypeAlias = Callable[[str], None]
"""Prints a message for the user."""


class Engine(Protocol):
    """Reads many logs."""

    def find(self, roots: Sequence[str]) -> list[str]:
        """Returns the logs below the paths, ordered by name.

        Raises:
            UserError: A path does not exist, or cannot be read by this engine.
        """

    def read(self, jobs: Sequence[Job], note: Note) -> Iterator[tuple[int, Figures]]:
        """Reads each log once; yields its position among the jobs, in the order of completion.

        If a log cannot be read, or kills the process that reads it, its figures have an error.

        Raises:
            UserError: The engine itself fails.
        """


def died(job: Job) -> Figures:
    """Returns figures with only an error, for a log that kills the process that reads it."""
    return Figures(job.path, None, DIED, {}, named(job.path))
