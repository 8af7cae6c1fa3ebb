"""A panel that is a chart: a cursor to inspect points, zoom, pan, and a logarithmic scale."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events

from sixdim.tui.screen.panels.base import Panel
from sixdim.tui.screen.widgets.cells import Row, Span, row_width
from sixdim.tui.screen.widgets.chart import Chart, draw, full_range, x_at
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.view import ZOOM, View
from sixdim.tui.session.feed import Frame

PAN = 0.25
"""Share of what is shown that one step moves it sideways."""


def legend(parts: Sequence[Span], width: int) -> Row:
    """Parts of a legend, as many as fit whole."""
    row: list[Span] = []
    for part in parts:
        piece = [*([Span("   ")] if row else []), part]
        if row_width([*row, *piece]) > width:
            break
        row += piece
    return row


class ChartPanel(Panel):
    """Base of the charts; its keys are the app's, which hands them on."""

    NOTHING = ""
    """What is said before there is a point."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.view = View()

    def chart(self, frame: Frame) -> Chart:
        """The chart without zoom or cursor."""
        raise NotImplementedError

    def legend(self, frame: Frame) -> list[Span]:
        """What its lines are."""
        raise NotImplementedError

    def inspected(self, frame: Frame, x: float) -> str:
        """What stands under the cursor, in words."""
        raise NotImplementedError

    def epoch_at(self, frame: Frame, x: float) -> int | None:
        """Label of the epoch under the cursor."""
        raise NotImplementedError

    def cursor_epoch(self) -> int | None:
        """Label of the epoch that is inspected; None where nothing is."""
        if self.frame is None or self.view.cursor is None:
            return None
        cursor = self._cursor(self.frame)
        return None if cursor is None else self.epoch_at(self.frame, cursor)

    def _cursor(self, frame: Frame) -> float | None:
        """Where the cursor stands: on the nearest point, for a replay may have gone back."""
        cursor = self.view.cursor
        return None if cursor is None else self.view.at(self._xs(frame), cursor).cursor

    def note(self, frame: Frame) -> str:
        """What of the view is not the usual one."""
        parts = ["log scale"] if self.view.log_scale else []
        if self.view.by_time:
            parts.append("minutes of training")
        if self.view.x_range is not None:
            parts.append("zoomed: 0 shows all")
        return ", ".join(parts)

    def viewed(self, frame: Frame) -> Chart:
        """The chart as it is looked at."""
        view = self.view
        return self.chart(frame)._replace(
            x_range=view.x_range,
            cursor=self._cursor(frame),
            log_scale=view.log_scale,
        )

    def body(self, frame: Frame, width: int, height: int) -> list[Row]:
        """Legend, or what the cursor stands on, and the chart."""
        chart = self.viewed(frame)
        if all(y is None for _, y in chart.series[-1].points):
            return [[Span(self.NOTHING, Role.DIM)]]
        parts = self.legend(frame)
        cursor = self._cursor(frame)
        if cursor is not None:
            parts = [Span(self.inspected(frame, cursor), Role.FOCUS), *parts]
        return [legend(parts, width), *draw(chart, width, height - 1)]

    # What the app's keys do

    def inspect(self, step: int) -> None:
        """Moves the cursor; puts it on the newest point where there is none."""
        if self.frame is not None:
            self._look(self.view.moved(self._xs(self.frame), step))

    def leave(self) -> bool:
        """Takes the cursor away; False where there was none."""
        had = self.view.cursor is not None
        self._look(self.view._replace(cursor=None))
        return had

    def zoom(self, direction: int) -> None:
        """Closer (+1) or away (-1)."""
        if self.frame is not None and self._xs(self.frame):
            whole = full_range(self.chart(self.frame))
            self._look(self.view.zoomed(whole, ZOOM**direction))

    def pan(self, direction: int) -> None:
        """Sideways."""
        if self.frame is not None and self._xs(self.frame):
            self._look(self.view.panned(full_range(self.chart(self.frame)), PAN * direction))

    def show_all(self) -> None:
        """The whole axis again."""
        self._look(self.view._replace(x_range=None))

    def toggle_axis(self) -> None:
        """Over epochs, or over the log's time; a zoom or cursor of the other means nothing."""
        self._look(View(log_scale=self.view.log_scale, by_time=not self.view.by_time))

    def toggle_scale(self) -> None:
        """Linear or logarithmic."""
        self._look(self.view._replace(log_scale=not self.view.log_scale))

    # The mouse can do the same

    async def on_click(self, event: events.Click) -> None:
        """Puts the cursor under the pointer."""
        await super().on_click(event)
        frame = self.frame
        if frame is None or not self._xs(frame):
            return
        width, height = self.size.width - 4, self.size.height - 3
        x = x_at(self.viewed(frame), event.x - 2, width, height)
        if x is not None:
            self._look(self.view.at(self._xs(frame), x))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Closer; with shift, to the left."""
        event.stop()
        if event.shift:
            self.pan(-1)
        else:
            self.zoom(1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Away; with shift, to the right."""
        event.stop()
        if event.shift:
            self.pan(1)
        else:
            self.zoom(-1)

    def _xs(self, frame: Frame) -> list[float]:
        """Where the points are, of the chart's main line."""
        return [x for x, y in self.chart(frame).series[-1].points if y is not None]

    def _look(self, view: View) -> None:
        self.view = view
        self.repaint()
