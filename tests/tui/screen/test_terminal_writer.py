"""What goes to the terminal: the same picture as Textual's own writing, in fewer bytes."""

from __future__ import annotations

import asyncio
import itertools
import os
import subprocess
import sys

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate
from textual.app import App
from textual.strip import Strip

from sixdim.tui.screen import terminal_writer
from sixdim.tui.screen.app import SixdimApp
from sixdim.tui.screen.terminal_writer import CellUpdate, _in_full_sight, change_style
from tests.support.screens import ScriptedFeed, frame_at, look_at, settle

COLOURS = ("#d5dbe3", "#6cb6ff", "#ff7b72")
STYLES = [
    Style(color=fore, bgcolor=back, bold=bold, reverse=reverse)
    for fore in (None, *COLOURS)
    for back in (None, "#0f1318", "#1f2c3a")
    for bold in (None, True)
    for reverse in (None, True)
]
WIDTH, HEIGHT = 24, 3
CUTS = [0, 6, 17, WIDTH]


def painted(data: str) -> list[list[tuple[object, ...]]]:
    """The cells of a terminal after it read this."""
    screen = pyte.Screen(WIDTH, HEIGHT)
    pyte.Stream(screen).feed("\x1b[H" + "\r\n".join(["." * WIDTH] * HEIGHT) + "\x1b[H" + data)
    return [
        [
            (cell.data, cell.fg, cell.bg, cell.bold, cell.reverse)
            for cell in (screen.buffer[y][x] for x in range(WIDTH))
        ]
        for y in range(HEIGHT)
    ]


styles = st.sampled_from(STYLES)


@st.composite
def updates(draw: st.DrawFn) -> tuple[ChopsUpdate, list[list[tuple[str, Style]]]]:
    cells = [
        [(draw(st.sampled_from("ab4⠁")), draw(styles)) for _ in range(WIDTH)] for _ in range(HEIGHT)
    ]
    chops = [
        {
            start: Strip([Segment(char, style) for char, style in row[start:end]])
            for start, end in itertools.pairwise(CUTS)
        }
        for row in cells
    ]
    spans = []
    for y in range(HEIGHT):
        first = draw(st.integers(0, WIDTH - 1))
        spans.append((y, first, draw(st.integers(first + 1, WIDTH))))
    return ChopsUpdate(chops, spans, [CUTS[1:]] * HEIGHT), cells


@pytest.mark.slow
@given(updates())
def test_exactly_the_dirty_cells_are_painted_with_their_styles(
    case: tuple[ChopsUpdate, list[list[tuple[str, Style]]]],
) -> None:
    update, cells = case
    console = Console(color_system="truecolor", force_terminal=True)
    screen = painted(CellUpdate(update).render_segments(console))
    dirty = {(x, y) for y, first, last in update.spans for x in range(first, last)}
    for y in range(HEIGHT):
        for x in range(WIDTH):
            char, style = cells[y][x]
            if (x, y) not in dirty:
                assert screen[y][x] == (".", "default", "default", False, False)
                continue
            fore = style.color.name[1:] if style.color else "default"
            back = style.bgcolor.name[1:] if style.bgcolor else "default"
            assert screen[y][x] == (char, fore, back, bool(style.bold), bool(style.reverse))


@pytest.mark.slow
@given(updates())
def test_it_never_takes_more_bytes_than_textual(
    case: tuple[ChopsUpdate, list[list[tuple[str, Style]]]],
) -> None:
    update, _ = case
    console = Console(color_system="truecolor", force_terminal=True)
    ours = CellUpdate(update).render_segments(console)
    assert len(ours.encode()) <= len(update.render_segments(console).encode())


def test_a_number_in_one_style_costs_little_more_than_itself() -> None:
    style = Style(color="#d5dbe3", bgcolor="#0f1318")
    chops = [{0: Strip([Segment("speed 4938.9 img/s", style)])}]
    update = ChopsUpdate(chops, [(0, 8, 12)], [[18]])
    console = Console(color_system="truecolor", force_terminal=True)
    data = CellUpdate(update).render_segments(console)
    assert data == "\x1b[1;9H\x1b[38;2;213;219;227;48;2;15;19;24m38.9\x1b[m"


def test_sixteen_colours_are_written_as_sixteen_colours() -> None:
    red = Style(color="#800000", bgcolor="#000000")
    assert change_style(Style.null(), red, ColorSystem.STANDARD) == "\x1b[31;40m"


def test_a_panel_after_a_toast_is_left_to_textual() -> None:
    def in_sight(app: SixdimApp) -> set[str]:
        found = _in_full_sight(app.screen._compositor.visible_widgets)
        return {panel.id or type(panel).__name__ for panel, _ in found}

    feed = ScriptedFeed([frame_at(65)])
    panels = {"header", "Footer", "throughput", "accuracy", "speed", "telemetry", "log"}
    assert look_at(in_sight, feed, (160, 48)) == {*panels, "scorecard", "events"}

    async def with_toast() -> set[str]:
        app = SixdimApp(feed)
        async with app.run_test(size=(160, 48), notifications=True) as pilot:
            App.notify(app, "what Textual itself says")
            await settle(pilot)
            return in_sight(app)

    assert asyncio.run(with_toast()) == {*panels, "scorecard"}


@pytest.mark.parametrize("erases", [True, False])
def test_cells_of_one_style_are_written_together_and_blanks_are_erased(
    monkeypatch: pytest.MonkeyPatch, erases: bool
) -> None:
    """One SGR a style, however the runs lie; reversed blanks are no empty ground."""
    red, blue = Style(color="#ff0000", bgcolor="#101010"), Style(color="#0000ff", bgcolor="#101010")
    reverse = Style(color="#00ff00", bgcolor="#101010", reverse=True)
    blanks = " " * 7
    pieces = [
        (0, 2, [Segment("one", red), Segment("two", blue), Segment("three", red)]),
        (2, 3, [Segment("four", blue), Segment(blanks, red), Segment(blanks, reverse)]),
    ]
    monkeypatch.setattr(terminal_writer, "erases_in_colour", lambda: erases)
    data = terminal_writer.written(pieces, Console(color_system="truecolor", force_terminal=True))
    assert data.count("38;2;255;0;0") == 1
    assert data.count("\x1b[7X") == erases
    one_by_one = "\x1b[1;3H" + "".join(
        f"\x1b[0;38;2;{colour};48;2;16;16;16m{text}"
        for colour, text in (("255;0;0", "one"), ("0;0;255", "two"), ("255;0;0", "three"))
    )
    one_by_one += "\x1b[3;4H\x1b[0;38;2;0;0;255;48;2;16;16;16mfour"
    one_by_one += f"\x1b[38;2;255;0;0m{blanks}\x1b[38;2;0;255;0;7m{blanks}\x1b[m"
    texts = [[cell[0] for cell in row] for row in painted(data)]
    assert texts == [[cell[0] for cell in row] for row in painted(one_by_one)]


@pytest.mark.parametrize(("term", "erases"), [("xterm-256color", True), ("tmux-256color", False)])
def test_a_terminal_without_colour_erase_gets_blanks(term: str, erases: bool) -> None:
    code = (
        "from sixdim.tui.screen.terminal_writer import erases_in_colour; print(erases_in_colour())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "TERM": term},
        capture_output=True,
        text=True,
        check=True,
    )
    if erases and "False" in done.stdout:
        pytest.skip("no terminfo of it here")
    assert done.stdout.strip() == str(erases)
