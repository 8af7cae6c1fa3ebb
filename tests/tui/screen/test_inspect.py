"""Looking closer: cursor, zoom, scale, hidden panels, explanations and copies."""

from __future__ import annotations

import asyncio
import time

import pytest

from sixdim.tui.base.axis import LogAxis
from sixdim.tui.commands.demo import demo_request
from sixdim.tui.screen.app import SixdimApp
from sixdim.tui.screen.widgets.chart import Chart, Series, draw, x_at, y_axis
from sixdim.tui.screen.widgets.view import View
from sixdim.tui.session.replay.replay import ReplayFeed
from tests.support.screens import (
    ScriptedFeed,
    frame_at,
    look_at,
    on_screen,
    press,
    replay_feed,
    screen_text,
    settle,
    throughput_of,
)

SIZE = (120, 40)
FEED = ScriptedFeed([frame_at(34)])


def screen_after(*presses: str) -> str:
    return "\n".join(on_screen(FEED, SIZE, *presses))


def test_the_cursor_begins_at_the_newest_epoch_and_arrows_move_it() -> None:
    assert f"epoch 33: {throughput_of(33):.1f}" in screen_after("i")
    assert f"epoch 31: {throughput_of(31):.1f}" in screen_after("i", "left", "left")
    assert f"epoch 33: {throughput_of(33):.1f}" in screen_after("i", "left", "right", "right")
    assert "epoch 33:" not in screen_after("i", "escape")
    assert "epoch 33:" not in screen_after("i", "i")


def test_arrows_of_a_replay_step_epochs_until_a_chart_has_the_cursor() -> None:
    feed = replay_feed(frame_at(34, replay=True))
    on_screen(feed, SIZE, "left", "i", "left", "+", "escape", "left", "+")
    told = [item for item in feed.told if item != "stop"]
    assert told == [("step", -1), ("step", -1), ("speed", 2.0)]


def test_zoom_pan_and_back() -> None:
    whole = screen_after("i")
    near = screen_after("i", "+", "+")
    assert "zoomed: 0 shows all" in near and "zoomed" not in whole
    assert screen_after("i", "+", "+", "<") != near
    assert screen_after("i", "+", "+", "0") == whole
    assert screen_after("i", "+", "+", "-", "-") == whole


def test_a_view_keeps_its_cursor_in_sight() -> None:
    view = View((10.0, 20.0), 11.0)
    xs = [float(x) for x in range(40)]
    assert view.moved(xs, -3) == View((8.0, 18.0), 8.0)
    assert view.moved(xs, 100) == View((29.0, 39.0), 39.0)
    near = View(None, 20.0).zoomed((0.0, 40.0), 2.0)
    assert near.x_range == (10.0, 30.0)
    assert near.zoomed((0.0, 40.0), 0.25).x_range is None
    assert near.panned((0.0, 40.0), 2.0).x_range == (20.0, 40.0), "it ends where the axis does"
    assert near.zoomed((0.0, 40.0), 1e6).x_range == (19.0, 21.0)


def test_a_logarithmic_axis_puts_equal_ratios_at_equal_distances() -> None:
    chart = Chart((Series(((0.0, 0.01), (1.0, 0.1), (2.0, 1.0), (3.0, 0.0))),), log_scale=True)
    axis = y_axis(chart, 10)
    assert isinstance(axis, LogAxis)
    assert (axis.dot(0.01, 41), axis.dot(0.1, 41), axis.dot(1.0, 41)) == (0, 20, 40)
    assert {0.01, 0.1, 1.0} <= {round(tick, 9) for tick in axis.ticks()}
    assert "log scale" in screen_after("s") and "log scale" not in screen_after("s", "s")


def test_the_column_under_the_pointer_is_the_x_drawn_there() -> None:
    chart = Chart((Series(((0.0, 1.0), (50.0, 5000.0))),), (0.0, 89.0), cursor=50.0)
    rows = draw(chart._replace(series=()), 60, 12)
    plain = ["".join(span.text for span in row) for row in rows]
    column = next(n for n, char in enumerate(plain[3]) if char in "⠅⠨⡂⠂⠁")
    found = x_at(chart, column, 60, 12)
    assert found is not None and abs(found - 50) <= 89 / 50
    assert x_at(chart, 0, 60, 12) is None


def test_a_click_puts_the_cursor_there() -> None:
    async def run() -> str:
        app = SixdimApp(ScriptedFeed([frame_at(34)]))
        async with app.run_test(size=SIZE) as pilot:
            await settle(pilot)
            axis = next(row for row in screen_text(app) if "└┴" in row)
            await pilot.click("#throughput", offset=(axis.index("└┴") + 1, 10))
            await settle(pilot)
            return "\n".join(screen_text(app))

    assert f"epoch 0: {throughput_of(0):.1f}" in asyncio.run(run())


