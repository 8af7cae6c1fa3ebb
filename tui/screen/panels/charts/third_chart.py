"""The chart in the place of the devices, with the reason why there are no readings."""

from __future__ import annotations

from sixdim.tui.screen.panels.charts.chart_panel import ChartPanel
from sixdim.tui.screen.panels.charts.usual_plots import third_plot
from sixdim.tui.screen.widgets.cells import Row, Span
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.text import shorten
from sixdim.tui.session.live.feed import Frame


class ThirdChart(ChartPanel):
    """A chart whose last row says why there is no telemetry."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__("Series", "speed", third_plot, id=id)

    def facts(self, frame: Frame) -> object:
        """Returns the facts of the plot, and the reason for no telemetry."""
        return super().facts(frame), self._why(frame)

    def body(self, frame: Frame, width: int, height: int) -> list[Row]:
        """Returns the rows of the chart, and the reason for no telemetry."""
        why = self._why(frame)
        if not why or height < 8:
            return super().body(frame, width, height)
        rows = super().body(frame, width, height - 1)
        rows += [()] * (height - 1 - len(rows))
        return [*rows, [Span(shorten(why, width), Role.DIM)]]

    @staticmethod
    def _why(frame: Frame) -> str:
        return "" if frame.snapshot.readings else frame.snapshot.telemetry_note
