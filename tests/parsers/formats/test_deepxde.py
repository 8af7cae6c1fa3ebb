"""DeepXDE's table, whose losses stand in brackets."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Evaluation, Iteration
from tests.support.logs import detected, only, read, scored

HEADER = "Step      Train loss              Test loss               Test metric   \n"
END = "\nBest model at step 2000:\n  train loss: 6.80e-05\n\n'train' took 11.963212 s\n\n"


def table(first: int, last: int, metrics: str = "[{m:.2e}]") -> str:
    rows = ""
    for step in range(first, last + 1, 1000):
        part = 1e-2 / (step + 1000)
        rows += f"{step:<9} [{part:.2e}, {3 * part:.2e}]    [{part:.2e}, {4 * part:.2e}]    "
        rows += metrics.format(m=10 * part) + "\n"
    return HEADER + rows


def test_the_loss_is_the_sum_of_its_terms() -> None:
    text = "Training model...\n\n" + table(0, 2000) + END
    assert detected(text) == "deepxde"
    events = read(text, "deepxde")
    trained = only(events, Iteration)
    assert [i.step for i in trained] == [0, 1000, 2000]
    assert [i.loss for i in trained] == pytest.approx([4e-5, 2e-5, 1.333e-5], rel=0.002)
    last = only(events, Evaluation)[-1]
    assert [m.name for m in last.metrics] == ["loss", "metric1"]
    assert [m.value for m in last.metrics] == pytest.approx([1.666e-5, 3.33e-5], rel=0.002)
    card = scored(text)
    assert card["run_end"]["run_time_s"] == 11.963212
    assert (card["status"], card["dimensions"]["speed"]["value"]) == ("finished", None)
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("loss", pytest.approx(1.666e-5, rel=0.002))


def test_a_second_optimizer_goes_on() -> None:
    text = table(0, 2000) + END + table(2000, 4000) + END.replace("11.96", "20.00")
    card = scored(text)
    assert card["status"] == "finished"
    assert card["run_end"]["run_time_s"] == pytest.approx(11.963212 + 20.003212)
    assert [i.step for i in only(read(text, "deepxde"), Iteration)][-1] == 4000


def test_a_run_without_metrics() -> None:
    text = table(0, 3000, "[]")
    assert detected(text) == "deepxde"
    assert {len(e.metrics) for e in only(read(text, "deepxde"), Evaluation)} == {1}


@pytest.mark.parametrize(
    "row",
    [
        *("12 [1, 2]", "1 [a] [b] [c]", "x [1.0] [1.0] []", "1 [1.0] [1.0]"),
        *("1 [nan8.5] [1.0] []", "1 [1.0, ] [1.0] []"),
    ],
)
def test_other_lists_are_none(row: str) -> None:
    assert only(read(f"{HEADER}{row}\n", "deepxde"), Iteration) == []
