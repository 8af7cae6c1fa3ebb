"""Only what changed is painted; nothing wraps, cuts a word or drops half a character."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.geometry import Region

from sixdim.tui.screen.widgets.cells import CellPanel, Row, Span, changed_runs, to_cells
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.text import choose, shorten, wrap
from tests.support.screens import HOSTILE


class Board(CellPanel):
    """Shows the rows it is given and counts how it was asked to refresh."""

    rows: list[Row]

    def __init__(self, *rows: str) -> None:
        super().__init__()
        self.rows = [[Span(row)] for row in rows]

    def paint(self, width: int, height: int) -> list[Row]:
        return self.rows


def regions_after(before: list[str], after: list[str]) -> list[Region]:
    board = Board(*before)

    class Host(App[None]):
        def compose(self) -> ComposeResult:
            yield board

    async def run() -> list[Region]:
        async with Host().run_test(size=(40, 4)) as pilot:
            board.repaint()
            await pilot.pause()
            board.rows = [[Span(row)] for row in after]
            return board.repaint()

    return asyncio.run(run())


def test_nothing_changed_refreshes_nothing() -> None:
    assert regions_after(["speed 4938.9 img/s"], ["speed 4938.9 img/s"]) == []


def test_one_changed_number_refreshes_its_cells_alone() -> None:
    assert regions_after(["speed 4938.9 img/s"], ["speed 4940.1 img/s"]) == [Region(8, 0, 4, 1)]


def test_changes_in_two_rows_are_two_regions() -> None:
    found = regions_after(["a 1", "b 2", "c 3"], ["a 9", "b 2", "c 8"])
    assert found == [Region(2, 0, 1, 1), Region(2, 2, 1, 1)]


def test_far_changes_in_a_row_are_apart_and_near_ones_together() -> None:
    old = to_cells([Span("1" + "." * 20 + "1..1")], 30)
    new = to_cells([Span("2" + "." * 20 + "2..2")], 30)
    assert list(changed_runs(old, new)) == [(0, 1), (21, 4)]


def test_a_change_of_colour_alone_is_a_change() -> None:
    old, new = (to_cells([Span("x", role)], 3) for role in (Role.GOOD, Role.BAD))
    assert list(changed_runs(old, new)) == [(0, 1)]


@pytest.mark.slow
@given(st.text(max_size=60), st.integers(1, 40))
def test_cells_are_exactly_the_width_and_printable(text: str, width: int) -> None:
    cells = to_cells([Span(text)], width)
    assert len(cells) == width
    joined = "".join(cell[0] for cell in cells)
    assert cell_len(joined) == width
    assert all(char.isprintable() for char in joined)


def test_a_wide_character_is_never_halved() -> None:
    assert "".join(cell[0] for cell in to_cells([Span("日本")], 3)) == "日 "


def test_a_span_holds_no_escape() -> None:
    text = Span(HOSTILE).text
    assert text.isprintable()
    assert text == "[@click=app.quit]x[/@click] [/x] end"


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (41, "needs a single-device run: --baseline LOG"),
        (40, "needs a single-device run: --baseline …"),
        (20, "needs a …"),
        (7, "needs …"),
        (1, "…"),
        (0, ""),
    ],
)
def test_shorten_keeps_whole_words(width: int, shown: str) -> None:
    assert shorten("needs a single-device run: --baseline LOG", width) == shown


@given(st.text(max_size=80), st.integers(0, 40))
def test_shorten_fits(text: str, width: int) -> None:
    assert cell_len(shorten(text, width)) <= width


@given(st.text(max_size=120), st.integers(1, 30), st.integers(1, 4))
def test_wrap_fits(text: str, width: int, lines: int) -> None:
    wrapped = wrap(text, width, lines)
    assert len(wrapped) <= lines
    assert all(cell_len(line) <= width for line in wrapped)


def test_choose_takes_the_fullest_that_fits() -> None:
    assert choose(12, "accuracy 61.3 % running", "accuracy 61", "61") == "accuracy 61"


def test_both_halves_of_a_wide_character_change_together() -> None:
    old, new = (to_cells((Span(text),), 6) for text in ("a你b", "a好b"))
    assert list(changed_runs(old, new)) == [(1, 2)]
