"""What reads many logs: the interface of an engine, and what its implementations share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeAlias

from sixdim.tui.base.log_name import named
from sixdim.tui.batch.logset import Figures, Job

DIED = "whoever read it died: too little memory?"


Note: TypeAlias = Callable[[str], None]
"""Tells the person who waits something."""


class Engine(Protocol):
    """Reads many logs."""

    def find(self, roots: Sequence[str]) -> list[str]:
        """The logs that are meant, in the order of their names.

        Raises:
            UserError: A path is not there, or not for this engine.
        """

    def read(self, jobs: Sequence[Job], note: Note) -> Iterator[tuple[int, Figures]]:
        """Reads each log once; gives its place among the jobs, as they are done.

        A log that cannot be read, or that kills whoever reads it, has that for an error.

        Raises:
            UserError: The engine itself fails.
        """


def died(job: Job) -> Figures:
    """What is known of a log that kills whoever reads it."""
    return Figures(job.path, None, DIED, {}, named(job.path))
