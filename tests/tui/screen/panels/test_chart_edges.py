"""The arithmetic of charts and of rows at its edges, by figures computed by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sixdim.metrics.card.forecast.forecast import Band, Forecast
from sixdim.metrics.values.points import EpochPoint
from sixdim.tui.base.axis import Axis, can_show, nice_axis
from sixdim.tui.export.report.chart import Chart as SvgChart
from sixdim.tui.export.report.chart import Level
from sixdim.tui.export.report.chart import draw as draw_svg
from sixdim.tui.screen.panels.charts.accuracy_plot import _clipped
from sixdim.tui.screen.panels.charts.throughput_plot import ThroughputPlot
from sixdim.tui.screen.panels.header import header_row
from sixdim.tui.screen.panels.telemetry import COLUMNS, device_row
from sixdim.tui.screen.widgets.canvas import Canvas
from sixdim.tui.screen.widgets.cells import Span, crop_row, row_width
from sixdim.tui.screen.widgets.chart import Chart, Series, draw
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.view import View
from tests.support.screens import frame_at, readings, snapshot_at


def test_an_axis_has_the_ticks_at_its_ends_although_their_quotients_are_not_exact() -> None:
    assert 0.3 / 0.1 < 3 and 0.6 / 0.1 < 6 and 0.7 / 0.1 < 7
    assert Axis(0.3, 0.6, 0.1).ticks() == pytest.approx([0.3, 0.4, 0.5, 0.6])
    assert Axis(-0.7, -0.3, 0.1).ticks() == pytest.approx([-0.7, -0.6, -0.5, -0.4, -0.3])


@pytest.mark.parametrize(("rows", "ticks"), [(7, [0, 1, 2, 3, 4, 5, 6]), (8, [0, 2, 4, 6])])
def test_from_eight_rows_on_at_most_every_other_row_has_a_tick(
    rows: int, ticks: list[float]
) -> None:
    assert nice_axis(0.0, 6.0, rows).ticks() == ticks


@pytest.mark.parametrize("highest", [99.0, 100.0])
def test_no_tick_stands_above_the_first_that_no_value_exceeds(highest: float) -> None:
    axis = nice_axis(30.0, highest, 12)
    assert axis.high > 120, "there are rows for a tick at 120"
    assert axis.ticks() == [20, 40, 60, 80, 100]
    assert 120 in nice_axis(30.0, 100.1, 12).ticks()


@pytest.mark.parametrize(
    ("cursor", "shown"),
    [(10.0, (10.0, 20.0)), (20.0, (10.0, 20.0)), (25.0, (15.0, 25.0)), (8.0, (8.0, 18.0))],
)
def test_a_view_moves_as_far_as_its_cursor_is_outside(
    cursor: float, shown: tuple[float, float]
) -> None:
    assert View(x_range=(10.0, 20.0), cursor=cursor).following().x_range == shown


def test_a_dotted_line_has_every_third_dot() -> None:
    canvas = Canvas(6, 1)
    canvas.line(0, 0, 11, 0, Role.PROJECTION, every=3)
    # Of each cell's upper two dots, the left one has bit 1, the right one bit 8.
    assert canvas.bits == [[1, 8, 0, 1, 8, 0]]


@pytest.mark.parametrize(
    ("ahead", "end"),
    [
        (55, (88.0, 75.9)),  # 33 + 55: within the plan of epochs 0 to 89
        (56, (89.0, 75.9)),
        (112, (89.0, 47.9 + 28.0 * 56 / 112)),  # at half of the way the plan ends
    ],
)
def test_a_projection_ends_at_the_target_or_where_the_plan_ends(
    ahead: int, end: tuple[float, float]
) -> None:
    forecast = Forecast(Band(1.0, float(ahead), 200.0), "epoch", 33)
    snapshot = replace(snapshot_at(34), forecast=forecast)
    assert _clipped(snapshot, 33.0, 47.9, 75.9) == pytest.approx(end)


@pytest.mark.parametrize(("lines", "per"), [(1, "line"), (2, "2 lines")])
def test_the_throughput_of_a_run_without_epochs_is_per_line_or_lines(lines: int, per: str) -> None:
    window = EpochPoint(0, 5.0, False, None, None, lines, 1, lines, True)
    frame = frame_at(3)
    frame = replace(frame, snapshot=replace(frame.snapshot, windows=(window,), unit="tokens/s"))
    assert ThroughputPlot().title(frame) == f"Throughput, tokens/s per {per}"


@pytest.mark.parametrize("epochs", [0, 3, 34])
def test_the_header_is_never_wider_than_the_screen(epochs: int) -> None:
    for width in range(34, 200):
        assert row_width(header_row(frame_at(epochs), width)) <= width, width


def test_the_reason_of_low_clocks_takes_all_of_the_row() -> None:
    reading = readings(1)[0]._replace(throttle=("hw thermal slowdown",), missing=())
    text = "0    161/250 W  ! "
    columns = [*COLUMNS[:2]]
    width = len(text) + len("hw thermal slowdown")
    for size, whole in ((width, True), (width - 1, False)):
        line = "".join(span.text for span in device_row(reading, columns, size))
        assert (line == f"{text}hw thermal slowdown") is whole
        assert len(line) <= size


@pytest.mark.parametrize("log_scale", [False, True])
@pytest.mark.parametrize(
    "values",
    [
        (5.0, 1.7e308, 6.0),
        (-1.7e308, 1.7e308, 5.0),
        (1e306, 1e306, 1e306),
        (5e-324, 0.0, 1e-320),
        (1.0, 1.0000000000000002, 1.0),
        (float("nan"), float("inf"), 5.0),
    ],
)
def test_a_figure_beyond_all_others_is_a_gap(values: tuple[float, ...], log_scale: bool) -> None:
    points = tuple((float(x), y) for x, y in enumerate(values))
    drawn = draw(Chart((Series(points),), threshold=values[1], log_scale=log_scale), 60, 12)
    assert {row_width(row) for row in drawn} == {60}
    levels = (Level(values[1], "target"),)
    assert "nan" not in draw_svg(SvgChart("Loss", points, levels=levels), 540, 280)


def test_the_largest_figure_that_is_drawn() -> None:
    assert can_show(1e300) and can_show(-1e300) and not can_show(1.1e300)
    assert not can_show(None) and not can_show(float("nan"))
    assert nice_axis(2.0, 2.0 + 1e-15, 8).high < 2.1
    assert 1.0 <= nice_axis(0.0, 1e-300, 8).high < 1.5


@pytest.mark.parametrize(
    ("texts", "width", "cropped"),
    [
        (("loss", " 2.5"), 8, "loss 2.5"),
        (("loss", " is rising now"), 12, "loss is …"),
        (("loss", " 2.5"), 4, "los…"),
        (("loss", "   "), 4, "loss"),
        (("漢字漢字", "x"), 6, "漢字…"),
    ],
)
def test_a_row_that_is_cut_says_so(texts: tuple[str, ...], width: int, cropped: str) -> None:
    found = crop_row([Span(text) for text in texts], width)
    assert "".join(span.text for span in found).rstrip() == cropped
    assert row_width(found) <= width
