"""The part of the app that acts on the log: search, filter, scroll, the lines of a figure.

It also asks for a line of text, in the place of the footer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sixdim.tui.screen.arranged_panels import Arrangement
from sixdim.tui.screen.chart_actions import ChartActions
from sixdim.tui.screen.panels.base import Panel
from sixdim.tui.screen.panels.charts.chart_panel import ChartPanel
from sixdim.tui.screen.panels.keys import ASKING
from sixdim.tui.screen.panels.logs.log import LogPlace
from sixdim.tui.screen.panels.runs import RunsPanel
from sixdim.tui.screen.panels.telemetry import TelemetryPanel


class _Origin(NamedTuple):
    """What was displayed before the lines of a figure were shown."""

    arrangement: Arrangement
    focused: Panel | None
    log: LogPlace


class LogActions(ChartActions):
    """The part of the app that acts on the log, and asks for a line of text."""

    _origin: _Origin | None = None
    _is_asking = False

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Returns false for keys that open a question while one is open, or over a dialog."""
        return action not in ASKING or not (self._is_asking or len(self.screen_stack) > 1)

    async def ask(
        self, question: str, answer: Callable[[str], None], *, integer: bool = False
    ) -> None:
        """Asks for one line; the keys that follow are typed into it."""
        from sixdim.tui.screen.dialogs.prompts import Prompt

        self._is_asking = True
        await self.screen.mount(Prompt(question, answer, self._answered, integer=integer))
        self.footer.display = False

    def _answered(self) -> None:
        self._is_asking = False
        self.footer.display = True

    async def action_search(self) -> None:
        """Asks for the text to search in the log."""
        await self.ask("search the log", self._search)

    def _search(self, wanted: str) -> None:
        self.show_log()
        self.log_panel.search(wanted)

    async def action_filter(self) -> None:
        """Asks for the text that the displayed lines must contain."""
        await self.ask("only lines with", self._filter)

    def _filter(self, only: str) -> None:
        self.show_log()
        self.log_panel.filter(only)

    def action_next_match(self, direction: int) -> None:
        """Goes to the next match of the search, or to the previous one (-1)."""
        self.log_panel.next_match(direction)

    def action_scroll(self, lines: int) -> None:
        """Scrolls the focused panel, else the log if it is visible, else the devices."""
        if isinstance(self.focused, RunsPanel) and abs(lines) == 1:
            self.feed.select(lines)
            return
        if self.focused is self.score_panel and abs(lines) == 1:
            self.score_panel.choose(lines)
        elif self.log_panel.display and not isinstance(self.focused, TelemetryPanel):
            self.log_panel.scroll_by(lines)
        else:
            self.query_one(TelemetryPanel).scroll_by(lines)

    def action_show_lines(self) -> None:
        """Shows the lines of the focused figure, or goes back from them."""
        if self.come_back():
            return
        lines = self._lines_of_figure()
        if not lines:
            self.notify("it rests on no line of this log", markup=False)
            return
        focused = self.focused if isinstance(self.focused, Panel) else None
        self._origin = _Origin(self.arrangement, focused, self.log_panel.place)
        self.show_log()
        self.log_panel.go_to(lines)
        self.set_focus(self.log_panel)

    def come_back(self) -> bool:
        """Goes back from the lines of a figure; returns whether they were displayed."""
        origin, self._origin = self._origin, None
        if origin is None:
            return False
        self.log_panel.place = origin.log
        self.arrangement = origin.arrangement
        self.set_focus(origin.focused)
        return True

    def _lines_of_figure(self) -> tuple[int, ...]:
        lines = self.focused.cursor_lines() if isinstance(self.focused, ChartPanel) else None
        if lines is not None:
            return lines
        subject = self.subject()
        return () if subject is None else subject.lines

    def leave_search(self) -> None:
        """Ends the search, else the filter."""
        panel = self.log_panel
        if panel.patterns.wanted:
            panel.search("")
        elif panel.patterns.only:
            panel.filter("")
