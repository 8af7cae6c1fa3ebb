"""Announcements: a sentence in the footer, the bell, a notification.

Also which of Textual's parts stand between the screen and the terminal.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual._compositor import ChopsUpdate
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.drivers.linux_inline_driver import LinuxInlineDriver
from textual.filter import LineFilter, Monochrome
from textual.notifications import SeverityLevel
from textual.screen import Screen

from sixdim.parsers.text.lines import clean, label
from sixdim.tui.screen.keyboard import Inline, Keyboard
from sixdim.tui.screen.steering import Steering
from sixdim.tui.screen.widgets.theme import Colourless
from sixdim.tui.screen.wire import CellUpdate
from sixdim.tui.session.live.alerts import EVENTS, GOOD, alerts, begun
from sixdim.tui.session.live.feed import Frame

if TYPE_CHECKING:
    from rich.console import RenderableType

BELL = "\x07"


def notification(text: str, *, tmux: bool) -> str:
    """OSC 9 (iTerm2, kitty, WezTerm, Windows Terminal, ConEmu), wrapped so that tmux passes it on.

    Args:
        text: Cleaned here; what is not printable ASCII is left out, for the terminals between.
        tmux: Whether tmux stands between: its passthrough doubles each escape.
    """
    plain = "".join(char for char in label(text, 200) if " " <= char <= "~")
    # The name first: a text that began with a digit and ; would be a progress bar to ConEmu.
    sequence = f"\x1b]9;sixdim: {plain}\x07"
    return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\" if tmux else sequence


class Announcing(Steering):
    """The part of the app that says what happened, and how that reaches the terminal.

    Attributes:
        rings: Whether the bell rings and the desktop is notified.
        announced: The frame whose news were said last.
    """

    rings = True
    announced: Frame | None = None

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Says something in the place of the footer; over a dialog, in a box of Textual's."""
        if len(self.screen_stack) > 1:
            super().notify(message, title=title, severity=severity, timeout=timeout, markup=markup)
        else:
            self.footer.add_notice(message, good=severity == "information")

    def announce(self, frame: Frame) -> None:
        """A toast for what is new since the last frame; nothing for what was read at once."""
        before, self.announced = self.announced, frame
        if before is None or frame.catching_up is not None or frame.mode == "replay":
            return
        for earlier, row in zip(before.runs, frame.runs, strict=False):
            if row.state != earlier.state and row.state in EVENTS:
                self.notify(clean(f"{row.snapshot.name} {row.state}"), markup=False)
                self._ring_out(f"{row.snapshot.name} {row.state}")
        if before.selected != frame.selected:
            return
        known = set(before.snapshot.notes)
        seen = alerts(before, frame)
        fresh = [note for note in frame.snapshot.notes if note not in known]
        for note in (*fresh, *seen)[-3:]:
            good = note.kind in GOOD
            self.notify(
                clean(note.text), markup=False, severity="information" if good else "warning"
            )
        if seen:
            self.events_panel.add(seen)
        if not frame.runs and (ended := begun(before, frame)):
            self._ring_out(f"{frame.snapshot.name} {ended[0]}")

    def _ring_out(self, text: str) -> None:
        """Bell and desktop notification, unless the user wants neither."""
        if self.rings and self._driver is not None and not self.is_headless:
            self._driver.write(BELL + notification(text, tmux="TMUX" in os.environ))

    def get_driver_class(self) -> type[Driver]:
        """Textual's own driver wakes ten times a second."""
        found = super().get_driver_class()
        if found is LinuxInlineDriver:
            return Inline
        return Keyboard if found is LinuxDriver else found

    def get_line_filters(self) -> Sequence[LineFilter]:
        """NO_COLOR means no colour at all, where Textual would send shades of grey."""
        filters = super().get_line_filters()
        if not self.no_color:
            return filters
        return [Colourless() if isinstance(f, Monochrome) else f for f in filters]

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        """Partial updates are written cell by cell; everything else as Textual does."""
        cells = CellUpdate(renderable) if type(renderable) is ChopsUpdate else renderable
        super()._display(screen, cells)
