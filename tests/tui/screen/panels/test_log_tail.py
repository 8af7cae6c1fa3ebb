"""Which of the latest lines of a log are visible."""

from __future__ import annotations

import pytest

from sixdim.tui.screen.panels.logs.log_tail import LogTail


@pytest.mark.parametrize(
    ("last", "numbers"),
    [
        (41, range(38, 42)),
        (43, range(40, 44)),  # line 40 was visible before
        (44, range(37, 45)),  # no line was
        (60, range(53, 61)),
    ],
)
def test_half_of_a_full_view_is_emptied_only_if_the_other_half_was_visible(
    last: int, numbers: range
) -> None:
    tail = LogTail()
    lines = [(number, f"line {number}") for number in range(1, 61)]
    assert [number for number, _ in tail.visible(lines[:40], 8)] == [*range(33, 41)]
    assert [number for number, _ in tail.visible(lines[:last], 8)] == [*numbers]
