"""Looking closer: cursor, zoom, scale, hidden panels, explanations and copies."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable

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
    looks_at,
    on_screen,
    press,
    replay_feed,
    screen_text,
    screens,
    settle,
    throughput_of,
)

SIZE = (120, 40)
FEED = ScriptedFeed([frame_at(34)])


def screens_after(*steps: Iterable[str]) -> list[str]:
    """The screen once it is open, and after the keys of each step."""
    return screens(FEED, SIZE, *steps)


def test_the_cursor_begins_at_the_newest_epoch_and_arrows_move_it() -> None:
    steps = (["i"], ["left", "left"], ["right"] * 3, ["escape"], ["i"], ["i"])
    _, begun, left, right, gone, again, off = screens_after(*steps)
    newest = f"epoch 33: {throughput_of(33):.1f}"
    assert newest in begun and newest in right and newest in again
    assert f"epoch 31: {throughput_of(31):.1f}" in left
    assert "epoch 33:" not in gone and "epoch 33:" not in off


def test_arrows_of_a_replay_step_epochs_until_a_chart_has_the_cursor() -> None:
    feed = replay_feed(frame_at(34, replay=True))
    on_screen(feed, SIZE, "left", "i", "left", "+", "escape", "left", "+")
    requests = [item for item in feed.requests if item != "stop"]
    assert requests == [("step", -1), ("step", -1), ("speed", 2.0)]


def test_zoom_pan_and_back() -> None:
    steps = (["i"], ["+", "+"], ["<"], ["0"], ["+", "+"], ["-", "-"])
    _, whole, near, aside, back, _, far = screens_after(*steps)
    assert "zoomed: 0 shows all" in near and "zoomed" not in whole
    assert aside != near
    assert back == whole == far


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
    _, logarithmic, linear = screens_after(["s"], ["s"])
    assert "log scale" in logarithmic and "log scale" not in linear


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
    steps = (["3", "x"], ["X"], ["3", "x"], ["3"], ["4", "x", "5", "x"])
    begun, hidden, back, _, by_number, without_charts = screens_after(*steps)
    assert "Telemetry" not in hidden and "Speed: " in hidden
    assert "Telemetry" in back and back.replace("━", "─") == begun.replace("━", "─")
    assert "Telemetry" in by_number, "its number shows it again"
    assert "Throughput" not in without_charts


def test_the_number_of_a_panel_shows_it_where_there_are_few_rows() -> None:
    begun, none, log, hidden, again = screens_after(["8"], ["6"], ["x"], ["l"])
    assert "Events" not in begun and "Epoch: [34]" not in begun
    assert "Series: this run has none" in none
    assert "Epoch: [34]" in log and "Epoch: [34]" not in hidden
    assert "Epoch: [34]" in again, "and so does the key of the log"
    assert "Events" in screens_after(["7"])[-1]


def test_a_tab_says_that_it_cannot_be_hidden() -> None:
    rows = on_screen(FEED, (80, 24), "tab", "x")
    assert "only one of several panels side by side can be hidden" in rows[-1]


def test_enter_on_an_epoch_shows_its_lines() -> None:
    _, text, closed = screens_after(["i", "left", "enter"], ["escape"])
    assert "Epoch 32 of train.log" in text
    first = 20 + 40 * 32
    assert f"{first}  text of line {first}" in text
    assert f"{first} to {first + 39}" in text
    assert "Epoch 32" not in closed


def test_enter_on_a_dimension_shows_how_it_was_computed() -> None:
    _, accuracy, speed = screens_after(["1", "down", "down", "enter"], ["escape", "2", "enter"])
    assert "Accuracy of train.log" in accuracy and "six_dimension_howto" in accuracy
    assert "4938.923798404513 img/s" in speed, "with all its digits"
    assert "without the highest and the lowest" in speed


def test_y_copies_the_figure_with_its_lines() -> None:
    feed = ScriptedFeed([frame_at(65, frozen=True)])
    steps = (["y"], ["2", "y"], ["enter", "y"], ["escape", "i", "y"])
    _, card, speed, explained, epoch = looks_at(lambda app: app.clipboard, feed, SIZE, *steps)
    assert "Scorecard of train.log" in card and "stability:" in card
    assert "speed: 4938.923798404513 img/s" in speed
    assert explained == speed
    first = 20 + 40 * 64
    assert all(f"  {n}: text of line {n}\n" in epoch for n in range(first, first + 40))


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
            while not (app.frame and app.frame.snapshot.card.run_end) and time.monotonic() < until:
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
