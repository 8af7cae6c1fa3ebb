"""A panel with a chart: cursor, zoom, pan, and a logarithmic scale."""

from collections.abc import Callable, Sequence

from textual import events

from sixdim.tui.screen.panels.base import Panel
from sixdim.tui.screen.panels.charts.plot import Part, Plot, Spot
from sixdim.tui.screen.panels.charts.series_plot import SeriesPlot
from sixdim.tui.screen.widgets.cells import Row, Span, row_width, spaced
from sixdim.tui.screen.widgets.chart import Chart, draw, full_range, x_at
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.text import shorten
from sixdim.tui.screen.widgets.view import ZOOM, View, XAxis
from sixdim.tui.session.live.feed import Frame

PAN = 0.25
"""The part of the visible axis by which one step pans."""
GAP = "   "
"""What is between two parts of a legend."""


def legend(parts: Sequence[Part], width: int) -> Row:
    """Returns the parts of a legend that fit whole, in shorter forms where there are some."""
    most = max((len(part) for part in parts if not isinstance(part, Span)), default=1)
    needed = max((n for n, part in enumerate(parts, 1) if not isinstance(part, Span)), default=0)
    for brief in range(most):
        spans = [
            part if isinstance(part, Span) else part[min(brief, len(part) - 1)] for part in parts
        ]
        if row_width(spaced(spans[:needed], GAP)) <= width:
            break
    row: list[Span] = []
    for count in range(1, len(spans) + 1):
        longer = spaced(spans[:count], GAP)
        if row_width(longer) > width:
            break
        row = longer
    return row


