"""The dialog that explains one figure, with the lines of the log it was computed from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen

from sixdim.tui.screen.dialogs.explain import Explanation
from sixdim.tui.screen.widgets.cells import Row, Span, WholeRows, hanging
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.text import cells_of

NAMES = 16
"""Least cells of the column of names."""

Found = tuple[tuple[int, str], ...]


class DetailRows(WholeRows):
    """The explanation, and the lines of the log once they are read."""

    def __init__(self, explanation: Explanation) -> None:
        super().__init__()
        self._explanation = explanation
        self.found: Found | None = None

    def show(self, found: Found) -> None:
        """Shows the lines of the log."""
        self.found = found
        self.refresh(layout=True)

    def rows(self, width: int) -> list[Row]:
        """Returns title, facts and lines."""
        explanation = self._explanation
        rows: list[Row] = [[Span(explanation.title, Role.TITLE)], ()]
        names = max(NAMES, *(cells_of(name) + 2 for name, _ in explanation.facts), 0)
        for name, text in explanation.facts:
            head = Span(name.ljust(names), Role.DIM)
            rows += hanging(head, text, max(10, width - names), 6)
        if explanation.lines or explanation.missing:
            rows.append(())
        return [*rows, *self._lines(width)]

    def _lines(self, width: int) -> list[Row]:
        explanation = self._explanation
        rows: list[Row] = []
        if explanation.lines and self.found is None:
            rows.append([Span("reading the log …", Role.DIM)])
        elif explanation.lines and not self.found:
            rows.append([Span("the log no longer holds these lines", Role.WARN)])
        gutter = len(str(explanation.lines[-1])) if explanation.lines else 0
        before = None
        for number, text in self.found or ():
            if before is not None and number > before + 1 and number - 1 in explanation.lines:
                rows.append([Span("…", Role.DIM)])
            before = number
            head = Span(f"{number:>{gutter}}  ", Role.DIM)
            rows += hanging(head, text, max(10, width - gutter - 2), 4)
        if explanation.missing:
            rows.append([Span(explanation.missing, Role.DIM)])
        return rows


class Detail(ModalScreen[None]):
    """How a figure was computed; Esc, q, enter or space closes it.

    Args:
        explanation: What is displayed at once.
        fetch: Reads the log's lines, off the UI thread.
        copy: Copies a text to the clipboard.
    """

    DEFAULT_CSS = """
    Detail { align: center middle; background: $background; }
    Detail VerticalScroll { width: 100%; height: 100%; padding: 1 2; scrollbar-size-vertical: 1; }
    """
    AUTO_FOCUS = "VerticalScroll"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,space", "dismiss(None)", show=False),
        Binding("y", "copy", show=False),
    ]

    def __init__(
        self,
        explanation: Explanation,
        fetch: Callable[[Sequence[int]], Found],
        copy: Callable[[str], None],
    ) -> None:
        super().__init__()
        self._explanation = explanation
        self._fetch = fetch
        self._copy = copy
        self._rows = DetailRows(explanation)

    def compose(self) -> ComposeResult:
        """Yields the rows in a container that scrolls."""
        yield VerticalScroll(self._rows)

    def on_mount(self) -> None:
        """Begins to read the lines of the log."""
        if self._explanation.lines:
            self.run_worker(self._read, thread=True)

    def _read(self) -> None:
        found = self._fetch(self._explanation.lines)
        self.app.call_from_thread(self._rows.show, found)

    def action_copy(self) -> None:
        """Copies what is displayed to the clipboard."""
        self._copy(self._explanation.text(self._rows.found or ()))
