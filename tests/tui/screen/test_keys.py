"""Every key does what the table says of it."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from textual import events
from textual.widgets._toast import Toast

from sixdim.tui.screen.app import KEY_S, SixdimApp
from sixdim.tui.screen.dialogs.prompts import Help, Prompt
from sixdim.tui.screen.panels import bars, keys
from sixdim.tui.screen.widgets.palettes import THEMES
from sixdim.tui.session.live.feed import MOVE, SELECT, Frame
from tests.support.screens import (
    ScriptedFeed,
    card_at,
    frame_at,
    hostile_frame,
    look_at,
    looks_at,
    on_screen,
    press,
    replay_feed,
    screen_text,
    screens,
    settle,
)

SIZE = (120, 40)


REQUESTS: list[tuple[str, list[object]]] = [
    ("space", ["pause"]),
    ("left", [("step", -1)]),
    ("right right", [("step", 1), ("step", 1)]),
    ("+", [("speed", 2.0)]),
    ("=", [("speed", 2.0)]),
    ("-", [("speed", 0.5)]),
    ("end", ["end"]),
    ("g 6 4 enter", [("epoch", 64)]),
    ("g escape", []),
    ("g enter", []),
    ("g x enter 7 enter", [("epoch", 7)]),
    ("e", ["export"]),
]


def test_the_feed_gets_the_request() -> None:
    feed = replay_feed(frame_at(34, replay=True))
    steps = (presses.split() for presses, _ in REQUESTS)
    counts = looks_at(lambda _: len(feed.requests), feed, SIZE, *steps)
    requests = [feed.requests[begin:end] for begin, end in pairwise(counts)]
    assert requests == [expected for _, expected in REQUESTS]


def test_a_feed_gives_way_to_each_key() -> None:
    class Reading(ScriptedFeed):
        def __init__(self) -> None:
            super().__init__([frame_at(34)])
            self.waits: list[float] = []

        def pause_reading(self, seconds: float) -> None:
            self.waits.append(seconds)

    untouched, typed = Reading(), Reading()
    on_screen(untouched, SIZE)
    on_screen(typed, SIZE, "l")
    assert KEY_S in typed.waits
    assert KEY_S not in untouched.waits


def test_a_live_feed_gets_no_request_of_a_replay() -> None:
    feed = ScriptedFeed([frame_at(34)])
    on_screen(feed, SIZE, "space", "left", "right", "+", "-", "g", "end")
    assert feed.requests == ["stop"]


def test_q_ends_with_code_0_and_stops_the_feed() -> None:
    feed = ScriptedFeed([frame_at(34)])
    code = look_at(lambda app: (app.return_code, app.return_value), feed, SIZE, "q")
    assert code == (0, 0)
    assert feed.requests == ["stop"]


def test_ctrl_c_says_how_to_quit_without_markup() -> None:
    feed = ScriptedFeed([frame_at(34)])
    footer = look_at(lambda app: screen_text(app)[-1], feed, SIZE, "ctrl+c")
    assert "press q to quit" in footer and "[b]" not in footer
    assert feed.requests == ["stop"], "only the end of the test stopped it"


def test_a_notice_that_is_given_again_stands_as_long_as_a_new_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bars, "NOTICE", 1.0)

    async def run() -> tuple[str, str]:
        app = SixdimApp(ScriptedFeed([frame_at(34)]))
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            for pause in (0.7, 0.5):
                await press(pilot, "ctrl+c")
                await asyncio.sleep(pause)
            again = screen_text(app)[-1]
            await asyncio.sleep(0.7)
            await settle(pilot)
            return again, screen_text(app)[-1]

    again, after = asyncio.run(run())
    assert "press q to quit" in again and "press q to quit" not in after


def test_space_holds_a_live_view_and_lets_go() -> None:
    feed = ScriptedFeed([frame_at(33)])

    async def run() -> tuple[str, str, str]:
        app = SixdimApp(feed)
        async with app.run_test(size=SIZE, notifications=True) as pilot:
            await settle(pilot)
            await press(pilot, "space")
            assert feed.publish
            feed.publish(frame_at(50))
            await pilot.pause(0.15)
            held = screen_text(app)[0]
            await press(pilot, "space")
            await settle(pilot)
            released = screen_text(app)[0]
            body = "\n".join(screen_text(app))
        return held, released, body

    held, released, body = asyncio.run(run())
    assert "epoch 33/90" in held and "DISPLAY PAUSED" in held
    assert "epoch 50/90" in released and "PAUSED" not in released
    assert "in epoch 49" in body


def test_l_shows_and_hides_the_log() -> None:
    feed = ScriptedFeed([frame_at(34)])
    small, large = screens(feed, SIZE, ["l"], ["l"]), screens(feed, (160, 48), ["l"])
    assert ["─ Log ─" in text for text in small] == [False, True, False]
    assert ["─ Log ─" in text for text in large] == [True, False]


def test_r_draws_the_radar_and_takes_it_back() -> None:
    frame = frame_at(34)
    other = replace(frame.snapshot, card=card_at(65, frozen=True))
    runs = (Frame(frame.snapshot), Frame(other))
    feed = ScriptedFeed([replace(frame, runs=runs)])
    table, radar, back = screens(feed, SIZE, ["r"], ["r"])
    assert "1.00 = train.log" in radar
    assert back == table


def test_r_with_nothing_to_compare_says_so_and_the_figures_stay() -> None:
    rows = "\n".join(on_screen(ScriptedFeed([frame_at(34)]), SIZE, "r"))
    assert "no radar: it compares three" in rows
    # (4910.80 + 4980.22 + 4925.75) / 3, the means of epochs 6, 7 and 9 in the sample's log.
    assert re.search(r"Speed +4938\.9 img/s", rows)
    assert "1.00 =" not in rows


def test_z_enlarges_the_focused_panel_and_shrinks_it_again() -> None:
    steps = (["4", "z"], ["z"], ["z"], ["escape"])
    _, alone, back, again, escaped = screens(ScriptedFeed([frame_at(34)]), SIZE, *steps)
    assert re.search(r"^┏━ Throughput.*┓$", alone, re.MULTILINE)
    assert "Scorecard" not in alone and "Scorecard" not in again
    assert "Scorecard" in back and "Scorecard" in escaped


def test_tab_goes_through_the_panels() -> None:
    steps = [["tab"]] * 5 + [["shift+tab"]]
    seen = [
        text.split("┏━ ")[1].split()[0].strip(",:")
        for text in screens(ScriptedFeed([frame_at(34)]), SIZE, *steps)[1:]
    ]
    names = ["Throughput", "Accuracy", "Speed", "Telemetry", "Scorecard"]
    assert seen == [*names, "Telemetry"]


@pytest.mark.parametrize(
    "walk",
    [
        "2 Throughput, 3 Telemetry, 4 Log, 9 Log, 1 Accuracy",
        "right Throughput, right Telemetry, right Log, right Scorecard, left Log",
        "tab Throughput, tab Accuracy, tab Telemetry, shift+tab Accuracy",
        "left Log, shift+tab Telemetry",
        "shift+tab Scorecard, l Log, l Speed",
    ],
)
def test_tabs_at_80x24(walk: str) -> None:
    steps = [step.split() for step in walk.split(", ")]
    begun, *seen = screens(ScriptedFeed([frame_at(34)]), (80, 24), *([key] for key, _ in steps))
    assert all(f"─ {panel}" in begun for panel in ("Scorecard", "Accuracy", "Speed"))
    for text, (_, panel) in zip(seen, steps, strict=True):
        assert re.search(f"[━─] {panel}", text), (panel, text)


def test_each_panel_has_a_tab_at_60x15() -> None:
    names = ["Scorecard", "Speed", "Telemetry", "Throughput", "Accuracy", "Log", "Events"]
    seen = screens(ScriptedFeed([frame_at(34)]), (60, 15), *"1234567")[1:]
    for number, (name, text) in enumerate(zip(names, seen, strict=True), 1):
        rows = text.splitlines()
        assert f"[{number} {name}]" in rows[1]
        assert rows[2].startswith(f"┏━ {name}")


def test_t_goes_round_the_themes() -> None:
    presses = "t" * len(THEMES)
    themes = looks_at(lambda app: app.theme, ScriptedFeed([frame_at(34)]), SIZE, *presses)
    assert themes == [*THEMES, THEMES[0]]


def test_question_mark_lists_every_key_and_closes() -> None:
    feed = ScriptedFeed([frame_at(34, replay=True)], frozenset({MOVE, SELECT}))
    steps = (["?"], ["escape"], ["?"], ["q"], ["?"], ["?"])
    seen = looks_at(lambda a: (isinstance(a.screen, Help), screen_text(a)), feed, SIZE, *steps)
    assert [opened for opened, _ in seen] == [False, True, False, True, False, True, False]
    rows = seen[1][1]
    for key in keys.KEYS:
        if key.help:
            assert any(key.symbol in row and key.help in row for row in rows), key


def test_help_of_a_live_view_has_no_replay_keys() -> None:
    rows = on_screen(ScriptedFeed([frame_at(34)]), SIZE, "?")
    assert not any("Replay twice as fast" in row for row in rows)


def test_a_letter_typed_into_a_question_is_only_a_letter() -> None:
    feed = ScriptedFeed([frame_at(34)])

    def state(app: SixdimApp) -> tuple[bool, str]:
        return bool(app.screen.query(Prompt)), app.theme

    assert look_at(state, feed, SIZE, "/", *"qt?") == (True, THEMES[0])


def test_the_footer_shows_what_can_be_done() -> None:
    live = on_screen(ScriptedFeed([frame_at(34)]), (160, 48))[-1]
    replayed = on_screen(replay_feed(frame_at(34, replay=True)), (160, 48))[-1]
    assert "Epoch" not in live and "Speed" not in live
    for shown in ("q Quit", "space Pause", "←→ Epoch", "+- Speed", "? Keys"):
        assert shown in replayed


def test_every_row_of_the_table_has_an_action() -> None:
    for key in keys.KEYS:
        if key.action:
            name = key.action.split("(")[0]
            assert hasattr(SixdimApp, f"action_{name}"), key
    labels = {key.label for key in keys.KEYS if key.label}
    assert labels == {key.label for key in keys.footer(frozenset({MOVE, SELECT}))}


def test_a_click_on_the_footer_is_the_key() -> None:
    feed = replay_feed(frame_at(34, replay=True))

    async def run() -> None:
        app = SixdimApp(feed)
        async with app.run_test(size=SIZE, notifications=True) as pilot:
            await settle(pilot)
            column = screen_text(app)[-1].index("Pause")
            await pilot.click("Footer", offset=(column, 0))
            await settle(pilot)

    asyncio.run(run())
    assert feed.requests == ["pause", "stop"]


def test_clicks_on_a_toast_that_goes_do_nothing() -> None:
    """Until the next layout it is still at its place, and no longer a part of the screen."""

    async def run() -> bool:
        app = SixdimApp(ScriptedFeed([frame_at(34)]))
        async with app.run_test(size=SIZE, notifications=True) as pilot:
            await press(pilot, "question_mark")
            app.notify("said while a dialog is open", timeout=60)
            await settle(pilot)
            (toast,) = app.screen.query(Toast)
            x, y = toast.region.x + 5, toast.region.y + 1
            toast.remove()
            for _ in range(20):
                click = (x, y, 0, 0, 1, False, False, False)
                app.screen._forward_event(events.MouseDown(None, *click, screen_x=x, screen_y=y))
                await asyncio.sleep(0)
            return app.is_running and not app.screen.query(Toast)

    assert asyncio.run(run())


def test_export_says_what_it_wrote() -> None:
    async def run() -> list[str]:
        app = SixdimApp(ScriptedFeed([frame_at(34)]))
        async with app.run_test(size=SIZE, notifications=True) as pilot:
            await settle(pilot)
            await press(pilot, "e")
            await app.workers.wait_for_complete()
            await settle(pilot)
            return screen_text(app)

    assert any("wrote train.card.json" in row for row in asyncio.run(run()))


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 48), (50, 12)])
def test_hostile_text_is_only_text(size: tuple[int, int]) -> None:
    feed = ScriptedFeed([hostile_frame()])
    presses = ("l", "r", "r", "z", "z", "e", "/", *"[/x]", "enter", "n", "?", "escape", "tab")
    (begun, _), (rows, metas) = looks_at(
        lambda app: (
            screen_text(app),
            [
                segment.style.meta
                for strip in app.screen._compositor.render_strips()
                for segment in strip
                if segment.style and "@click" in segment.style.meta
            ],
        ),
        feed,
        size,
        presses,
    )
    for left, right in ("┌┐", "└┘"):
        text = "\n".join(begun)
        assert text.count(left) - text.count(right) in (0, 1, 2), "axes have a corner of their own"
    assert all(row.isprintable() for row in rows)
    assert metas == [], "no text became a link"
    assert "stop" in feed.requests, "and the app lived until it was stopped"


def test_clicking_hostile_text_does_nothing() -> None:
    async def run() -> bool:
        app = SixdimApp(ScriptedFeed([hostile_frame()]))
        async with app.run_test(size=SIZE, notifications=True) as pilot:
            await settle(pilot)
            for y in range(1, 39, 4):
                await pilot.click(offset=(18, y))
            return app.is_running

    assert asyncio.run(run())


def test_the_log_stays_put_until_it_is_full_and_then_makes_room() -> None:
    """A full pane of eight rows; the ninth line moves it by half, the next three stay put."""
    lines = tuple((n, f"line {n}.") for n in range(1, 101))
    feed = ScriptedFeed([replace(frame_at(34), log_lines=lines[:40])])

    async def run() -> list[list[int]]:
        shown = []
        app = SixdimApp(feed)
        async with app.run_test(size=SIZE) as pilot:
            await press(pilot, "l")
            for last in (40, 41, 44, 45):
                assert feed.publish
                feed.publish(replace(frame_at(34), log_lines=lines[last - 40 : last]))
                await pilot.pause(0.15)
                await settle(pilot)
                rows = [row for row in screen_text(app) if "  line " in row]
                shown.append([int(row.split("line ")[1].split(".")[0]) for row in rows])
        return shown

    full, moved, filled, again = asyncio.run(run())
    assert full == list(range(33, 41))
    assert moved == list(range(38, 42))
    assert filled == list(range(38, 45))
    assert again == list(range(38, 46))
