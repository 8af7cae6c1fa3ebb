"""Charts against values: which dots are set for which data."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sixdim.tui.base.axis import nice_axis
from sixdim.tui.screen.widgets.canvas import Canvas
from sixdim.tui.screen.widgets.cells import Row, Span
from sixdim.tui.screen.widgets.chart import Chart, Series, draw, x_axis, y_axis
from sixdim.tui.screen.widgets.palettes import Role

WIDTH, HEIGHT = 48, 22
PLOT_ROWS = HEIGHT - 2
PLOT_LEFT = 8  # gutter of seven and the axis
PLOT_WIDTH = WIDTH - PLOT_LEFT


def text_of(rows: Sequence[Row]) -> list[str]:
    return ["".join(span.text for span in row) for row in rows]


def dots_of(rows: Sequence[Row], role: Role | None = None) -> set[tuple[int, int]]:
    """Dots of a drawn chart as (column, row from the bottom), decoded from the characters."""
    found = set()
    for y, row in enumerate(rows[:PLOT_ROWS]):
        x = 0
        for span in row:
            for char in span.text:
                bits = ord(char) - 0x2800
                if 0 < bits < 256 and role in (None, span.role):
                    for bit, (dx, dy) in enumerate(
                        [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]
                    ):
                        if bits >> bit & 1:
                            down = y * 4 + dy
                            found.add(((x - PLOT_LEFT) * 2 + dx, PLOT_ROWS * 4 - 1 - down))
                x += 1
    return found


def test_each_braille_dot_has_the_bit_that_unicode_gives_it() -> None:
    canvas = Canvas(1, 1)
    seen = []
    for x in (0, 1):
        for y in range(4):
            canvas = Canvas(1, 1)
            canvas.dot(x, y, Role.SERIES)
            seen.append(canvas.row(0)[0].text)
    assert "".join(seen) == "⠁⠂⠄⡀⠈⠐⠠⢀"


def test_a_rising_line_goes_from_corner_to_corner() -> None:
    rows = draw(Chart((Series(((0.0, 0.0), (79.0, 79.0))),), (0, 79)), WIDTH, HEIGHT)
    dots = dots_of(rows)
    axis = y_axis(Chart((Series(((0.0, 0.0), (79.0, 79.0))),)), PLOT_ROWS)
    assert (0, 0) in dots
    assert (2 * PLOT_WIDTH - 1, axis.dot(79.0, PLOT_ROWS * 4)) in dots
    heights = [max(y for x, y in dots if x == column) for column in range(2 * PLOT_WIDTH)]
    assert heights == sorted(heights)


def test_every_value_stands_on_its_own_dot() -> None:
    points = ((0.0, 10.0), (1.0, None), (2.0, 40.0), (3.0, None), (4.0, 25.0))
    chart = Chart((Series(points),), (0, 4))
    rows = draw(chart, WIDTH, HEIGHT)
    horizontal, vertical = x_axis(chart, PLOT_WIDTH), y_axis(chart, PLOT_ROWS)
    expected = {
        (horizontal.dot(x, PLOT_WIDTH * 2), vertical.dot(y, PLOT_ROWS * 4))
        for x, y in points
        if y is not None
    }
    assert dots_of(rows) == expected, "isolated points, and nothing across the gaps"


def test_nan_and_infinity_leave_gaps() -> None:
    bad = Chart((Series(((0.0, 1.0), (1.0, float("nan")), (2.0, float("inf")), (3.0, 2.0))),))
    good = Chart((Series(((0.0, 1.0), (1.0, None), (2.0, None), (3.0, 2.0))),))
    assert text_of(draw(bad, WIDTH, HEIGHT)) == text_of(draw(good, WIDTH, HEIGHT))


def test_the_threshold_is_a_dashed_line_at_its_value() -> None:
    chart = Chart((Series(((0.0, 10.0), (9.0, 70.0))),), (0, 9), threshold=75.9)
    dots = dots_of(draw(chart, WIDTH, HEIGHT), Role.THRESHOLD)
    level = y_axis(chart, PLOT_ROWS).dot(75.9, PLOT_ROWS * 4)
    assert {y for _, y in dots} == {level}
    assert {x % 4 for x, _ in dots} == {0, 1}, "two dots on, two off"
    assert min(x for x, _ in dots) == 0


def test_the_projection_is_dotted_and_meets_the_threshold_at_its_epoch() -> None:
    chart = Chart(
        (Series(((0.0, 10.0), (20.0, 50.0)), Role.SECOND),),
        (0, 79),
        threshold=75.9,
        projection=((20.0, 50.0), (60.0, 75.9)),
    )
    across, down = PLOT_WIDTH * 2, PLOT_ROWS * 4
    horizontal, vertical = x_axis(chart, PLOT_WIDTH), y_axis(chart, PLOT_ROWS)
    dots = dots_of(draw(chart, WIDTH, HEIGHT), Role.PROJECTION)
    line = sorted(dots)
    assert horizontal.dot(20, across) <= line[0][0] and line[-1][0] <= horizontal.dot(60, across)
    slope = (vertical.dot(75.9, down) - vertical.dot(50, down)) / (
        horizontal.dot(60, across) - horizontal.dot(20, across)
    )
    for x, y in line:
        if y != vertical.dot(75.9, down):  # a cell shared with the threshold holds its dots too
            ideal = vertical.dot(50, down) + slope * (x - horizontal.dot(20, across))
            assert abs(y - ideal) <= 1
    assert len(line) < horizontal.dot(60, across) - horizontal.dot(20, across), "dotted"


def test_the_window_is_shaded_and_marked_on_the_axis() -> None:
    chart = Chart((Series(((0.0, 1.0), (39.0, 2.0))),), (0, 39), band=(6, 10))
    rows = draw(chart, WIDTH, HEIGHT)
    horizontal = x_axis(chart, PLOT_WIDTH)
    columns = [horizontal.dot(x, PLOT_WIDTH * 2) // 2 for x in (6, 10)]
    for row in rows[: PLOT_ROWS + 1]:
        shaded: set[int] = set()
        x = 0
        for span in row:
            if span.band:
                shaded |= set(range(x, x + len(span.text)))
            x += len(span.text)
        assert shaded == set(range(PLOT_LEFT + columns[0], PLOT_LEFT + columns[1] + 1))
    foot = text_of(rows)[PLOT_ROWS]
    heavy = {x - PLOT_LEFT for x, char in enumerate(foot) if char in "━╋"}
    assert heavy == set(range(columns[0], columns[1] + 1)), "a shape as well as a shade"


def test_tick_labels_stand_on_the_rows_of_their_values() -> None:
    chart = Chart((Series(((0.0, 4600.0), (9.0, 5032.9))),), (0, 9))
    rows = text_of(draw(chart, WIDTH, HEIGHT))
    axis = y_axis(chart, PLOT_ROWS)
    labelled = {
        PLOT_ROWS - 1 - y: float(row[:7])
        for y, row in enumerate(rows[:PLOT_ROWS])
        if row[:7].strip()
    }
    assert len(labelled) >= 4
    for row_from_bottom, value in labelled.items():
        assert axis.dot(value, PLOT_ROWS * 4) // 4 == row_from_bottom
    distances = {b - a for a, b in zip(sorted(labelled), sorted(labelled)[1:], strict=False)}
    assert len(distances) == 1, "equal steps"


@given(st.integers(-3, 12), st.integers(-5, 30), st.integers(-5, 30))
def test_a_line_straight_down_is_its_dots(x: int, one: int, other: int) -> None:
    line, dots = Canvas(4, 5), Canvas(4, 5)
    line.line(x, one, x, other, Role.SERIES)
    for y in range(min(one, other), max(one, other) + 1):
        dots.dot(x, y, Role.SERIES)
    assert [line.row(y) for y in range(5)] == [dots.row(y) for y in range(5)]


def test_a_thinned_series_sets_the_dots_of_the_whole_one() -> None:
    gaps = (2000, 2001, 3500)
    points = tuple((float(n), None if n in gaps else float(n * n % 997)) for n in range(4000))
    chart = Chart((Series(points),))
    across, up = x_axis(chart, PLOT_WIDTH), y_axis(chart, PLOT_ROWS)
    places = [
        None if y is None else (across.dot(x, PLOT_WIDTH * 2), up.dot(y, PLOT_ROWS * 4))
        for x, y in points
    ]
    whole = Canvas(PLOT_WIDTH, PLOT_ROWS)
    for before, here in itertools.pairwise(places):
        if before and here:
            (x0, y0), (x1, y1) = before, here
            whole.line(x0, 79 - y0, x1, 79 - y1, Role.SERIES)
    rows = [[Span(" " * PLOT_LEFT), *whole.row(y)] for y in range(PLOT_ROWS)]
    assert dots_of(draw(chart, WIDTH, HEIGHT), Role.SERIES) == dots_of(rows, Role.SERIES)


def test_a_long_series_keeps_its_extremes() -> None:
    points = tuple((float(n), 100.0) for n in range(20_000))
    spiked = (*points[:5000], (5000.0, 300.0), *points[5001:])
    chart = Chart((Series(spiked),), (0, 19_999))
    assert (
        x_axis(chart, PLOT_WIDTH).dot(5000, PLOT_WIDTH * 2),
        y_axis(chart, PLOT_ROWS).dot(300.0, PLOT_ROWS * 4),
    ) in dots_of(draw(chart, WIDTH, HEIGHT))


@given(
    st.lists(
        st.tuples(st.floats(-1e9, 1e9), st.one_of(st.none(), st.floats(allow_nan=True, width=64))),
        max_size=30,
    ),
    st.integers(0, 120),
    st.integers(0, 40),
)
def test_no_data_and_no_size_breaks_it(
    points: list[tuple[float, float | None]], width: int, height: int
) -> None:
    sane = [(x, y if y is None or abs(y) < 1e300 else None) for x, y in points]
    rows = draw(Chart((Series(tuple(sane)),), threshold=1.0), width, height)
    assert len(rows) in (0, height)
    assert all(len(row) == width for row in text_of(rows))


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.integers(1, 60))
def test_an_axis_holds_its_values(low: float, span: float, rows: int) -> None:
    high = low + span
    axis = nice_axis(low, high, rows)
    tolerance = 1e-6 * (axis.high - axis.low)
    assert axis.low <= low + tolerance and high <= axis.high + tolerance


@pytest.mark.parametrize("value", [77.36, -3.0, 1e-9])
def test_a_flat_line_has_an_axis_around_it(value: float) -> None:
    axis = nice_axis(value, value, 10)
    assert axis.low < value < axis.high


def test_a_flat_line_at_zero_has_an_axis_without_negative_values() -> None:
    axis = nice_axis(0.0, 0.0, 10)
    assert axis.low == 0.0
    assert axis.high >= 1.0
