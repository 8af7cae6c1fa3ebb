"""The dialog that explains one figure, with the lines of the log it was computed from."""

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


def detail_rows(explanation: Explanation, found: Found | None, width: int) -> list[Row]:
    """Returns title, facts, and the lines of the log once they are found."""
    rows: list[Row] = [[Span(explanation.title, Role.TITLE)], ()]
    names = max(NAMES, *(cells_of(name) + 2 for name, _ in explanation.facts), 0)
    for name, text in explanation.facts:
        rows += hanging(Span(name.ljust(names), Role.DIM), text, max(10, width - names), 6)
    if explanation.lines or explanation.missing:
        rows.append(())
    if explanation.lines and found is None:
        rows.append([Span("reading the log …", Role.DIM)])
    elif explanation.lines and not found:
        rows.append([Span("the log no longer holds these lines", Role.WARN)])
    gutter = len(str(explanation.lines[-1])) if explanation.lines else 0
    before = None
    for number, text in found or ():
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
        self._found: Found | None = None
        self._rows = WholeRows(lambda width: detail_rows(explanation, self._found, width))

    def compose(self) -> ComposeResult:
        """Yields the rows in a container that scrolls."""
        yield VerticalScroll(self._rows)

    def on_mount(self) -> None:
        """Begins to read the lines of the log."""
        if self._explanation.lines:
            self.run_worker(self._read, thread=True)

    def _read(self) -> None:
        self._found = self._fetch(self._explanation.lines)
        self.app.call_from_thread(self._rows.refresh, layout=True)

    def action_copy(self) -> None:
        """Copies what is displayed to the clipboard."""
        self._copy(self._explanation.text(self._found or ()))