def test_hidden_panels_come_back() -> None:
    assert "Telemetry" not in screen_after("3", "x") and "Speed: " in screen_after("3", "x")
    assert "Throughput" not in screen_after("4", "x", "5", "x")
    assert screen_after("3", "x", "X") == screen_after()
    assert "Telemetry" in screen_after("3", "x", "3"), "its number shows it again"


def test_the_number_of_a_panel_shows_it_where_there_are_few_rows() -> None:
    assert "Events" not in screen_after() and "Epoch: [34]" not in screen_after()
    assert "Epoch: [34]" in screen_after("6") and "Events" in screen_after("7")
    assert "Epoch: [34]" in screen_after("6", "x", "l"), "and so does the key of the log"
    assert "Series: this run has none" in screen_after("8")


def test_a_tab_says_that_it_cannot_be_hidden() -> None:
    rows = on_screen(FEED, (80, 24), "tab", "x")
    assert "only one of several panels side by side can be hidden" in rows[-1]


def test_enter_on_an_epoch_shows_its_lines() -> None:
    text = screen_after("i", "left", "enter")
    assert "Epoch 32 of train.log" in text
    first = 20 + 40 * 32
    assert f"{first}  text of line {first}" in text
    assert f"{first} to {first + 39}" in text
    assert "Epoch 32" not in screen_after("i", "left", "enter", "escape")


def test_enter_on_a_dimension_shows_how_it_was_computed() -> None:
    text = screen_after("1", "down", "down", "enter")
    assert "Accuracy of train.log" in text and "six_dimension_howto" in text
    speed = screen_after("2", "enter")
    assert "4938.923798404513 img/s" in speed, "with all its digits"
    assert "without the highest and the lowest" in speed


def copied(*presses: str) -> str:
    feed = ScriptedFeed([frame_at(65, frozen=True)])
    return look_at(lambda app: app.clipboard, feed, SIZE, *presses)


def test_y_copies_the_figure_with_its_lines() -> None:
    speed = copied("2", "y")
    assert "speed: 4938.923798404513 img/s" in speed
    epoch = copied("i", "y")
    first = 20 + 40 * 64
    assert all(f"  {n}: text of line {n}\n" in epoch for n in range(first, first + 40))
    assert "Scorecard of train.log" in copied("y") and "stability:" in copied("y")
    assert copied("2", "enter", "y") == speed


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (50, 12), (160, 48)])
def test_the_keys_do_no_harm_at_any_size(size: tuple[int, int]) -> None:
    keys = ("i", "+", "<", ">", "s", "0", "enter", "escape", "x", "X", "z", "i", "left", "-", "y")
    rows = on_screen(FEED, size, *keys)
    assert {len(row) for row in rows} == {size[0]}


def test_a_replay_reads_the_lines_of_an_epoch_from_its_log() -> None:
    log, request = demo_request()

    async def run() -> str:
        app = SixdimApp(ReplayFeed(log, request, time.monotonic, speed=None))
        async with app.run_test(size=SIZE) as pilot:
            until = time.monotonic() + 120
            while not (app.snapshot and app.snapshot.card.run_end) and time.monotonic() < until:
                await pilot.pause(0.05)
            for name in ("2", "enter"):
                await press(pilot, name)
            await app.workers.wait_for_complete()
            await settle(pilot)
            return "\n".join(screen_text(app))

    text = asyncio.run(run())
    assert "lines 297, 338, 379, 420, 461" in text
    assert "Epoch: [6] Avg img/s: 4910.795658460139" in text
    assert "Epoch: [10] Avg img/s: 4845.4628560647725" in text


def test_max_goes_to_the_result_and_says_max_until_one_leaves_it() -> None:
    log, request = demo_request()
    feed = ReplayFeed(log, request, time.monotonic, speed=None)

    async def run() -> tuple[str, str]:
        app = SixdimApp(feed)
        async with app.run_test(size=(160, 48)) as pilot:
            until = time.monotonic() + 120
            while "CONVERGED" not in screen_text(app)[0] and time.monotonic() < until:
                await pilot.pause(0.05)
            end = screen_text(app)[0]
            await press(pilot, "left")
            while screen_text(app)[0] == end and time.monotonic() < until:
                await pilot.pause(0.05)
            return end, screen_text(app)[0]

    end, left = asyncio.run(run())
    assert "REPLAY max" in end
    assert "REPLAY 60x" in left
