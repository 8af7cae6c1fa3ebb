"""The part of the app that chooses the series to display: in one chart, or all at once."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sixdim.tui.screen.chart_actions import ChartActions
from sixdim.tui.screen.panels.charts.chart_panel import ChartPanel
from sixdim.tui.screen.panels.charts.series_plot import SeriesPlot
from sixdim.tui.screen.widgets.cells import Writer
from sixdim.tui.screen.widgets.view import View

if TYPE_CHECKING:
    from sixdim.tui.screen.dialogs.gallery import Gallery


class SeriesActions(ChartActions):
    """The part of the app that chooses series."""

    writer: Writer
    """Writes changed cells to the terminal."""
    gallery: Gallery | None = None
    """The screen of small charts while it is open."""

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
