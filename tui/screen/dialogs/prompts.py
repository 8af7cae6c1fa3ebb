"""The question of one line, and the dialog with the list of keys."""

from collections.abc import Callable
from functools import partial
from itertools import zip_longest
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, Label

from sixdim.tui.screen.panels.keys import help_rows
from sixdim.tui.screen.widgets.cells import Row, Span, WholeRows, hanging, row_width
from sixdim.tui.screen.widgets.palettes import Role

LONGEST_GROUP = 6
"""Most rows by which the first column is shorter, so that a group is not split."""


class Prompt(Horizontal):
    """Asks for one line in the place of the footer; Esc, or a focus elsewhere, ends it.

    Args:
        question: What is asked.
        answer: Gets what was typed.
        closed: Called when it ends, answered or not.
        integer: Whether only a whole number is an answer.
    """

    DEFAULT_CSS = """
    Prompt { dock: bottom; height: 1; background: $panel; }
    Prompt Label { width: auto; padding: 0 1; text-style: bold; color: $primary; }
    Prompt Input { width: 1fr; height: 1; padding: 0; background: $panel; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", show=False)]

    def __init__(
        self,
        question: str,
        answer: Callable[[str], None],
        closed: Callable[[], None],
        *,
        integer: bool = False,
    ) -> None:
        super().__init__()
        self._answer = answer
        self._done: Callable[[], None] | None = closed
        self._before: Widget | None = None
        self._input = Input(type="integer" if integer else "text", compact=True)
        self._input.cursor_blink = False  # blinking sends bytes all the time
        self._label = Label(f"{question}:", markup=False)

    def compose(self) -> ComposeResult:
        """Yields label and input."""
        yield self._label
        yield self._input

    def on_mount(self) -> None:
        """Focuses the input."""
        self._before = self.screen.focused
        self.screen.set_focus(self._input)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answers at Enter, unless the text is not the whole number that is asked for."""
        if event.validation_result is None or event.validation_result.is_valid:
            self.action_close()
            self._answer(event.value)

    def on_input_blurred(self) -> None:
        """Ends the question when another panel gets the focus, but not another window."""
        if self.app.app_focus:
            self._before = self.screen.focused
            self.action_close()

    def action_close(self) -> None:
        """Gives the focus back to the panel that had it."""
        if self._done is None:
            return
        done, self._done = self._done, None
        done()
        self.screen.set_focus(self._before)
        self.remove()


def key_rows(controls: frozenset[str], width: int) -> list[Row]:
    """Returns headings and keys, with what the keys do, in two columns if they fit."""
    lines: list[Row] = []
    for heading, keys in help_rows(controls):
        lines += [()] if lines else []
        lines.append([Span(heading, Role.TITLE)])
        for key in keys:
            symbol = Span(f"  {key.symbol:<6}", Role.KEY)
            lines += hanging(symbol, key.help, max(10, width - 8), 4)
    column = 2 + max(row_width(row) for row in lines)
    if width < 2 * column - 2:
        return lines
    half = next(
        n for n, row in enumerate(lines) if not row and n >= len(lines) // 2 - LONGEST_GROUP
    )
    return [
        [*left, Span(" " * (column - row_width(left))), *right]
        for left, right in zip_longest(lines[:half], lines[half + 1 :], fillvalue=())
    ]


class Help(ModalScreen[None]):
    """The dialog with all keys; Esc, q, ?, enter or space closes it."""

    DEFAULT_CSS = """
    Help { align: center middle; background: $background; }
    Help VerticalScroll { width: 124; max-width: 100%; height: auto; max-height: 100%; }
    Help WholeRows { padding: 0 1; }
    """
    AUTO_FOCUS = "VerticalScroll"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,enter,space", "dismiss(None)", show=False)
    ]

    def __init__(self, controls: frozenset[str]) -> None:
        super().__init__()
        self._controls = controls

    def compose(self) -> ComposeResult:
        """Yields the table in a container that scrolls."""
        yield VerticalScroll(WholeRows(partial(key_rows, self._controls)))
