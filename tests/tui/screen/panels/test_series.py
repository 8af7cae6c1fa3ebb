"""Charts of any series: what is drawn unasked, chosen, smoothed, and all at once."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable
from dataclasses import replace

import pytest

from sixdim.metrics.card.snapshot import Progress
from sixdim.metrics.fold.sums.series import MOST
from sixdim.metrics.fold.sums.series_fold import SeriesFold
from sixdim.metrics.values.series import SeriesView
from sixdim.parsers.events import Evaluation, Iteration, Metric, Origin
from sixdim.tui.screen.app import SixdimApp
from sixdim.tui.screen.dialogs.picker import PickerRows
from sixdim.tui.screen.panels.charts.plot import round_above
from sixdim.tui.screen.panels.charts.series_lines import drawn_count, lines_of, smooth_points
from sixdim.tui.screen.panels.charts.series_plot import SeriesPlot, _bucket_at, value_text
from sixdim.tui.screen.widgets.chart import draw
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.view import View, XAxis
from sixdim.tui.session.live.feed import Frame
from tests.support.screens import (
    ScriptedFeed,
    frame_at,
    on_screen,
    press,
    screen_text,
    screens,
    seen,
    settle,
)

SIZE = (120, 40)


def language_model(steps: int = 40, telemetry: str = "no GPU here") -> Frame:
    """A run counted in steps: loss, rate, learning rate, gradient norm, one validation."""
    fold = SeriesFold()
    for step in range(1, steps + 1):
        further = (Metric("lr", 1e-4 * step), Metric("grad norm", 2.0))
        fold.iteration(
            Iteration(
                Origin(step, 0),
                None,
                step,
                1000,
                5000.0 + step,
                "tokens/s",
                loss=9.0 - step / 10,
                values=further,
            )
        )
    fold.evaluation(Evaluation(Origin(99, 0), (Metric("loss", 5.5, "", False),), step=steps))
    shot = replace(
        frame_at(0).snapshot,
        progress=Progress(step=steps, steps=1000),
        series=fold.views(),
        target_value=None,
        readings=(),
        telemetry_note=telemetry,
    )
    return Frame(shot)


def screen(*presses: str) -> str:
    return "\n".join(on_screen(ScriptedFeed([language_model()]), SIZE, *presses))


def screens_after(*steps: Iterable[str], size: tuple[int, int] = SIZE) -> list[str]:
    """The screen once it is open, and after the keys of each step."""
    return screens(ScriptedFeed([language_model()]), size, *steps)


def test_a_language_model_begins_with_throughput_and_both_losses() -> None:
    text = screen()
    assert "Throughput, tokens/s" in text and "5,040.0 tokens/s" in text
    assert "─ Loss, val loss ─" in text
    assert "loss 5   ⠤ val loss 5.5" in text and "─ over steps ─" in text


@pytest.mark.parametrize("size", [SIZE, (160, 48)])
def test_without_devices_the_room_is_a_chart_s_above_one_line_that_says_why(
    size: tuple[int, int],
) -> None:
    (text,) = screens_after(size=size)
    assert "─ Lr ─" in text and "─ Telemetry ─" not in text
    assert text.count("no GPU here") == 1


def test_the_devices_come_back_with_their_readings() -> None:
    frame = language_model()
    shot = replace(frame.snapshot, readings=frame_at(34).snapshot.readings)
    feed = ScriptedFeed([frame, replace(frame, snapshot=shot)])
    text = "\n".join(on_screen(feed, SIZE))
    assert "─ Telemetry ─" in text and "─ Lr ─" not in text


def test_m_lists_every_series_with_its_count_and_newest_value() -> None:
    text = screen("m")
    for drawn in ("Series in the place of Throughput", "grad norm", "gradient norm", "5 of 5"):
        assert drawn in text
    row = next(row for row in text.splitlines() if "val loss" in row)
    assert row.split()[1:] == ["val", "loss", "loss", "1", "5.5", "┃"]


def test_what_is_typed_filters_and_enter_shows_it() -> None:
    _, filtered, text = screens_after(["m", *"grad"], ["enter"])
    assert "1 of 5" in filtered
    assert "━ Grad norm ━" in text and "Series in the place" not in text
    assert "─ Throughput, tokens/s ─" not in text


def test_the_kind_s_initials_find_a_series_and_escape_changes_nothing() -> None:
    begun, found, closed = screens_after(["m", *"gn"], ["escape"])
    assert "1 of 5" in found
    assert closed == begun


def test_blank_marks_several_and_the_first_entry_is_the_usual_chart_again() -> None:
    text = screen("m", *"loss", "space", "space", "enter")
    assert text.count("oss, val loss ━") == 1, "in the place of the throughput"
    back = screen("m", *"grad", "enter", "m", "space", "up", "up", "up", "up", "enter")
    assert "Throughput, tokens/s" not in back or "Grad norm" not in back


def test_the_tilde_smooths_and_says_so() -> None:
    _, smoothed, raw = screens_after(["~"], ["~"])
    assert "smoothed" in smoothed and "smoothed" not in raw


def loss_beside_epochs() -> Frame:
    """A run with epochs, and a series in the place of the GPUs."""
    shot, series = frame_at(3).snapshot, language_model().snapshot.series
    return Frame(replace(shot, series=series, readings=(), telemetry_note="no GPU here"))


def test_only_a_chart_with_a_smoothed_line_says_that_it_has_one() -> None:
    rows = on_screen(ScriptedFeed([loss_beside_epochs()]), (160, 48), "~")
    titles = [row for row in rows if "─ Throughput" in row or "─ Loss" in row]
    assert ["smoothed" in row for row in titles] == [False, True]


@pytest.mark.parametrize(("epochs", "axis"), [(1, "steps"), (2, "epochs")])
def test_an_epoch_of_unknown_length_is_drawn_over_its_steps(epochs: int, axis: str) -> None:
    """As OLMo: the steps of the run are counted, and all values of an epoch are at its number."""
    fold = SeriesFold()
    for number in range(20 * epochs):
        at = Origin(number, 0)
        fold.iteration(Iteration(at, number // 20, number, loss=float(number)))
    shot = replace(frame_at(0).snapshot, series=fold.views(), readings=())
    assert f"over {axis}" in "\n".join(on_screen(ScriptedFeed([Frame(shot)]), SIZE))


def test_evaluations_without_epoch_step_and_clock_are_drawn_over_the_log_s_lines() -> None:
    fold = SeriesFold()
    for number in range(1, 21):
        metrics = (Metric("loss", 1 / number, "", False),)
        fold.evaluation(Evaluation(Origin(50 * number, 0), metrics))
    shot = replace(frame_at(0).snapshot, series=fold.views(), readings=())
    text = "\n".join(on_screen(ScriptedFeed([Frame(shot)]), SIZE))
    assert "over lines" in text and "no val loss yet" not in text
    chart = SeriesPlot(("val loss",)).chart(Frame(shot), View())
    assert [x for x, _ in chart.series[0].points] == [50.0 * number for number in range(1, 21)]
    assert chart.x_span == (0.0, 1000.0)


def test_the_axis_goes_round_what_there_is() -> None:
    assert "over steps" in screen("a"), "there are no epochs: nothing changes"
    fold = SeriesFold()
    for number in range(30):
        at = Origin(number, 0, 60_000_000 * number)
        fold.iteration(Iteration(at, number // 10, number % 10, 10, loss=1.0))
    shot = replace(frame_at(0).snapshot, series=fold.views(), readings=())
    seen = screens(ScriptedFeed([Frame(shot)]), SIZE, ["a"], ["a"], ["a"], ["a"])
    for text, axis in zip(seen, ("epochs", "steps", "minutes", "lines", "epochs"), strict=True):
        assert f"over {axis}" in text


def test_a_cursor_says_the_values_of_a_place() -> None:
    _, last, before = screens_after(["i"], ["left"])
    assert "steps 40: throughput 5,040.0 tokens/s" in last
    assert "steps 39: throughput 5,039.0 tokens/s" in before


@pytest.mark.parametrize(("size", "pages"), [((120, 40), 1), ((80, 24), 2), ((60, 15), 5)])
def test_the_gallery_pages_through_all_series(size: tuple[int, int], pages: int) -> None:
    begun, *seen, closed = screens_after(["M"], *[["right"]] * pages, ["escape"], size=size)
    assert f"5 series, page 1 of {pages}" in seen[0]
    for name in ("loss", "val loss", "throughput", "lr", "grad norm"):
        assert any(f"─ {name} ─" in page for page in seen), name
    assert f"page 1 of {pages}" in seen[-1]
    assert closed == begun


@pytest.mark.parametrize("size", [(50, 12), (60, 15), (80, 24), (100, 30), (200, 60)])
def test_every_size_holds_the_charts(size: tuple[int, int]) -> None:
    async def run() -> None:
        app = SixdimApp(ScriptedFeed([language_model()]))
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            for key in ("", "m", "M", "2", "~", "a", "s"):
                if key:
                    await press(pilot, key)
                assert {len(row) for row in screen_text(app)} == {size[0]}, key

    asyncio.run(run())


def test_the_picker_lists_series_that_come_while_it_is_open() -> None:
    """It may be opened while a large log is still read."""
    full = language_model()
    feed = ScriptedFeed([replace(full, snapshot=replace(full.snapshot, series=()))])

    async def run() -> None:
        app = SixdimApp(feed)
        async with app.run_test(size=SIZE) as pilot:
            await settle(pilot)
            for key in "mgrad":
                await press(pilot, key)
            await seen(app, pilot, "0 of 0")
            assert feed.publish is not None
            feed.publish(full)
            await seen(app, pilot, f"1 of {len(full.snapshot.series)}")
            await press(pilot, "enter")
            await seen(app, pilot, "━ Grad norm ━")

    asyncio.run(run())


def test_the_current_series_stays_the_current_one_when_others_come() -> None:
    views = language_model().snapshot.series
    rows = PickerRows(views[1:], "Loss", ())
    rows.move(1)
    rows.show(views)
    assert rows.answer() == (views[1].name,)
    rows.show(views[:1])
    assert rows.answer() == ()


def view_of(values: list[float]) -> SeriesView:
    fold = SeriesFold()
    for step, value in enumerate(values):
        fold.iteration(Iteration(Origin(step + 1, 0), None, step, loss=value))
    return fold.views()[0]


def test_the_smoothed_line_is_the_unbiased_moving_average() -> None:
    values = [4.0, 2.0, 3.0]
    expected = [
        4.0,
        (0.9 * 0.1 * 4 + 0.1 * 2) / (1 - 0.9**2),
        (0.81 * 0.1 * 4 + 0.9 * 0.1 * 2 + 0.1 * 3) / (1 - 0.9**3),
    ]
    found = [y for _, y in smooth_points(XAxis.STEP, view_of(values))]
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(("count", "lines"), [(1, 1), (2, 1), (3, 2), (4, 2)])
def test_a_series_of_three_values_has_a_smoothed_line(count: int, lines: int) -> None:
    view = view_of([float(value) for value in range(count)])
    assert len(lines_of(XAxis.STEP, view, Role.SERIES, smooth=True)) == lines
    assert len(lines_of(XAxis.STEP, view, Role.SERIES, smooth=False)) == 1


@pytest.mark.parametrize(
    ("x", "number"), [(-1.0, 0), (0.0, 0), (0.5, 1), (1.0, 1), (1.5, 2), (2.0, 2), (9.0, 2)]
)
def test_a_place_belongs_to_the_next_bucket_and_after_all_to_the_last(
    x: float, number: int
) -> None:
    assert _bucket_at(XAxis.STEP, view_of([5.0, 6.0, 7.0]), x) == number


@pytest.mark.parametrize(
    ("count", "drawn"), [(1, 1), (127, 127), (128, 128), (129, 128), (385, 384)]
)
def test_a_long_series_is_drawn_anew_for_a_whole_column_of_dots(count: int, drawn: int) -> None:
    assert count <= MOST
    assert drawn_count(view_of([0.5] * count)) == drawn


@pytest.mark.parametrize(("reached", "end"), [(1, 1), (1.01, 1.5), (200, 200), (201, 300), (0, 1)])
def test_an_axis_ends_on_a_round_number(reached: float, end: float) -> None:
    assert round_above(reached) == end


@pytest.mark.parametrize(
    ("value", "drawn"), [(0.000134, "0.000134"), (5432.1, "5,432.1"), (float("nan"), "nan")]
)
def test_values_have_four_digits(value: float, drawn: str) -> None:
    assert value_text(value) == drawn


def test_a_series_that_is_called_usual_is_chosen_and_marked_like_any_other() -> None:
    fold = SeriesFold()
    metrics = (Metric("usual", 1.0), Metric("unusual", 2.0))
    fold.iteration(Iteration(Origin(1, 0), None, 1, values=metrics))
    for keys, answer in (("", ()), ("v", ("usual",)), ("v  ", ("usual", "unusual"))):
        rows = PickerRows(fold.views(), "Loss", ())
        for key in keys:
            rows.mark() if key == " " else rows.move(1)
        assert rows.answer() == answer, keys


def test_a_series_whose_newest_value_has_no_place_is_drawn_up_to_its_last_place() -> None:
    """Of a table that is half written, the row with the step has not come yet."""
    fold = SeriesFold()
    for step in (*range(1, 31), None):
        line = Iteration(Origin(step or 31, 0), None, step, None, None, loss=9.0)
        fold.iteration(line)
    shot = replace(
        frame_at(0).snapshot, progress=Progress(step=30), series=fold.views(), evaluations=()
    )
    (view,) = (one for one in shot.series if one.name == "loss")
    assert math.isnan(view.steps[-1])
    plot = SeriesPlot(("loss",))
    for axis in XAxis:
        chart = plot.chart(Frame(shot), View(axis=axis))
        assert chart.x_span == (0.0, 50.0 if axis is XAxis.LINE else 30.0)
        assert draw(chart, 60, 9)
