"""The evaluations of logs that no format knows: which figure of a line, which line of a log."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.support.generated import read
from tests.support.loops import figures


def accuracies(lines: Iterable[str]) -> tuple[object, object, object]:
    """Metric, value and best of a card's accuracy."""
    card = read("\n".join([*lines, ""]).encode(), name="generic").card()
    found = card.dimensions["accuracy"]
    return found.details.get("metric"), found.value, found.details.get("best")


def _meter(name: str, *batches: tuple[float, float]) -> list[str]:
    """The lines of so many batches: the accuracy of each, and the mean of those so far."""
    last = len(batches)
    return [
        f"{name}: [{at}/{last}]  Time 0.12 (0.15)  Loss 0.7 (0.9)  Acc@1 {one} ({mean})"
        for at, (one, mean) in enumerate(batches, 1)
    ]


def _epochs(evaluations: Iterable[list[str]]) -> list[str]:
    return [
        line
        for epoch, lines in enumerate(evaluations)
        for line in (f"Epoch {epoch}: train loss {2 / (epoch + 1):.4f}", *lines)
    ]


@pytest.mark.parametrize("name", ["Test", "Val", "Validation"])
def test_the_mean_of_the_batches_is_the_accuracy_not_that_of_the_last_one(name: str) -> None:
    tests = [
        _meter(name, (90.0, 90.0), (61.0, 75.5)),
        _meter(name, (91.0, 91.0), (99.0, 95.0)),
        _meter(name, (92.0, 92.0), (88.0, 90.0)),
    ]
    assert accuracies(_epochs(tests)) == ("acc1", 90.0, 95.0)


def test_a_number_in_brackets_is_no_mean_where_no_batches_are_counted() -> None:
    # 71.5 with a deviation of 0.4.
    lines = [[f"Test: Acc@1 {60.5 + epoch} (0.4)"] for epoch in range(12)]
    assert accuracies(_epochs(lines)) == ("acc1", 71.5, 71.5)


def test_the_evaluation_of_averaged_weights_is_not_mixed_with_that_of_the_others() -> None:
    tests = [
        [*_meter("Test", (50.0 + epoch, 50.0 + epoch)), *_meter("Test (EMA)", (9.0, 9.0 + epoch))]
        for epoch in range(4)
    ]
    assert accuracies(_epochs(tests)) == ("acc1", 53.0, 53.0)


def test_a_table_of_single_classes_is_no_accuracy_nor_is_the_one_below_it() -> None:
    tables = [
        "| class  | AP     | class  | AP     | class  | AP     |",
        "|:------:|:------:|:------:|:------:|:------:|:------:|",
        "| person | 50.1   | car    | 31.2   | dog    | 60.3   |",
        "|   AP   |  AP50  |  AP75  |  APs   |  APm   |  APl   |",
        "| 35.286 | 56.410 | 37.949 | 17.048 | 37.683 | 50.504 |",
    ]
    metric, value, _best = accuracies(_epochs([tables] * 3))
    assert value not in (50.1, 31.2, 60.3, 56.41)
    assert (metric, value) in (("ap", 35.286), (None, None))


def test_a_key_whose_meaning_nobody_knows_does_not_say_of_what_the_others_are() -> None:
    lines = [f"[Epoch {n}] train=0.99 val=0.9{n} loss=0.01{n} time: 16.4" for n in range(6)]
    assert accuracies(lines) == (None, None, None)


def test_the_sentence_in_front_of_a_figure_says_of_which_data_it_is() -> None:
    lines = [
        line
        for e in (1, 2, 3)
        for line in (f"epoch {e}, loss: 0.5{e}", f"Evaluate on Dev Set. F1: 9{e}.25.")
    ]
    assert figures(lines)["tested"] == [(e, {"f1": 90.25 + e}) for e in (1, 2, 3)]
