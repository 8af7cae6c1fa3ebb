"""fastai's epochs as lists, and its table with bars."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation
from tests.support.logs import detected, only, read, scored


@pytest.mark.parametrize(
    "row",
    [
        "[{e}, 0.6379640102386475, 0.522223174571991, 0.76{e}499988079071, '01:02']\n",
        "(#5) [{e},0.637964,0.522223,0.76{e}499988079071,'01:02']\n",
    ],
)
def test_lists(row: str) -> None:
    text = "".join(row.format(e=e) for e in range(3))
    assert detected(text) == "fastai-list"
    events = read(text, "fastai-list")
    assert [(e.epoch, e.epoch_time) for e in only(events, EpochEnd)] == [(0, 62), (1, 62), (2, 62)]
    last = only(events, Evaluation)[-1]
    assert [(m.name, round(m.value, 3)) for m in last.metrics] == [
        ("valid_loss", 0.522),
        ("metric1", 0.762),
    ]
    assert scored(text)["run"]["epochs"] == 3


def test_other_lists_are_none() -> None:
    text = "[0, 1, 2]\n[0, 1.5, 2.5, 'a']\n[0, 0.5, 0.5, 0.5]\n['00:01']\n"
    assert read(text, "fastai-list")[:-1] == []
    assert detected(text * 5) == ""


def test_a_metric_without_a_value_and_a_run_without_metrics() -> None:
    text = "[0, 0.5, nan, None, 0.25, '00:01']\n[1, 0.5, 0.75, '00:01']\n"
    first, second = only(read(text, "fastai-list"), Evaluation)
    assert [m.name for m in first.metrics] == ["valid_loss", "metric2"]
    assert [m.name for m in second.metrics] == ["valid_loss"]


def test_the_table_among_the_drawings_of_its_bars() -> None:
    text = "\r\r\repoch     train_loss  valid_loss  accuracy  time    \n"
    for e in range(3):
        text += f"\rEpoch {e + 1}/3 : |█████---| 62.50% [25/40 00:00<00:00 0.3138]"
        text += (
            f"\rEpoch {e + 1}/3 :        \r{e:<10}0.313841    0.820413    0.77{e}000  00:01     \n"
        )
    found = scored(text)
    assert (found["run"]["epochs"], found["run"]["epochs_planned"]) == (3, 3)
    accuracy = found["dimensions"]["accuracy"]
    # The last row is named 2 and its bar 3: the run's epochs have the labels of the bars.
    assert (accuracy["value"], accuracy["epoch"]) == (0.772, 3)


ROWS = "0{s}0.9{s}0.5{s}0.25{s}00:41\n1{s}0.8{s}0.6{s}0.20{s}00:42\n2{s}0.7{s}0.4{s}0.22{s}00:43\n"


@pytest.mark.parametrize("between", [",", "      "])
def test_the_last_column_of_the_table_is_the_time_of_the_epoch(between: str) -> None:
    """An error rate is what is evaluated, though its name begins with neither split."""
    text = f"epoch,train_loss,valid_loss,error_rate,time\n{ROWS}".replace(",", between)
    card = scored(text.format(s=between))
    assert card["run_end"]["run_time_s"] == 41 + 42 + 43
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"], accuracy["lower_is_better"]) == (0.22, 0.2, True)


def test_the_times_of_another_table_may_be_times_of_day() -> None:
    card = scored("epoch,valid_loss,error_rate,time\n" + ROWS.format(s=",").replace(",0.9", ""))
    assert card["run_end"]["run_time_s"] is None


def test_a_training_that_no_longer_improves_is_finished() -> None:
    text = "epoch,train_loss,valid_loss,error_rate,time\n" + ROWS.format(s=",")
    assert scored(text)["status"] == "incomplete"
    assert scored(text + "No improvement since epoch 1: early stopping\n")["status"] == "finished"
