"""A panel: a box with a title around rows that are a pure function of the frame and the size."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events

from sixdim.tui.screen.widgets.cells import CellPanel, Row, Span, crop_row, row_width
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.text import cells_of, plain, shorten
from sixdim.tui.session.live.feed import Frame

THIN = tuple("┌─┐│└┘")
THICK = tuple("┏━┓┃┗┛")
"""The focused panel's frame: a shape, not only a colour."""


def box(
    rows: Sequence[Row], title: str, note: str, width: int, height: int, focused: bool
) -> list[Row]:
    """Draws a frame around rows, with a note at the right of its top edge."""
    top_left, across, top_right, side, bottom_left, bottom_right = THICK if focused else THIN
    frame = Role.FOCUS if focused else Role.FRAME
    inner = width - 2
    title = shorten(title, inner - 4)
    note = note if cells_of(title) + cells_of(note) + 6 <= inner else ""
    used = cells_of(title) + 2 + (cells_of(note) + 3 if note else 0)
    top: list[Span] = [
        Span(f"{top_left}{across}", frame),
        Span(f" {title} ", Role.TITLE),
        Span(across * max(0, inner - used - 1), frame),
    ]
    if note:
        top += [Span(f" {note} ", Role.DIM), Span(across, frame)]
    top.append(Span(top_right, frame))
    framed: list[Row] = [top]
    for number in range(height - 2):
        row = rows[number] if number < len(rows) else ()
        framed.append([Span(side, frame), *_exactly(row, inner), Span(side, frame)])
    framed.append([Span(bottom_left + across * inner + bottom_right, frame)])
    return framed


def _exactly(row: Row, width: int) -> list[Span]:
    """Fits a row into `width` cells, with a blank left and right."""
    used = row_width(row)
    if used <= width - 2:
        return [Span(" "), *row, Span(" " * (width - 1 - used))]
    return [Span(" "), *crop_row(row, width - 2), Span(" ")]


class Panel(CellPanel, can_focus=True):
    """The base class of panels with a frame."""

    NAME: ClassVar[str] = ""
    """The name of the panel in one word, for the tabs; in lower case it is the id of the widget."""
    about = ""
    """The figure of the card that the panel is about; empty for the whole card."""

    def __init__(self) -> None:
        super().__init__(id=self.NAME.lower())
        self.frame: Frame | None = None

    def title(self, frame: Frame) -> str:
        """Returns the title of the box."""
        return self.NAME

    def note(self, frame: Frame) -> str:
        """Returns the note at the right of the title."""
        return ""

    def body(self, frame: Frame, width: int, height: int) -> Sequence[Row]:
        """Returns the rows inside the box."""
        raise NotImplementedError

    def facts(self, frame: Frame) -> object:
        """Returns the part of the frame that this panel displays; if equal, it is not repainted."""
        return frame.snapshot

    def show(self, frame: Frame) -> None:
        """Shows a frame."""
        before, self.frame = self.frame, frame
        if before is None or self.facts(before) != self.facts(frame):
            self.repaint()

    def paint(self, width: int, height: int) -> Sequence[Row]:
        """Returns the box with its rows."""
        frame = self.frame
        if frame is None or width < 8 or height < 3:
            return ()
        rows = self.body(frame, width - 4, height - 2)
        title, note = plain(self.title(frame)), plain(self.note(frame))
        return box(rows, title, note, width, height, self.has_focus)

    def turn_wheel(self, step: int, shift: bool) -> None:
        """Scrolls the panel back (-1) or on (1); `shift` says whether that key is held."""

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scrolls the panel, but not what is around it."""
        event.stop()
        self.turn_wheel(-1, event.shift)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scrolls the panel, but not what is around it."""
        event.stop()
        self.turn_wheel(1, event.shift)

    def watch_has_focus(self, has_focus: bool) -> None:
        """Repaints the frame, which is thick while the panel has the focus."""
        super().watch_has_focus(has_focus)
        self.repaint()
