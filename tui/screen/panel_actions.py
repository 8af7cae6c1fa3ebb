"""The part of the app whose keys act on panels, charts and figures.

The dialogs are imported when they are opened, so that the first frame is displayed sooner.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import TYPE_CHECKING

from sixdim.tui.screen.arranged_panels import ArrangedPanels
from sixdim.tui.screen.panels.base import Panel
from sixdim.tui.screen.panels.charts.chart_panel import ChartPanel
from sixdim.tui.screen.panels.charts.series_plot import SeriesPlot
from sixdim.tui.screen.widgets.cells import Writer
from sixdim.tui.screen.widgets.view import View

if TYPE_CHECKING:
    from sixdim.tui.screen.dialogs.explain import Explanation


class PanelActions(ArrangedPanels):
    """The part of the app with the keys of its panels."""

    writer: Writer
    """Writes changed cells to the terminal."""

    def action_toggle_log(self) -> None:
        """Shows or hides the log; among tabs, goes to it."""
        if not self.log_panel.display:
            self.show_log()
        elif self.paged:
            self.show_page(0)
        else:
            self._log_wanted = False
            self.arrange()

    def action_toggle_radar(self) -> None:
        """Shows the scorecard as a radar, or as a table again."""
        panel = self.score_panel
        panel.radar = not panel.radar
        if not panel.display:
            self.show_panel(panel)
        panel.repaint()

    def action_enlarge(self) -> None:
        """Shows the focused panel alone, or all of them again."""
        if isinstance(self.focused, Panel):
            self._active = self.panels.index(self.focused)
        self.enlarged = not self.enlarged
        self.arrange()

    def action_hide(self) -> None:
        """Hides the focused panel, where all are side by side."""
        panel = self.focused
        if self.paged:
            self.notify("only one of several panels side by side can be hidden")
        elif isinstance(panel, Panel):
            self.hidden.add(panel)
            self.set_focus(None)
            self.arrange()

    def action_show_hidden(self) -> None:
        """Shows every hidden panel again."""
        self.hidden.clear()
        self.arrange()

    def action_focus_next(self) -> None:
        """Focuses the next panel, or the next tab."""
        self._around(1)

    def action_focus_previous(self) -> None:
        """Focuses the previous panel, or the previous tab."""
        self._around(-1)

    def _around(self, step: int) -> None:
        if self.paged:
            self.show_next(step)
        elif step > 0:
            self.screen.focus_next()
        else:
            self.screen.focus_previous()

    def action_panel(self, number: int) -> None:
        """Shows a tab, or focuses a panel, by its number counted from 1."""
        if self.paged and not self.enlarged:
            if number <= len(self._pages):
                self.show_page(number - 1)
        elif number <= len(self.panels):
            self.show_panel(self.panels[number - 1])

    def action_redraw(self) -> None:
        """Writes every cell again, for a terminal that another program wrote on."""
        self.screen.refresh(layout=True)

    # Charts

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
            chart.look(chart.view._replace(x_range=None))

    def action_scale(self) -> None:
        """Makes the scale of the focused chart, else of all, logarithmic or linear."""
        for chart in self.charts:
            if self.focused in (chart, None):
                chart.look(chart.view._replace(log_scale=not chart.view.log_scale))

    def action_smooth(self) -> None:
        """Shows or hides the smoothed lines of all charts."""
        for chart in self.charts:
            chart.look(chart.view._replace(smooth=not chart.view.smooth))

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
        gallery = Gallery(chart.view if chart else View(), self.writer)
        self.push_screen(gallery)
        gallery.show(self.frame)

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
        spot = panel.inspected() if isinstance(panel, ChartPanel) else None
        if spot is not None and spot.epoch is not None:
            return explain_epoch(snapshot, spot.epoch)
        about = panel.about if isinstance(panel, Panel) else ""
        return explain_figure(snapshot, about) if about else explain_card(snapshot)

    def _copy_with_lines(self, explanation: Explanation) -> None:
        found = self._lines(explanation.lines) if explanation.lines else ()
        self.call_from_thread(self._copy, explanation.text(found))

    def _lines(self, numbers: Collection[int]) -> tuple[tuple[int, str], ...]:
        """Returns lines of the log; of one that cannot be read again, those that are displayed."""
        from sixdim.tui.search.text import NoTextError

        latest = self.frame.log_lines if self.frame is not None else ()
        try:
            return self.feed.lines(numbers)
        except (NoTextError, OSError):
            return tuple(line for line in latest if line[0] in numbers)

    def _copy(self, text: str) -> None:
        self.copy_to_clipboard(text)
        self.notify(f"copied: {text.splitlines()[0]}")
