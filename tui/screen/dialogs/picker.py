"""The dialog that chooses the series of a chart."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from sixdim.metrics.values.series import SeriesView
from sixdim.tui.screen.dialogs.live_dialog import LiveDialog
from sixdim.tui.screen.panels.base import box
from sixdim.tui.screen.panels.charts.series_plot import value_text
from sixdim.tui.screen.widgets.cells import CellPanel, Row, Span
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.text import cells_of, shorten
from sixdim.tui.session.live.feed import Frame

HINT = "type to filter, space marks several, enter shows, Esc leaves"


def matching(views: Sequence[SeriesView], typed: str) -> list[SeriesView]:
    """Returns the series whose name or kind contains a text; `lr` is a learning rate."""
    wanted = typed.lower()
    return [view for view in views if any(wanted in text for text in _texts(view))]


def _texts(view: SeriesView) -> tuple[str, str, str]:
    return view.name.lower(), str(view.kind), "".join(word[0] for word in view.kind.split())


def entry(view: SeriesView, marked: bool, width: int) -> Row:
    """Returns the row of a series: its mark, name, kind, number of values and newest value."""
    latest, count = value_text(view.latest, view.unit), f"{view.count:,}"
    name = max(12, width - 46)
    text = shorten(view.name, name)
    return [
        Span("● " if marked else "  ", Role.GOOD),
        Span(text + " " * (name - cells_of(text))),
        Span(f" {view.kind:<14}", Role.DIM),
        Span(f"{count:>11}", Role.DIM),
        Span(f"{shorten(latest, 17):>18}", Role.STRONG),
    ]


class PickerRows(CellPanel):
    """The list of series, below the typed text."""

    def __init__(self, views: Sequence[SeriesView], title: str, chosen: Sequence[str]) -> None:
        super().__init__()
        self._views = views
        self._title = title
        self.typed = ""
        self.marked = [name for name in chosen if any(view.name == name for view in views)]
        self.place = 0
        self._by_hand = False
        self._marks_count = True
        """Whether the marked series are the answer, and not the current entry."""

    def _names(self) -> list[str]:
        """Returns the names of the listed entries; the first, without one, is the default plot."""
        return ["", *(view.name for view in matching(self._views, self.typed))]

    def show(self, views: Sequence[SeriesView]) -> None:
        """Shows the series as they are now; the current entry stays the current one."""
        before = self._names()
        self._views = views
        names, current = self._names(), before[self.place]
        if len(before) == 1:
            self.place = self._first_of_typed()
        else:
            self.place = names.index(current) if current in names else 0
        self.repaint()

    def _first_of_typed(self) -> int:
        """Returns the place of the first series with the typed text; 0 if nothing is typed."""
        return min(1 if self.typed else 0, len(self._names()) - 1)

    def move(self, step: int) -> None:
        """Moves to another entry."""
        self._leave()
        self.place = max(0, min(self.place + step, len(self._names()) - 1))
        self.repaint()

    def type(self, text: str) -> None:
        """Filters the series by a text; the first one becomes the current entry."""
        self._leave()
        self.typed = text
        self.place = self._first_of_typed()
        self.repaint()

    def mark(self) -> None:
        """Marks the current series, or removes its mark."""
        name = self._names()[self.place]
        if name in self.marked:
            self.marked.remove(name)
        elif self.place:
            self.marked.append(name)
        self._by_hand = True
        self.move(1)

    def _leave(self) -> None:
        """Makes the current entry the answer, unless series were marked by a key."""
        self._marks_count = self._by_hand

    def answer(self) -> tuple[str, ...]:
        """Returns the marked series, else the current one; none for the default plot.

        Marks of what the chart shows already count until a key is typed or another entry is chosen.
        """
        if self.marked and self._marks_count:
            return tuple(self.marked)
        return (self._names()[self.place],) if self.place else ()

    def paint(self, width: int, height: int) -> Sequence[Row]:
        """Returns the typed text, and the entries that fit, with the current one."""
        inner, free = width - 4, height - 4
        found = matching(self._views, self.typed)
        rows: list[Row] = [[Span("  the chart's usual series", Role.DIM)]]
        rows += [entry(view, view.name in self.marked, inner) for view in found]
        first = max(0, min(self.place - free // 2, len(rows) - free))
        visible = [
            [Span(span.text, Role.MATCH) for span in row] if first + n == self.place else row
            for n, row in enumerate(rows[first : first + free])
        ]
        asked = [Span("series: ", Role.KEY), Span(self.typed + "▏"), Span(f"   {HINT}", Role.DIM)]
        note = f"{len(found)} of {len(self._views)}"
        return box([asked, (), *visible], self._title, note, width, height, focused=True)


class Picker(LiveDialog[tuple[str, ...] | None]):
    """Asks for series; Esc answers None, and an empty answer is the default plot."""

    DEFAULT_CSS = """
    Picker { align: center middle; background: $background; }
    Picker PickerRows { width: 100; max-width: 100%; height: 100%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", show=False),
        Binding("enter", "answer", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "move(-10)", show=False),
        Binding("pagedown", "move(10)", show=False),
    ]

    def __init__(self, views: Sequence[SeriesView], title: str, chosen: Sequence[str]) -> None:
        super().__init__()
        self._rows = PickerRows(views, title, chosen)

    def compose(self) -> ComposeResult:
        """Yields the list."""
        yield self._rows

    def show(self, frame: Frame) -> None:
        """As `LiveDialog.show`."""
        self._rows.show(frame.snapshot.series)

    def action_move(self, step: int) -> None:
        """Moves to another entry."""
        self._rows.move(step)

    def action_answer(self) -> None:
        """Answers with the marked series, else the current one."""
        self.dismiss(self._rows.answer())

    def on_key(self, event: events.Key) -> None:
        """Filters by typed characters; a blank marks."""
        if event.key == "backspace":
            self._rows.type(self._rows.typed[:-1])
        elif event.key == "space":
            self._rows.mark()
        elif event.is_printable and event.character:
            self._rows.type(self._rows.typed + event.character)
        else:
            return
        event.stop()
