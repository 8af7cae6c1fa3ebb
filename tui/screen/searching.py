"""Actions on the log: search, filter, scroll, go to the lines of a figure and back."""

from __future__ import annotations

from typing import NamedTuple

from sixdim.tui.screen.arranging import Arrangement
from sixdim.tui.screen.asking import Asking
from sixdim.tui.screen.panels.base import Panel
from sixdim.tui.screen.panels.charts.chart_panel import ChartPanel
from sixdim.tui.screen.panels.logs.log import LogPlace
from sixdim.tui.screen.panels.runs import RunsPanel
from sixdim.tui.screen.panels.telemetry import TelemetryPanel


class _Origin(NamedTuple):
    """What was displayed before going to the lines of a figure."""

    arrangement: Arrangement
    focused: Panel | None
    log: LogPlace


class Searching(Asking):
    """The part of the app that hands keys on to the log."""

    _origin: _Origin | None = None

    async def action_search(self) -> None:
        """Asks what to look for in the log."""
        await self.ask("search the log", self._search)

    def _search(self, wanted: str) -> None:
        self.show_log()
        self.log_panel.search(wanted)

    async def action_filter(self) -> None:
        """Asks which lines of the log to display alone."""
        await self.ask("only lines with", self._filter)

    def _filter(self, only: str) -> None:
        self.show_log()
        self.log_panel.filter(only)

    def action_next_match(self, direction: int) -> None:
        """Next match of the search, or the one before (-1)."""
        self.log_panel.next_match(direction)

    def action_scroll(self, lines: int) -> None:
        """Moves the log's view where it is displayed, else the devices; or the focused panel's."""
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
        """Goes to the lines of what is at hand, or back from there."""
        if self.come_back():
            return
        lines = self._lines_at_hand()
        if not lines:
            self.notify("it rests on no line of this log", markup=False)
            return
        focused = self.focused if isinstance(self.focused, Panel) else None
        self._origin = _Origin(self.arrangement, focused, self.log_panel.place)
        self.show_log()
        self.log_panel.go_to(lines)
        self.set_focus(self.log_panel)

    def come_back(self) -> bool:
        """Back to where one was before going to the lines of a figure; False if one was not."""
        origin, self._origin = self._origin, None
        if origin is None:
            return False
        self.log_panel.place = origin.log
        self.arrangement = origin.arrangement
        self.set_focus(origin.focused)
        return True

    def _lines_at_hand(self) -> tuple[int, ...]:
        from sixdim.tui.screen.dialogs.evidence import lines_of_point

        panel, frame = self.focused, self.frame
        if isinstance(panel, ChartPanel) and frame is not None and panel.view.cursor is not None:
            cursor = panel.viewed(frame).cursor
            if cursor is not None:
                return lines_of_point(panel.plot(frame), frame, panel.view, cursor)
        subject = self.subject()
        return () if subject is None else subject.lines

    def leave_search(self) -> None:
        """Ends the search, else the filter."""
        panel = self.log_panel
        if panel.patterns.wanted:
            panel.search("")
        elif panel.patterns.only:
            panel.filter("")
