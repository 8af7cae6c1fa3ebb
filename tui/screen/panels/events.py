"""The list of events: notes of the run and warnings of the card, the newest at the bottom."""

from collections import deque
from collections.abc import Iterable

from sixdim.metrics.card.snapshot import Note, Snapshot
from sixdim.tui.screen.panels.base import Panel
from sixdim.tui.screen.widgets.cells import Row, Span, hanging
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.session.live.alerts import GOOD
from sixdim.tui.session.live.feed import Frame

MOST_SEEN = 100


def entries(snapshot: Snapshot, seen: tuple[Note, ...]) -> list[Note]:
    """Returns the warnings that no note has, then the notes by line."""
    noted = {(note.kind, note.text) for note in snapshot.notes}
    warnings = [
        Note(warning.kind, warning.text, warning.lines[0] if warning.lines else 0)
        for warning in snapshot.card.warnings
        if (warning.kind, warning.text) not in noted
    ]
    return [*warnings, *sorted((*snapshot.notes, *seen), key=lambda note: note.line)]


def event_rows(snapshot: Snapshot, seen: tuple[Note, ...], width: int, height: int) -> list[Row]:
    """Returns the newest entries that fit, each with its line of the log."""
    rows: list[Row] = []
    for kind, text, line in reversed(entries(snapshot, seen)):
        good = kind in GOOD
        mark = Span("+ " if good else "! ", Role.GOOD if good else Role.WARN)
        where = f" (line {line})" if line else ""
        block = hanging(mark, text + where, width - 2, 3)
        if len(rows) + len(block) > height:
            rows = rows or block[:height]
            break
        rows = [*block, *rows]
    return rows or [[Span("nothing to report", Role.DIM)]]


class EventsPanel(Panel):
    """The list of events."""

    NAME = "Events"

    def __init__(self) -> None:
        super().__init__()
        self._seen: deque[tuple[object, Note]] = deque(maxlen=MOST_SEEN)

    def add(self, frame: Frame, notes: Iterable[Note]) -> None:
        """Adds events of a frame's log that are not in the log itself: silence, lost devices."""
        self._seen.extend((frame.log, note) for note in notes)
        self.repaint()

    def facts(self, frame: Frame) -> object:
        """Returns which log it is, its notes and warnings."""
        return (frame.log, frame.snapshot.notes, frame.snapshot.card.warnings)

    def body(self, frame: Frame, width: int, height: int) -> list[Row]:
        """Returns the newest entries."""
        seen = tuple(note for log, note in self._seen if log == frame.log)
        return event_rows(frame.snapshot, seen, width, height)
