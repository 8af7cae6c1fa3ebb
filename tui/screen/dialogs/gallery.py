"""The dialog with small charts of all series, page by page."""

from collections.abc import Sequence
from itertools import chain, zip_longest
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from sixdim.metrics.values.series import SeriesView
from sixdim.tui.screen.dialogs.live_dialog import LiveDialog
from sixdim.tui.screen.panels.base import box
from sixdim.tui.screen.panels.charts.series_plot import SeriesPlot, value_text
from sixdim.tui.screen.widgets.cells import Drawing, Row, Span, Writer
from sixdim.tui.screen.widgets.chart import draw
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.text import cells_of, shorten
from sixdim.tui.screen.widgets.view import View
from sixdim.tui.session.live.feed import Frame

CELL = (38, 10)
"""Least columns and rows of a small chart, with its frame."""


class Gallery(LiveDialog[None]):
    """Small charts of all series; Esc, q, M or enter closes it.

    Args:
        view: How the series are looked at: axis, scale, smoothing.
        writer: Writes changed cells to the terminal.
    """

    DEFAULT_CSS = "Gallery { background: $background; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,M,enter", "dismiss(None)", show=False),
        Binding("right,pagedown,space,down", "turn(1)", show=False),
        Binding("left,pageup,up", "turn(-1)", show=False),
    ]

    def __init__(self, view: View, writer: Writer) -> None:
        super().__init__()
        self._panel = Drawing("gallery")
        self._panel.writer = writer
        self._frame: Frame | None = None
        self._view = view
        self._page = 0
        self._drawn: dict[str, tuple[object, list[Row]]] = {}

    def compose(self) -> ComposeResult:
        """Yields the panel of charts."""
        yield self._panel

    def show(self, frame: Frame) -> None:
        """As `LiveDialog.show`."""
        before, self._frame = self._frame, frame
        if before is None or before.snapshot.series != frame.snapshot.series:
            self._panel.show(self._rows)

    def action_turn(self, step: int) -> None:
        """Shows another page."""
        self._page += step
        self._panel.repaint()

    def _rows(self, width: int, height: int) -> Sequence[Row]:
        """Returns the charts of the page side by side, and the number of the page."""
        if self._frame is None:
            return ()
        views = self._frame.snapshot.series
        across, down = max(1, width // CELL[0]), max(1, (height - 1) // CELL[1])
        pages = max(1, -(-len(views) // (across * down)))
        self._page %= pages
        begin = self._page * across * down
        if pages == 1:
            down = max(1, -(-len(views) // across))
        on_page = views[begin : begin + across * down]
        rows: list[Row] = []
        size = width // across, (height - 1) // down
        for first in range(0, len(on_page), across):
            cells = [
                self._cell(self._frame, view, *size) for view in on_page[first : first + across]
            ]
            rows += [[*chain.from_iterable(row)] for row in zip_longest(*cells, fillvalue=())]
        rows += [()] * (height - 1 - len(rows))
        foot = f" {len(views)} series, page {self._page + 1} of {pages}   ← → turn, Esc leaves"
        return [*rows[: height - 1], [Span(shorten(foot, width), Role.DIM)]]

    def _cell(self, frame: Frame, view: SeriesView, width: int, height: int) -> list[Row]:
        """Returns one small chart, drawn anew only if its buckets or its axis changed."""
        plot = SeriesPlot((view.name,))
        key = (plot.drawn(frame), width, height)
        if self._drawn.get(view.name, ((),))[0] != key:
            chart = plot.chart(frame, self._view)._replace(log_scale=self._view.log_scale)
            self._drawn[view.name] = key, draw(chart, width - 4, height - 2)
        latest = value_text(view.latest, view.unit)
        name = shorten(view.name, max(8, width - cells_of(latest) - 8))
        return box(self._drawn[view.name][1], name, latest, width, height, focused=False)
