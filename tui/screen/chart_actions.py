"""The part of the app that acts on one chart or figure: cursor, zoom, explanations, copies.

The dialogs are imported when they are opened, so that the first frame is displayed sooner.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sixdim.parsers.text.lines import clean
from sixdim.tui.screen.panel_actions import PanelActions
from sixdim.tui.screen.panels.charts.chart_panel import ChartPanel
from sixdim.tui.screen.panels.scorecard import ScorePanel
from sixdim.tui.screen.panels.speed import SpeedPanel
from sixdim.tui.screen.panels.telemetry import TelemetryPanel
from sixdim.tui.session.live.feed import Feed

if TYPE_CHECKING:
    from sixdim.tui.screen.dialogs.detail import Found
    from sixdim.tui.screen.dialogs.explain import Explanation


class ChartActions(PanelActions):
    """The part of the app that acts on one chart or figure."""

    feed: Feed

    def active_chart(self) -> ChartPanel | None:
        """Returns the chart that arrows and +- act on: focused, with a cursor or enlarged."""
        panel = self.focused
        if isinstance(panel, ChartPanel) and (self.enlarged or panel.view.cursor is not None):
            return panel
        return None

    def some_chart(self) -> ChartPanel | None:
        """Returns the focused chart, else the first visible one."""
        if isinstance(self.focused, ChartPanel):
            return self.focused
        return next((chart for chart in self.charts if chart.display), None)

    def action_inspect(self) -> None:
        """Shows the cursor of a chart, or hides it."""
        chart = self.some_chart()
        if chart is None:
            self.show_panel(self.charts[0])
            chart = self.some_chart()
        if chart is not None:
            self.set_focus(chart)
            if not chart.leave():
                chart.inspect(0)

    def action_pan(self, direction: int) -> None:
        """Moves a zoomed chart sideways."""
        if chart := self.some_chart():
            chart.pan(direction)

    def action_show_all(self) -> None:
        """Ends every zoom."""
        for chart in self.charts:
            chart.show_all()

    def action_scale(self) -> None:
        """Makes the scale of the focused chart, else of all, logarithmic or linear."""
        for chart in self.charts:
            if self.focused in (chart, None):
                chart.toggle_scale()

    def action_smooth(self) -> None:
        """Shows or hides the smoothed lines of all charts."""
        for chart in self.charts:
            chart.toggle_smoothing()

    def action_axis(self) -> None:
        """Changes the axis of all charts: epochs, steps, or the log's time."""
        for chart in self.charts:
            chart.toggle_axis()

    def action_explain(self) -> None:
        """Explains how the focused figure was computed."""
        from sixdim.tui.screen.dialogs.detail import Detail

        explanation = self.subject()
        if explanation is not None:
            self.push_screen(Detail(explanation, self._lines, self._copy))

    def action_copy(self) -> None:
        """Copies the focused figure and its lines to the clipboard (OSC 52)."""
        explanation = self.subject()
        if explanation is not None:
            self.run_worker(lambda: self._copy_with_lines(explanation), thread=True)

    def subject(self) -> Explanation | None:
        """Explains the focused figure; the whole card if no panel is focused."""
        if self.frame is None:
            return None
        from sixdim.tui.screen.dialogs.explain import explain_card, explain_epoch, explain_figure

        snapshot = self.frame.snapshot
        panel = self.focused
        if isinstance(panel, ChartPanel):
            epoch = panel.cursor_epoch()
            if epoch is not None:
                return explain_epoch(snapshot, epoch)
            return explain_figure(snapshot, panel.about)
        if isinstance(panel, ScorePanel) and panel.marked:
            return explain_figure(snapshot, panel.chosen)
        if isinstance(panel, SpeedPanel):
            return explain_figure(snapshot, "speed")
        if isinstance(panel, TelemetryPanel):
            return explain_figure(snapshot, "power")
        return explain_card(snapshot)

    def _lines(self, numbers: Sequence[int]) -> Found:
        return self.feed.lines(numbers)

    def _copy_with_lines(self, explanation: Explanation) -> None:
        found = self._lines(explanation.lines) if explanation.lines else ()
        self.call_from_thread(self._copy, explanation.text(found))

    def _copy(self, text: str) -> None:
        self.copy_to_clipboard(text)
        first = clean(text.split("\n", 1)[0])
        self.notify(f"copied: {first}", markup=False)