class ChartPanel(Panel):
    """A panel that displays a plot; the app handles its keys.

    Args:
        name: Of the panel, for tabs.
        about: The figure of the card that it has to do with.
        usual: Decides what it shows of a run unless series were chosen.
        below: Returns a text for the last row, if there is space; empty for none.

    Attributes:
        chosen: Names of the series that the user chose; empty for the usual plot.
    """

    def __init__(
        self,
        name: str,
        about: str,
        usual: Callable[[Frame], Plot],
        below: Callable[[Frame], str] = lambda frame: "",
    ) -> None:
        self.NAME = name  # type: ignore[misc]  # of each chart its own
        super().__init__()
        self.about = about
        self.view = View()
        self.chosen: tuple[str, ...] = ()
        self._usual = usual
        self._below = below
        self._latest: tuple[object, list[Row]] | None = None

    def plot(self, frame: Frame) -> Plot:
        """Returns the plot of a frame."""
        return SeriesPlot(self.chosen) if self.chosen else self._usual(frame)

    def title(self, frame: Frame) -> str:
        """See `Panel`."""
        return self.plot(frame).title(frame)

    def facts(self, frame: Frame) -> object:
        """See `Panel`."""
        plot = self.plot(frame)
        return type(plot), plot.facts(frame), self._below(frame)

    def choose(self, names: Sequence[str]) -> None:
        """Shows these series from now on; the usual plot if there are none."""
        self.chosen = tuple(names)
        self.look(View(axis=self.view.axis, smooth=self.view.smooth))

    def inspected(self) -> Spot | None:
        """Returns the point under the cursor; None without one."""
        frame = self.frame
        if frame is None or (cursor := self._cursor(frame)) is None:
            return None
        return self.plot(frame).inspected(frame, self.view, cursor)

    def _cursor(self, frame: Frame) -> float | None:
        """Returns the place of the cursor: the nearest point, as a replay may have gone back."""
        cursor = self.view.cursor
        return None if cursor is None else self.view.at(self._xs(frame), cursor).cursor

    def note(self, frame: Frame) -> str:
        """Returns the name of the axis, and the settings of the view that are not the default."""
        parts = [self.plot(frame).axis(frame, self.view)]
        if self.view.log_scale:
            parts.append("log scale")
        if self.view.smooth and isinstance(self.plot(frame), SeriesPlot):
            parts.append("smoothed")
        if self.view.x_range is not None:
            parts.append("zoomed: 0 shows all")
        return ", ".join(filter(None, parts))

    def viewed(self, frame: Frame) -> Chart:
        """Returns the chart with the zoom and cursor of the view."""
        view, cursor = self.view, self._cursor(frame)
        chart = self._whole(frame)
        return chart._replace(x_range=view.x_range, cursor=cursor, log_scale=view.log_scale)

    def body(self, frame: Frame, width: int, height: int) -> list[Row]:
        """Returns the chart, and the text below it."""
        below = self._below(frame)
        if not below or height < 8:
            return self._legend_and_chart(frame, width, height)
        rows = self._legend_and_chart(frame, width, height - 1)
        rows += [()] * (height - 1 - len(rows))
        return [*rows, [Span(shorten(below, width), Role.DIM)]]

    def _legend_and_chart(self, frame: Frame, width: int, height: int) -> list[Row]:
        """Returns the legend, or the point under the cursor, and the chart."""
        plot = self.plot(frame)
        drawn = self._drawn(plot, frame, width, height - 1)
        if not drawn:
            return [[Span(shorten(plot.nothing(frame), width), Role.DIM)]]
        parts = plot.legend(frame, self.view)
        cursor = self._cursor(frame)
        if cursor is not None:
            said = plot.inspected(frame, self.view, cursor).text
            parts = [Span(shorten(said, width), Role.FOCUS), *parts]
        return [legend(parts, width), *drawn]

    def _drawn(self, plot: Plot, frame: Frame, width: int, height: int) -> list[Row]:
        """Returns the chart's rows: the same as before unless it has changed; none without points.

        A long series changes with every line, but few of its buckets do.
        """
        key = (type(plot), plot.title(frame), plot.drawn(frame), self.view, width, height)
        if self._latest is None or self._latest[0] != key:
            chart = self.viewed(frame)
            empty = all(y is None for _, y in chart.series[-1].points)
            self._latest = key, [] if empty else draw(chart, width, height)
        return self._latest[1]

    # Actions of the keys

    def inspect(self, step: int) -> None:
        """Moves the cursor; without one, shows it on the newest point."""
        if self.frame is not None:
            self.look(self.view.moved(self._xs(self.frame), step))

    def leave(self) -> bool:
        """Hides the cursor; returns whether there was one."""
        had = self.view.cursor is not None
        self.look(self.view._replace(cursor=None))
        return had

    def zoom(self, direction: int) -> None:
        """Zooms in (+1) or out (-1)."""
        if self.frame is not None and self._xs(self.frame):
            self.look(self.view.zoomed(full_range(self._whole(self.frame)), ZOOM**direction))

    def pan(self, direction: int) -> None:
        """Moves a zoomed chart sideways."""
        if self.frame is not None and self._xs(self.frame):
            self.look(self.view.panned(full_range(self._whole(self.frame)), PAN * direction))

    def toggle_axis(self) -> None:
        """Changes the axis: epochs, steps, the log's time, or its lines; ends zoom and cursor."""
        view, axis = self.view, self.view.axis.following()
        counts = self.frame is None or isinstance(self.plot(self.frame), SeriesPlot)
        while axis in (XAxis.STEP, XAxis.LINE) and not counts:
            axis = axis.following()
        self.look(View(log_scale=view.log_scale, axis=axis, smooth=view.smooth))

    # Actions of the mouse

    async def on_click(self, event: events.Click) -> None:
        """Moves the cursor to the pointer."""
        await super().on_click(event)
        frame = self.frame
        if frame is None or not self._xs(frame):
            return
        width, height = self.size.width - 4, self.size.height - 3
        x = x_at(self.viewed(frame), event.x - 2, width, height)
        if x is not None:
            self.look(self.view.at(self._xs(frame), x))

    def turn_wheel(self, step: int, shift: bool) -> None:
        """Zooms in (-1) or out (1); with shift, pans to the left or right."""
        if shift:
            self.pan(step)
        else:
            self.zoom(-step)

    def _xs(self, frame: Frame) -> list[float]:
        """Returns the places of the points of the chart's main line."""
        points = self._whole(frame).series[-1].points
        return sorted({x for x, y in points if y is not None})

    def _whole(self, frame: Frame) -> Chart:
        return self.plot(frame).chart(frame, self.view)

    def look(self, view: View) -> None:
        """Shows the chart in another view."""
        self.view = view
        self.repaint()
