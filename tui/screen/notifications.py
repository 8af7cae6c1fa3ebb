"""The part of the app that notifies: by the footer, the bell, and the desktop.

It also replaces the parts of Textual that write to the terminal.
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
from sixdim.tui.screen.drivers import InlineDriver, KeyboardDriver
from sixdim.tui.screen.run_actions import RunActions
from sixdim.tui.screen.terminal_writer import CellUpdate
from sixdim.tui.screen.widgets.theme import Colourless
from sixdim.tui.session.live.alerts import GOOD, STATUS_EVENTS, alerts, begun
from sixdim.tui.session.live.feed import Frame

if TYPE_CHECKING:
    from rich.console import RenderableType

BELL = "\x07"


def notification(text: str, *, tmux: bool) -> str:
    """Returns the escape sequence of a desktop notification (OSC 9).

    iTerm2, kitty, WezTerm, Windows Terminal and ConEmu display it.

    Args:
        text: Is cleaned here; characters that are not printable ASCII are removed.
        tmux: Whether it is wrapped for tmux, whose passthrough doubles each escape.
    """
    plain = "".join(char for char in label(text, 200) if " " <= char <= "~")
    # The name first: a text that began with a digit and ; would be a progress bar to ConEmu.
    sequence = f"\x1b]9;sixdim: {plain}\x07"
    return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\" if tmux else sequence


class Notifications(RunActions):
    """The part of the app that notifies, and that writes to the terminal.

    Attributes:
        rings: Whether the bell rings and the desktop is notified.
        announced: The last frame that was compared with the one before it.
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
        markup: bool = False,
    ) -> None:
        """Displays a message in the footer, or in a toast while a dialog is open.

        It may hold text of the log, so that it is cleaned, and never read as markup.
        """
        message = clean(message)
        if len(self.screen_stack) > 1:
            super().notify(message, title=title, severity=severity, timeout=timeout, markup=False)
        else:
            self.footer.add_notice(message, good=severity == "information")

    def announce(self, frame: Frame) -> None:
        """Notifies of events since the last frame, but not while the log is caught up with."""
        before, self.announced = self.announced, frame
        if before is None or frame.catching_up is not None or frame.mode == "replay":
            return
        for earlier, row in zip(before.runs, frame.runs, strict=False):
            if row.state != earlier.state and row.state in (*STATUS_EVENTS, "stalled"):
                self.notify(f"{row.snapshot.name} {row.state}")
                self._ring(f"{row.snapshot.name} {row.state}")
        if before.selected != frame.selected:
            return
        known = set(before.snapshot.notes)
        seen = alerts(before, frame)
        fresh = [note for note in frame.snapshot.notes if note not in known]
        for note in (*fresh, *seen)[-3:]:
            good = note.kind in GOOD
            self.notify(note.text, severity="information" if good else "warning")
        if seen:
            self.events_panel.add(frame, seen)
        if not frame.runs and (ended := begun(before, frame)):
            self._ring(f"{frame.snapshot.name} {ended[0]}")

    def _ring(self, text: str) -> None:
        """Rings the bell and notifies the desktop, unless `rings` is false."""
        if self.rings and self._driver is not None and not self.is_headless:
            self._driver.write(BELL + notification(text, tmux="TMUX" in os.environ))

    def get_driver_class(self) -> type[Driver]:
        """Returns drivers that do not wake ten times a second, as Textual's own do."""
        found = super().get_driver_class()
        if found is LinuxInlineDriver:
            return InlineDriver
        return KeyboardDriver if found is LinuxDriver else found

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Returns filters that remove all colours under NO_COLOR; Textual's leave greys."""
        filters = super().get_line_filters()
        if not self.no_color:
            return filters
        return [Colourless() if isinstance(f, Monochrome) else f for f in filters]

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        """Writes partial updates cell by cell, and everything else as Textual does."""
        cells = CellUpdate(renderable) if type(renderable) is ChopsUpdate else renderable
        super()._display(screen, cells)
