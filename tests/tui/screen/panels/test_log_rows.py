"""A row of the log that is longer than the panel: the match is in sight, and nothing is wasted."""

from __future__ import annotations

import pytest

from sixdim.tui.screen.panels.logs.log_rows import page_rows
from sixdim.tui.screen.widgets.cells import row_width
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.search.page import PageRow

WIDTH = 60
TEXT = " ".join(f"word{n:03d}" for n in range(100))


@pytest.mark.parametrize("word", ["word000", "word004", "word050", "word098", "word099"])
def test_a_match_is_in_sight_wherever_it_stands(word: str) -> None:
    begin = TEXT.index(word)
    (row,) = page_rows([PageRow(7, TEXT, ((begin, begin + 7),), True)], WIDTH, follow=True)
    assert [span.text for span in row if span.role is Role.MATCH] == [word]
    assert row[0].text == "     7> "
    assert WIDTH - 9 <= row_width(row) <= WIDTH


def test_a_row_that_is_only_filtered_begins_at_its_beginning() -> None:
    begin = TEXT.index("word090")
    (row,) = page_rows([PageRow(7, TEXT, ((begin, begin + 7),))], WIDTH, follow=False)
    assert row[1].text.startswith("word000 ")
