"""A line chart in braille with axes, ticks, a shaded window, a threshold and a projection."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sixdim.tui.base.axis import SMALLEST, Axis, LogAxis, can_show, log_axis, nice_axis, nice_steps
from sixdim.tui.screen.widgets.canvas import Canvas
from sixdim.tui.screen.widgets.cells import Row, Span
from sixdim.tui.screen.widgets.palettes import Role

GUTTER = 7
"""Least cells of the tick labels, so that the plot does not move as numbers grow."""


class Series(NamedTuple):
    """One line of a chart; None is a gap, and so is a value that `can_show` refuses."""

    points: tuple[tuple[float, float | None], ...]
    role: Role = Role.SERIES


class Chart(NamedTuple):
    """The data of a chart, without its size.

    Attributes:
        series: Lines, the last one on top.
        x_span: Least range of the x axis; points outside widen it.
        threshold: A dashed horizontal line.
        projection: A dotted line from one point to another.
        band: First and last x of a window that is marked on the axis.
        shaded: Whether the ground of that window is shaded as well.
        x_range: Exactly this part of the x axis; None shows all of it.
        cursor: x of the inspect cursor.
        log_scale: Whether the vertical axis is logarithmic; values not above 0 leave a gap.
    """

    series: tuple[Series, ...]
    x_span: tuple[float, float] = (0.0, 1.0)
    threshold: float | None = None
    projection: tuple[tuple[float, float], tuple[float, float]] | None = None
    band: tuple[float, float] | None = None
    shaded: bool = True
    x_range: tuple[float, float] | None = None
    cursor: float | None = None
    log_scale: bool = False


def y_axis(chart: Chart, height: int) -> Axis:
    """Returns the vertical axis, with all visible points and, without zoom, everything else."""
    low, high = chart.x_range or (-math.inf, math.inf)
    values = [y for line in chart.series for x, y in line.points if low <= x <= high]
    if chart.x_range is None:
        values.append(chart.threshold)
    if chart.x_range is None and chart.projection is not None:
        values.extend(y for _, y in chart.projection)
    known = [value for value in values if can_show(value)]
    if chart.log_scale:
        return log_axis([value for value in known if value > SMALLEST], height)
    return nice_axis(min(known), max(known), height) if known else Axis(0, 1, 1)


def full_range(chart: Chart) -> tuple[float, float]:
    """Returns the range of the horizontal axis without zoom."""
    xs = [x for line in chart.series for x, _ in line.points]
    if chart.projection is not None:
        xs.extend(x for x, _ in chart.projection)
    return min([chart.x_span[0], *xs]), max([chart.x_span[1], *xs])


def x_axis(chart: Chart, width: int) -> Axis:
    """Returns the horizontal axis: whole numbers, with as many ticks as labels fit."""
    low, high = chart.x_range or full_range(chart)
    if high <= low:
        high = low + 1
    cells = max(len(f"{low:.0f}"), len(f"{high:.0f}")) + 3
    return Axis(low, high, max(1.0, nice_steps(high - low, max(1, width // cells))[0]))


def x_at(chart: Chart, column: int, width: int, height: int) -> float | None:
    """Returns the x of a column of the rows that `draw` makes; None beside the plot."""
    vertical = y_axis(chart, max(1, height - 2))
    start = _gutter(vertical, chart.threshold) + 1
    across = width - start
    if across < 2 or not start <= column < width:
        return None
    horizontal = x_axis(chart, across)
    share = (column - start) / (across - 1)
    return horizontal.low + share * (horizontal.high - horizontal.low)


def _gutter(vertical: Axis, threshold: float | None) -> int:
    labels = [*map(vertical.label, vertical.ticks())]
    if threshold is not None:
        labels.append(f"{threshold:.4g}")
    return max(GUTTER, 1 + max(map(len, labels), default=0))


def draw(chart: Chart, width: int, height: int) -> list[Row]:
    """Draws a chart as rows: plot, axis line, tick labels."""
    plot_height = height - 2
    if plot_height < 1 or width < GUTTER + 6:
        return []
    vertical = y_axis(chart, plot_height)
    labels = {tick: vertical.label(tick) for tick in vertical.ticks()}
    gutter = _gutter(vertical, chart.threshold)
    canvas = Canvas(width - gutter - 1, plot_height)
    horizontal = x_axis(chart, canvas.width)
    band = _band_columns(chart, horizontal, canvas)
    _draw_lines(chart, canvas, horizontal, vertical)
    at_row = {
        (canvas.dots_down - 1 - vertical.dot(tick, canvas.dots_down)) // 4: text
        for tick, text in labels.items()
    }
    goal = _threshold_row(chart, vertical, canvas)
    rows: list[Row] = []
    for y in range(plot_height):
        label = at_row.get(y, "") if y != goal else f"{chart.threshold:.4g}"
        axis = "┤" if label else "│"
        tick = Span(label.rjust(gutter - 1) + " ", Role.THRESHOLD if y == goal else Role.DIM)
        plot = canvas.row(y, band if chart.shaded else range(0))
        rows.append([tick, Span(axis, Role.FRAME), *plot])
    return [*rows, *_foot(horizontal, canvas.width, gutter, band)]


def _threshold_row(chart: Chart, vertical: Axis, canvas: Canvas) -> int | None:
    """Returns the row of the threshold, which has its value as a label; None if not visible.

    A row spans four dots, so the tick below may be far from the line.
    """
    if chart.threshold is None or not vertical.shows(chart.threshold):
        return None
    down = canvas.dots_down
    return (down - 1 - vertical.dot(chart.threshold, down)) // 4


def _band_columns(chart: Chart, horizontal: Axis, canvas: Canvas) -> range:
    if chart.band is None:
        return range(0)
    first, last = (horizontal.dot(x, canvas.dots_across) // 2 for x in chart.band)
    return range(max(0, first), min(canvas.width, last + 1))


def _draw_lines(chart: Chart, canvas: Canvas, horizontal: Axis, vertical: Axis) -> None:
    across, down = canvas.dots_across, canvas.dots_down

    def place(x: float, y: float) -> tuple[int, int]:
        return horizontal.dot(x, across), down - 1 - vertical.dot(y, down)

    if chart.cursor is not None:
        x = horizontal.dot(chart.cursor, canvas.dots_across)
        for y in range(0, canvas.dots_down, 2):
            canvas.dot(x, y, Role.FOCUS)
    if chart.threshold is not None and vertical.shows(chart.threshold):
        _, y = place(horizontal.low, chart.threshold)
        for x in range(canvas.dots_across):
            if x % 4 < 2:
                canvas.dot(x, y, Role.THRESHOLD)
    if chart.projection is not None:
        start, end = chart.projection
        if vertical.shows(start[1]) and vertical.shows(end[1]):
            canvas.line(*place(*start), *place(*end), Role.PROJECTION, every=3)
    for line in chart.series:
        before: tuple[int, int] | None = None
        visible = _visible(line.points, chart.x_range, vertical)
        if len(visible) > 2 * across:
            _draw_dense(_columns(visible, horizontal, across), vertical, canvas, line.role)
            continue
        for at, value in visible:
            here = place(at, value) if can_show(value) else None
            if here is not None:
                canvas.line(*(before or here), *here, line.role)
            before = here


def _draw_dense(
    columns: Iterable[tuple[int, list[float]]], vertical: Axis, canvas: Canvas, role: Role
) -> None:
    """Draws columns of dots from their least to their greatest value, joined to each other."""
    down = canvas.dots_down
    before: tuple[int, int] | None = None
    for x, values in columns:
        if not values:
            before = None
            continue
        first, low, high, last = (
            down - 1 - vertical.dot(y, down)
            for y in (values[0], min(values), max(values), values[-1])
        )
        if before is not None:
            canvas.line(*before, x, first, role)
        canvas.line(x, high, x, low, role)
        before = x, last


def _visible(
    points: Sequence[tuple[float, float | None]],
    x_range: tuple[float, float] | None,
    vertical: Axis,
) -> Sequence[tuple[float, float | None]]:
    """Returns the points within the range; a value that the axis cannot show is a gap."""
    low, high = x_range or (-math.inf, math.inf)
    visible = points if x_range is None else [(x, y) for x, y in points if low <= x <= high]
    if isinstance(vertical, LogAxis):
        return [(x, y if y is not None and y > SMALLEST else None) for x, y in visible]
    return visible


def _columns(
    points: Sequence[tuple[float, float | None]], horizontal: Axis, across: int
) -> Iterator[tuple[int, list[float]]]:
    """Yields the values of each column of dots, between two gaps; none for a gap."""
    dot, here = horizontal.dot, 0
    column: list[float] = []
    for at, value in points:
        if not can_show(value):
            yield here, column
            if column:
                yield here, []
            column = []
            continue
        there = dot(at, across)
        if column and there != here:
            yield here, column
            column = []
        here = there
        column.append(value)
    yield here, column


def _foot(horizontal: Axis, width: int, gutter: int, band: range) -> list[Row]:
    ticks = {horizontal.dot(tick, width * 2) // 2: f"{tick:.0f}" for tick in horizontal.ticks()}
    line = [
        Span("╋" if x in ticks else "━", Role.SERIES, True)
        if x in band
        else Span("┴" if x in ticks else "─", Role.FRAME)
        for x in range(width)
    ]
    labels = [" "] * width
    free_from = 0
    for x, text in sorted(ticks.items()):
        start = min(max(0, x - len(text) // 2), width - len(text))
        if start >= free_from:
            labels[start : start + len(text)] = text
            free_from = start + len(text) + 1
    return [
        [Span(" " * gutter), Span("└", Role.FRAME), *line],
        [Span(" " * (gutter + 1)), Span("".join(labels), Role.DIM)],
    ]
