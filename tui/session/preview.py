"""Computes figures of a log whose format is undecided; they are displayed and never stored."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from sixdim.metrics.fold.runs.log_fold import LogFold
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.detection import Detection
from sixdim.parsers.events import Event
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.statements.troubles import Troubles


class VisibleFold(NamedTuple):
    """The fold that a screen shows: the session's own fold, or that of a preview.

    Attributes:
        fold: All runs of the log.
        run: The run that is displayed.
        detection: The format that reads the log; None if none was chosen.
        previewed: Whether the fold is that of a preview.
    """

    fold: LogFold
    run: Run
    detection: Detection | None
    previewed: bool = False


class Preview:
    """Folds the lines held back, as the format reads them that leads so far.

    When another format takes the lead, it reads all these lines again. The fold has no target, so
    that nothing in it freezes. The session's own fold, which cards and commands use, stays empty.

    Args:
        settings: The settings of the session's own fold.

    Attributes:
        fold: The runs of these lines; no run has started while no format knows any line.
        detection: The leading format and the others; its name is empty while no format leads.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._reader: Interpreter | None = None
        self._troubles = Troubles()
        self._lines = 0
        self._inferred = 0
        self._advanced: tuple[int, int] | None = None
        self.detection = Detection("", False, ())
        self.fold = self._empty()

    def visible(self, log: Interpreter) -> VisibleFold:
        """Returns the fold of all lines that the interpreter of the log holds back now."""
        state = log.lines, log.inferred
        if state != self._advanced:
            self._advanced = state
            self._advance(log)
        return VisibleFold(self.fold, self.fold.chosen(), self.detection, previewed=True)

    def _advance(self, log: Interpreter) -> None:
        """Folds the lines that the interpreter has received since the last call."""
        ranked = log.candidates()
        name = ranked[0].name if ranked else ""
        if (name, log.inferred) != (self.detection.name, self._inferred):
            self._inferred = log.inferred
            self.fold, self._lines = self._empty(), 0
            self._reader = log.reading_as(name) if name else None
        self.detection = Detection(name, False, tuple(ranked), provisional=True)
        for event in self._new_events(log):
            self.fold.apply(event)

    def _new_events(self, log: Interpreter) -> Iterator[Event]:
        held = log.held
        new = islice(held, max(0, len(held) - (log.lines - self._lines)), None)
        self._lines = log.lines
        if self._reader is not None:
            yield from self._reader.reread(new)
            return
        for line in new:
            problem = self._troubles.look(line)
            if problem is not None:
                yield problem

    def _empty(self) -> LogFold:
        return LogFold(self._settings._replace(target=None, run=None), curves=True)
