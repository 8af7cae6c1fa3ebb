"""Logs into which two handlers write every line: each line counts once."""

from __future__ import annotations

import pytest

from sixdim.parsers.envelopes.inferred import is_copy
from sixdim.parsers.text.lines import Line
from tests.support.logs import scored

STEPS = 5
SECONDS = 7
"""Between two lines: an epoch's lines of 100 steps each give 100/7 steps a second."""


def _lines() -> list[str]:
    return [
        line
        for epoch in range(1, 13)
        for line in (
            f"Epoch {epoch}",
            *(f"step {100 * n}/500 loss {2 / epoch + 1 / n:.4f}" for n in range(1, STEPS + 1)),
            f"Validation: accuracy {0.5 + epoch * 0.03:.4f}",
        )
    ]


def _stamped(lines: list[str]) -> list[str]:
    times = range(0, SECONDS * len(lines), SECONDS)
    clocks = (f"2024-05-01 10:{t // 60:02}:{t % 60:02},123" for t in times)
    return [f"{clock} - INFO - {line}" for clock, line in zip(clocks, lines, strict=True)]


def _card(*handlers: list[str]) -> dict[str, object]:
    card = scored("".join(f"{line}\n" for lines in zip(*handlers, strict=True) for line in lines))
    dimensions = card["dimensions"]
    speed = dimensions["speed"]["value"]
    time = card["run_end"]["run_time_s"]
    return {"speed": speed, "accuracy": dimensions["accuracy"]["value"], "time": time}


@pytest.mark.parametrize("other", ["", "INFO:root:"])
def test_the_copies_of_a_second_handler_change_no_figure(other: str) -> None:
    lines = _lines()
    alone = _card(_stamped(lines))
    assert alone["speed"] == pytest.approx(100 / SECONDS)
    assert _card(_stamped(lines), [f"{other}{line}" for line in lines]) == alone


def test_lines_without_a_clock_in_front_of_their_copies_have_no_time() -> None:
    lines = _lines()
    assert _card(lines, _stamped(lines)) == {"speed": None, "accuracy": 0.86, "time": None}


@pytest.mark.parametrize(
    ("line", "last", "copy"),
    [
        (("Epoch 3", "INFO - Epoch 3"), ("Epoch 3", "Epoch 3"), True),
        (("Epoch 3", "10:01 Epoch 3"), ("Epoch 3", "10:00 Epoch 3"), False),  # written again
        (("Epoch 4", "INFO - Epoch 4"), ("Epoch 3", "Epoch 3"), False),
        (("-----", "INFO - -----"), ("-----", "-----"), False),  # no figure
    ],
)
def test_a_copy_has_another_envelope_than_the_line_before(
    line: tuple[str, str], last: tuple[str, str], *, copy: bool
) -> None:
    stripped = Line(2, 20, line[0]), Line(1, 0, last[0])
    assert is_copy(stripped[0], line[1], stripped[1], last[1]) is copy


def test_the_lines_of_another_rank_are_no_copies() -> None:
    other = Line(2, 20, "Epoch 3")
    other.rank = 1
    assert not is_copy(other, "[rank1]: Epoch 3", Line(1, 0, "Epoch 3"), "Epoch 3")
