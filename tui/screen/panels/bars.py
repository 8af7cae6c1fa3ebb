"""The bars of one row: keys at the bottom, tabs at the top of a small screen."""

from collections.abc import Sequence
from functools import partial

from textual.timer import Timer

from sixdim.tui.screen.panels.keys import footer
from sixdim.tui.screen.widgets.cells import CellPanel, Row, Span, crop_row
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.text import cells_of, shorten

NOTICE = 5.0
"""Seconds for which a notice is displayed."""
_FIRST_KEYS = 32
"""Cells of the first three keys, which a message leaves free where the screen is wide enough."""


def footer_row(controls: frozenset[str], message: str, width: int) -> Row:
    """Returns the keys that fit whole, and the feed's message at the right."""
    message = shorten(message, max(width // 2, width - _FIRST_KEYS)) if message else ""
    free = width - (cells_of(message) + 3 if message else 0)
    spans: list[Span] = []
    used = 0
    for key in footer(controls):
        size = cells_of(key.symbol) + cells_of(key.label) + 3
        if used + size > free:
            break
        spans += [
            Span(f" {key.symbol}", Role.KEY, action=key.action),
            Span(f" {key.label} ", action=key.action),
        ]
        used += size
    if message:
        gap = " " * (width - used - cells_of(message) - 1)
        spans += [Span(gap), Span(message, Role.WARN)]
    return spans


def tabs_row(names: Sequence[str], active: int, width: int) -> Row:
    """Returns `1 Scorecard  2 Throughput …`; the active tab and the first that fit are named."""
    free = width - 1 - 3 * len(names) - len(names[active]) - 1
    spans: list[Span] = [Span(" ")]
    for number, name in enumerate(names):
        here = number == active
        if not here:
            free -= len(name) + 1
        text = f"{number + 1} {name}" if here or free >= 0 else str(number + 1)
        text, role = (f"[{text}]", Role.FOCUS) if here else (f" {text} ", Role.DIM)
        spans.append(Span(text, role, action=f"panel({number + 1})"))
    return spans


class Footer(CellPanel):
    """The bar of keys with the feed's message, or of notices for some seconds."""

    DEFAULT_CSS = "Footer { height: 1; dock: bottom; }"

    def __init__(self, controls: frozenset[str]) -> None:
        super().__init__()
        self.controls = controls
        self.message = ""
        self._notices: dict[str, Role] = {}
        self._ends: dict[str, Timer] = {}

    def show(self, message: str) -> None:
        """Shows the message of the feed."""
        if message != self.message:
            self.message = message
            self.repaint()

    def add_notice(self, text: str, *, good: bool) -> None:
        """Shows a notice for some seconds, beside other notices, in place of the keys."""
        if text in self._notices:
            self._ends[text].stop()
            del self._notices[text]
        self._notices[text] = Role.GOOD if good else Role.WARN
        self._ends[text] = self.set_timer(NOTICE, partial(self._forget, text))
        self.repaint()

    def _forget(self, text: str) -> None:
        del self._notices[text], self._ends[text]
        self.repaint()

    def paint(self, width: int, height: int) -> list[Row]:
        """Returns the row of the bar: the notices that fit, the newest first, else the keys."""
        newest = reversed(self._notices.items())
        notices = [Span(f" {shorten(text, width - 2)} ", role) for text, role in newest]
        if notices:
            return [crop_row(notices, width)]
        return [footer_row(self.controls, self.message, width)]
