"""How the printed card names the lines of a log, and its last and best accuracy."""

from __future__ import annotations

import pytest

from sixdim.metrics.values.card import Caution, Dimension, Evidence, State, unknown
from sixdim.tui.export.printed import printed
from tests.support.screens import card_at

CARD = card_at(0)._replace(
    dimensions=dict.fromkeys(card_at(0).dimensions, unknown("not in the log")),
    end_to_end=unknown("not in the log"),
    target=None,
)


def _texts(lines: tuple[int, ...], count: int) -> list[str]:
    figure = Dimension(1.0, "", State.FINAL, evidence=Evidence(lines, count))
    dimensions = {**CARD.dimensions, "stability": figure._replace(details={"runs": 5, "base": 1})}
    card = CARD._replace(dimensions=dimensions, warnings=(Caution("a", "a warning", lines, count),))
    return [
        row.partition(mark)[2].strip(" []()")
        for row in printed(card).splitlines()
        for mark in ("base 1", "a warning")
        if mark in row
    ]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ((), ""),
        ((7,), "line 7"),
        ((7, 9), "lines 7, 9"),
        ((1, 2, 3, 4, 5), "lines 1, 2, 3, 4, 5"),
        ((1, 2, 3, 4, 5, 6), "lines 1, 2, 3, 4, 5 and 1 more"),
    ],
)
def test_lines_are_counted_that_are_not_named(lines: tuple[int, ...], said: str) -> None:
    assert _texts(lines, len(lines)) == [said, said]


def test_of_many_lines_a_warning_names_the_first_and_a_figure_both_ends() -> None:
    assert _texts((3, 4, 5, 6, 90), 40) == ["lines 3 to 90", "lines 3, 4, 5, 6, 90 and 35 more"]


def test_the_last_and_the_best_are_rounded_as_the_accuracy_is() -> None:
    end = {"run_time_s": None, "epochs": 3, "last": 28.176, "best": 30.9561}
    accuracy = CARD.dimensions["accuracy"]._replace(unit="%")
    card = CARD._replace(run_end=end, dimensions={**CARD.dimensions, "accuracy": accuracy})
    assert "3 epochs, last 28.18, best 30.96\n" in printed(card)
