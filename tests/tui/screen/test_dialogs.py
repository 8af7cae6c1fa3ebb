"""What the dialogs show is aligned, and nothing of it is cut off."""

from __future__ import annotations

import pytest

from sixdim.tui.screen.dialogs.detail import detail_rows
from sixdim.tui.screen.dialogs.explain import Explanation
from sixdim.tui.screen.dialogs.prompts import key_rows
from sixdim.tui.screen.panels.keys import KEYS
from sixdim.tui.session.live.feed import MOVE, SELECT


@pytest.mark.parametrize("width", [40, 59, 80, 160])
def test_the_list_of_keys_says_all_at_any_width(width: int) -> None:
    rows = [
        "".join(span.text for span in row) for row in key_rows(frozenset((MOVE, SELECT)), width)
    ]
    assert max(map(len, rows)) <= width
    said = " ".join(" ".join(rows).split())
    whole = [key.help for key in KEYS if key.help and key.help in said]
    assert len(whole) == sum(1 for key in KEYS if key.help)


def test_the_longest_name_of_a_fact_does_not_touch_its_text() -> None:
    facts = (("speed", "4944.3 img/s"), ("example arithmetic", "4943.666666666667"))
    _, _, *rows = detail_rows(Explanation("Speed", facts, ()), None, 80)
    assert [len(row[0].text) for row in rows] == [20, 20]
    assert [row[1].text for row in rows] == [text for _, text in facts]
