"""Stores readings of a log whose format is provisional; another format may change their epochs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sixdim.parsers.reading import RUN_GONE

if TYPE_CHECKING:
    from sixdim.parsers.reading import Reading
    from sixdim.tui.session.session import Session

MOST = 20_000
"""Most readings that are stored; the format of a log is chosen long before."""


class ProvisionalReadings:
    """The readings of one session whose epochs may change, oldest first."""

    def __init__(self) -> None:
        # Each with the number of the log's last line when it was made.
        self._readings: list[tuple[int, Reading]] = []
        self._read_as: object = None

    def add(self, session: Session, readings: list[Reading]) -> None:
        """Stores readings that were stamped with the current epoch of the session."""
        if session.interpreter.detection is None and len(self._readings) < MOST:
            line = session.interpreter.lines
            self._readings += [(line, reading) for reading in readings]

    def restamped(self, session: Session) -> list[Reading]:
        """Returns all stored readings with their epochs by the present format; empty if unchanged.

        Once the format is chosen, they are no longer stored.
        """
        if not self._readings or session.read_as == self._read_as:
            return []
        self._read_as = session.read_as
        before, after = self._readings, [*self._stamped(session)]
        final = session.interpreter.detection is not None
        self._readings = [] if final else after
        return [reading for _, reading in after] if after != before else []

    def _stamped(self, session: Session) -> Iterator[tuple[int, Reading]]:
        run = session.visible_run
        begun = [*zip(run.epochs.column("first_line"), run.epochs, strict=True)]
        ends = [one.at.line for one in (run.end, run.freeze.met) if one is not None]
        for line, reading in self._readings:
            label = next((label for first, label in reversed(begun) if first <= line), None)
            over = any(end <= line for end in ends) or RUN_GONE in reading.missing
            yield line, reading._replace(epoch=None if over else label)
