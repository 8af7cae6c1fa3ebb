"""The screen as text at every size, against golden files and against what must hold anywhere.

`SIXDIM_UPDATE_GOLDEN=1` writes the files anew; read the difference before keeping it.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest
from rich._palettes import STANDARD_PALETTE
from rich.color import Color, ColorSystem

from sixdim.metrics.values.card import DIMENSIONS, Dimension, State
from sixdim.tui.screen.app import SixdimApp
from sixdim.tui.screen.panels.scorecard import dimension_rows
from sixdim.tui.screen.widgets.palettes import THEMES, Role
from sixdim.tui.screen.widgets.theme import style_of
from sixdim.tui.session.live.feed import Frame
from tests.support.screens import (
    ScriptedFeed,
    card_at,
    frame_at,
    look_at,
    on_screen,
    replay_feed,
    screen_text,
    screens,
    settle,
)

GOLDEN = Path(__file__).parent / "golden"
SIZES = {"tiny": (50, 12), "60x15": (60, 15), "80x24": (80, 24), "120x40": (120, 40)}
ALL_SIZES = [*SIZES.values(), (160, 48), (100, 30), (79, 23), (300, 90), (20, 4), (59, 40)]


def assert_golden(name: str, rows: list[str]) -> None:
    path = GOLDEN / f"{name}.txt"
    text = "\n".join(row.rstrip() for row in rows) + "\n"
    if os.environ.get("SIXDIM_UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SIZES)
def test_training(name: str) -> None:
    assert_golden(f"training-{name}", on_screen(ScriptedFeed([frame_at(34)]), SIZES[name]))


def row_text(name: str, figure: Dimension, width: int) -> str:
    return "".join(span.text for span in dimension_rows(name, figure, width, 0)[0]).rstrip()


def test_a_judged_metric_reads_on_the_screen_as_it_does_in_print() -> None:
    loss = Dimension(4.61e-05, "", State.FINAL)
    assert row_text("accuracy", loss, 50) == "Accuracy    4.61e-05       ● final"
    share = Dimension(0.76146, "fraction", State.FINAL)
    assert row_text("accuracy", share, 50) == "Accuracy      0.7615       ● final"


def test_a_narrow_scorecard_keeps_the_states_shape_and_cuts_no_unit() -> None:
    speed = Dimension(4938.9, "img/s", State.FINAL)
    assert row_text("speed", speed, 26) == "Speed       4938.9 img/s ●"
    assert row_text("speed", speed, 24) == "Speed       4938.9 ●"
    assert row_text("speed", speed, 37) == "Speed         4938.9 img/s ● final"


def test_frozen_at_160x48() -> None:
    rows = on_screen(ScriptedFeed([frame_at(65, frozen=True)]), (160, 48))
    assert_golden("frozen-160x48", rows)
    text = "\n".join(rows)  # the worked example
    for shown in ("4938.9 img/s", "77.36 %", "165.6 W", "30670.6 MiB", "4535.0 img/s", "FROZEN"):
        assert shown in text
    assert "5032.9  ▲ highest" in text and "4845.5  ▼ lowest" in text
    assert "target met at epoch 64" in text
    assert "needs a single-device run: --baseline LOG" in text


def test_charts_page_of_a_replay_at_80x24() -> None:
    rows = on_screen(replay_feed(frame_at(34, replay=True)), (80, 24), "2")
    assert_golden("replay-charts-80x24", rows)


def test_waiting_for_the_log() -> None:
    frame = replace(frame_at(0), log_lines=(), message="waiting for train.log")
    text = "\n".join(on_screen(ScriptedFeed([frame]), (120, 40)))
    assert "WAITING" in text
    assert "waiting for train.log" in text
    assert "no finished epoch yet" in text


def test_epochs_without_a_throughput_are_said_to_have_none() -> None:
    frame = frame_at(3)
    epochs = tuple(point._replace(throughput=None) for point in frame.snapshot.epochs)
    frame = replace(frame, snapshot=replace(frame.snapshot, epochs=epochs))
    text = "\n".join(on_screen(ScriptedFeed([frame]), (160, 48)))
    assert "no throughput yet" in text
    assert "no finished epoch yet" not in text


def at_each_size(frame: Frame) -> dict[tuple[int, int], list[str]]:
    """The rows of one screen that is resized; each fills it exactly."""

    async def run() -> dict[tuple[int, int], list[str]]:
        app = SixdimApp(ScriptedFeed([frame]))
        found: dict[tuple[int, int], list[str]] = {}
        async with app.run_test(size=ALL_SIZES[0]) as pilot:
            for size in ALL_SIZES:
                await pilot.resize_terminal(*size)
                await settle(pilot)
                found[size] = screen_text(app)
                assert len(found[size]) == size[1]
                assert {len(row) for row in found[size]} == {size[0]}
        return found

    return asyncio.run(run())


@pytest.mark.parametrize("frame", [frame_at(0), frame_at(65, frozen=True)])
def test_every_row_fills_the_screen_exactly(frame: Frame) -> None:
    assert len(at_each_size(frame)) == len(ALL_SIZES)


def test_a_resize_is_not_lost_while_the_process_is_held_up(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(start=time.monotonic(), step=0.01)  # each look at it is 10 ms later
    monkeypatch.setattr("textual._time.get_time", lambda: next(clock))
    assert len(at_each_size(frame_at(34))) == len(ALL_SIZES)


def test_no_word_is_cut() -> None:
    """Every word on a small screen is a word that a wide one shows, and every row is filled."""
    known = words_everywhere()
    for rows in at_each_size(frame_at(34)).values():
        for row in rows:
            for word in re.findall(r"[a-z]{3,}", row.lower()):
                assert word in known, f"{word!r} in {row!r}"


def words_everywhere() -> frozenset[str]:
    """The words of a screen with room for all of them."""
    shown = screens(ScriptedFeed([frame_at(34)]), (400, 120), ["l"], ["r"])
    found = frozenset(re.findall(r"[a-z]{3,}", " ".join(shown).lower()))
    return found | {"overview", "gpus", "charts", "and", "more", "devices"}


def test_numbers_do_not_move_what_stands_beside_them() -> None:
    def columns(frame: Frame) -> list[int]:
        rows = on_screen(ScriptedFeed([frame]), (120, 40))
        return [row.index(word) for word in DIMENSIONS for row in rows if word.capitalize() in row]

    small, large = frame_at(34), frame_at(34)
    figures = dict(large.snapshot.card.dimensions)
    figures["speed"] = figures["speed"]._replace(value=793486.2)
    card = large.snapshot.card._replace(dimensions=figures)
    large = replace(large, snapshot=replace(large.snapshot, card=card))

    def marks(frame: Frame) -> list[int]:
        rows = on_screen(ScriptedFeed([frame]), (120, 40))
        return [row.rindex("●") for row in rows if "Speed   " in row]

    assert marks(small) == marks(large) != []


def test_devices_say_what_they_cannot_and_why_they_are_slow() -> None:
    text = on_screen(ScriptedFeed([frame_at(34)]), (160, 48))
    row = next(row for row in text if re.search(r"│ 5 +n/a", row))
    assert "30.0 GiB" in row
    assert any("! power cap" in row for row in text)


def test_no_telemetry_says_why() -> None:
    frame = frame_at(34)
    why = "no GPU here: NVML is not installed"
    frame = replace(frame, snapshot=replace(frame.snapshot, readings=(), telemetry_note=why))
    assert any(why in row for row in on_screen(ScriptedFeed([frame]), (120, 40)))


@pytest.mark.parametrize("theme", THEMES)
def test_every_theme_tells_text_from_ground(theme: str) -> None:
    """WCAG 2.1 contrast of at least 4.5 for everything that is read (3 for frames: no text)."""

    def luminance(colour: Color | None) -> float:
        assert colour and colour.triplet
        parts = [c / 255 for c in colour.triplet]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for role in Role:
        for few, band in ((False, False), (True, False), (True, True)):
            style = style_of(theme, role, band, few)
            one, two = luminance(style.color), luminance(style.bgcolor)
            contrast = (max(one, two) + 0.05) / (min(one, two) + 0.05)
            least = 1.5 if role is Role.FRAME else 3.0 if band else 4.5
            assert contrast >= least, (role, few, band)


@pytest.mark.parametrize("theme", THEMES)
def test_a_terminal_of_16_colours_shows_exactly_the_colours_that_were_chosen(theme: str) -> None:
    for role, band in ((role, band) for role in Role for band in (False, True)):
        style = style_of(theme, role, band, few=True)
        for colour in (style.color, style.bgcolor):
            assert colour and colour.triplet
            sixteen = colour.downgrade(ColorSystem.STANDARD)
            assert sixteen.number is not None
            assert STANDARD_PALETTE[sixteen.number] == colour.triplet, (role, band)


def test_the_themes_show_the_same_text() -> None:
    steps = [["t"]] * (len(THEMES) - 1)
    assert len({*screens(ScriptedFeed([frame_at(34)]), (120, 40), *steps)}) == 1


def test_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = on_screen(ScriptedFeed([frame_at(65, frozen=True)]), (120, 40))
    monkeypatch.setenv("NO_COLOR", "1")

    def look(app: SixdimApp) -> tuple[list[str], set[str]]:
        assert app.no_color
        strips = app.screen._compositor.render_strips()
        colours = {
            colour.name
            for strip in strips
            for segment in strip
            if segment.style
            for colour in (segment.style.color, segment.style.bgcolor)
            if colour
        }
        return screen_text(app), colours

    rows, colours = look_at(look, ScriptedFeed([frame_at(65, frozen=True)]), (120, 40))
    assert rows == plain
    assert colours == set()


def test_the_svg_is_the_same_every_time() -> None:
    shots = [
        look_at(
            lambda app: app.export_screenshot(simplify=True),
            ScriptedFeed([frame_at(34)]),
            (120, 40),
        )
        for _ in range(2)
    ]
    assert shots[0] == shots[1]
    assert "4938.9" in shots[0]


def test_radar_against_a_reference() -> None:
    own, other = frame_at(65, frozen=True), card_at(65, frozen=True)
    dimensions = dict(other.dimensions)
    dimensions["speed"] = dimensions["speed"]._replace(value=4938.923798404513 / 1.25)
    dimensions["power"] = dimensions["power"]._replace(value=165.6 * 1.5)
    reference = other._replace(dimensions=dimensions)
    other_run = Frame(replace(own.snapshot, card=reference))
    runs = (Frame(own.snapshot), other_run)
    rows = on_screen(ScriptedFeed([replace(own, runs=runs)]), (120, 40), "r")
    shown = {
        m[1]: m[2] for row in rows if (m := re.search(r"\b[A-Z][a-z] (\w+) +([\d.]+|n/a)", row))
    }
    assert shown["Speed"] == "1.25"
    assert shown["Power"] == "1.50", "less power is better: outward"
    assert shown["Accuracy"] == "1.00"
    assert shown["Linearity"] == "n/a"
