"""CatBoost: the lines are what version 1.2 prints."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Evaluation, Iteration
from tests.support.logs import detected, only, read, scored

LINES = (
    "0:\tlearn: 0.8125000\ttest: 0.7500000\tbest: 0.7500000 (0)\ttotal: 100ms\tremaining: 19.9s\n"
    "100:\tlearn: 0.9375000\ttest: 0.8750000\tbest: 0.8750000 (90)\ttotal: 2.1s\tremaining: 2s\n"
    "199:\tlearn: 1.0000000\ttest: 0.8125000\tbest: 0.8750000 (90)\ttotal: 1m 1.5s\tremaining: 0us\n"
)
CLOSING = "\nbestTest = 0.875\nbestIteration = 90\n\nShrink model to first 91 iterations.\n"


def test_the_speed_is_that_between_totals_far_enough_apart() -> None:
    events = only(read(LINES, "catboost"), Iteration)
    assert [(e.step, e.duration) for e in events] == [
        (0, None),
        (100, pytest.approx(0.02)),
        (199, pytest.approx(59.9 / 99)),
    ]
    assert [[(m.name, m.value) for m in e.values] for e in events][1] == [
        ("learn", 0.9375),
        ("test", 0.875),
    ]


def test_totals_that_are_rounded_to_three_digits() -> None:
    """250 iterations a second: from 10 s on, most totals equal the one before."""

    def total(seconds: float) -> str:
        return f"{1000 * seconds:.3g}ms" if seconds < 1 else f"{seconds:.3g}s"

    text = "".join(
        f"{n}:\tlearn: 0.5\ttotal: {total(0.004 * (n + 1))}\tremaining: 9s\n" for n in range(5000)
    )
    assert "10.3s" in text
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(250, rel=0.05), "it/s")
    found = [e.duration for e in only(read(text, "catboost"), Iteration) if e.duration]
    assert found[2000:] == pytest.approx([0.004] * len(found[2000:]), rel=0.05)
    assert len(found) > 4000


def test_figures_without_a_metrics_name_are_no_accuracy() -> None:
    assert detected(LINES) == "catboost"
    assert only(read(LINES, "catboost"), Evaluation) == []
    assert scored(LINES)["dimensions"]["accuracy"]["value"] is None


def test_a_metric_that_is_not_computed_of_what_it_learns_from() -> None:
    text = "20:\ttest: 0.75\tbest: 0.75 (20)\ttotal: 454ms\tremaining: 6.03s\n" * 3
    (event, *_) = only(read(text, "catboost"), Iteration)
    assert (event.step, [m.value for m in event.values]) == (20, [0.75])


def test_without_a_test_set() -> None:
    text = "0:\tlearn: 0.6925\ttotal: 1ms\tremaining: 9ms\n9:\tlearn: 0.5\ttotal: 10ms\tremaining: 0us\n"
    assert [e.step for e in only(read(text, "catboost"), Iteration)] == [0, 9]
    card = scored(text)
    assert (card["status"], card["run_end"]["run_time_s"]) == ("finished", pytest.approx(0.01))
    assert scored(text.replace(" 0us", " 1us"))["status"] == "incomplete"


def test_a_training_whose_metric_is_never_computed() -> None:
    """An AUC without a test set; the first line is the same as one of Lightning's tuner."""
    text = (
        "Learning rate set to 0.019582\n"
        "0:\ttotal: 10ms\tremaining: 9.99s\n"
        "500:\ttotal: 5.01s\tremaining: 4.99s\n"
        "999:\ttotal: 10s\tremaining: 0us\n"
    )
    assert detected(text) == "catboost"
    card = scored(text)
    assert (card["status"], card["run_end"]["run_time_s"]) == ("finished", 10)
    assert scored(4 * text)["warnings"] == []
    assert card["dimensions"]["speed"]["value"] == pytest.approx(100)


def test_a_training_is_over_where_no_time_remains_or_it_stops_early() -> None:
    """The closing lines after the last iteration are of the same training."""
    early = LINES[: LINES.index("199:")]
    for text in (LINES, LINES + CLOSING, early + CLOSING):
        card = scored(text)
        assert (card["status"], card["warnings"]) == ("finished", [])
    assert scored(early)["status"] == "incomplete"


@pytest.mark.parametrize("learn", ["learn: 0.5000000\t", ""])
def test_lines_with_several_test_sets(learn: str) -> None:
    text = "".join(
        f"{n}:\t{learn}test: 0.75\ttest1: 0.625\ttest2: 0.5\tbest: 0.5 ({n})\ttotal: {n // 10}00ms\t"
        "remaining: 1s\n"
        for n in range(10, 100, 10)
    )
    assert detected(text) == "catboost"
    events = only(read(text, "catboost"), Iteration)
    assert events[-1].duration == pytest.approx(0.01)
    assert ("test", 0.75) in {(m.name, m.value) for m in events[-1].values}
