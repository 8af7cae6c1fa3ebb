"""The part of the app that acts on charts and figures: cursor, zoom, series, explanations, copies.

The dialogs are imported when they are opened, so that the first frame is displayed sooner.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from sixdim.parsers.text.lines import clean
from sixdim.tui.screen.panel_actions import PanelActions
from sixdim.tui.screen.panels.base import Panel
from sixdim.tui.screen.panels.charts.chart_panel import ChartPanel
from sixdim.tui.screen.panels.charts.series_plot import SeriesPlot
from sixdim.tui.screen.widgets.cells import Writer
from sixdim.tui.screen.widgets.view import View
from sixdim.tui.session.live.feed import Feed

if TYPE_CHECKING:
    from sixdim.tui.screen.dialogs.detail import Found
    from sixdim.tui.screen.dialogs.explain import Explanation
    from sixdim.tui.screen.dialogs.gallery import Gallery


class ChartActions(PanelActions):
    """The part of the app that acts on charts and figures."""

    feed: Feed
    writer: Writer
    """Writes changed cells to the terminal."""
    gallery: Gallery | None = None
    """The screen of small charts while it is open."""

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

    def action_choose(self) -> None:
        """Asks which series the focused chart shows; without focus, the first visible one."""
        chart = self.some_chart()
        if chart is None or self.frame is None:
            return
        from sixdim.tui.screen.dialogs.picker import Picker

        plot = chart.plot(self.frame)
        now = plot.names if isinstance(plot, SeriesPlot) and chart.chosen else ()
        title = f"Series in the place of {chart.NAME}"
        picker = Picker(self.frame.snapshot.series, title, now)
        self.push_screen(picker, partial(self._chosen, chart))

    def _chosen(self, chart: ChartPanel, names: tuple[str, ...] | None) -> None:
        if names is not None:
            chart.choose(names)
            self.set_focus(chart)

    def action_gallery(self) -> None:
        """Shows small charts of all series."""
        if self.frame is None:
            return
        from sixdim.tui.screen.dialogs.gallery import Gallery

        chart = self.some_chart()
        self.gallery = Gallery(chart.view if chart else View(), self.writer)
        self.push_screen(self.gallery, self._gallery_left)
        self.gallery.panel.show(self.frame)

    def _gallery_left(self, _: None) -> None:
        self.gallery = None

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

        snapshot, panel = self.frame.snapshot, self.focused
        epoch = panel.cursor_epoch() if isinstance(panel, ChartPanel) else None
        if epoch is not None:
            return explain_epoch(snapshot, epoch)
        about = panel.about if isinstance(panel, Panel) else ""
        return explain_figure(snapshot, about) if about else explain_card(snapshot)

    def _lines(self, numbers: Sequence[int]) -> Found:
        return self.feed.lines(numbers)

    def _copy_with_lines(self, explanation: Explanation) -> None:
        found = self._lines(explanation.lines) if explanation.lines else ()
        self.call_from_thread(self._copy, explanation.text(found))

    def _copy(self, text: str) -> None:
        self.copy_to_clipboard(text)
        first = clean(text.split("\n", 1)[0])
        self.notify(f"copied: {first}", markup=False)
