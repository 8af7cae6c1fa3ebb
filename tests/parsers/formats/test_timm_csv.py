"""timm's summary.csv: a row is an epoch and its evaluation."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation, RunStart
from tests.support.logs import detected, only, read, real, score

HEADER = "epoch,train_loss,eval_loss,eval_top1,eval_top5\r\n"


def test_row() -> None:
    events = read(HEADER + "0,6.5,6.25,1.5,4.75\r\n1,6.0,5.5,3.0,9.5\r\n", "timm-csv")
    last = only(events, Evaluation)[-1]
    assert last.epoch == 1
    assert [(m.name, m.value, m.unit, m.higher_is_better) for m in last.metrics] == [
        ("loss", 5.5, "", False),
        ("acc1", 3.0, "%", True),
        ("acc5", 9.5, "%", True),
    ]
    assert only(events, EpochEnd)[-1].values[0].value == 6.0


def test_resumed_run_is_one_run_and_a_new_one_another() -> None:
    row = "{},6.5,6.25,1.5,4.75\n"
    resumed = HEADER + row.format(0) + row.format(1) + HEADER + row.format(1) + row.format(2)
    again = HEADER + row.format(0) + row.format(1) + HEADER + row.format(0)
    assert len(only(read(resumed, "timm-csv"), RunStart)) == 1
    assert len(only(read(again, "timm-csv"), RunStart)) == 2


def test_columns_may_stand_in_another_order_and_cells_may_be_empty_or_nan() -> None:
    text = "epoch,lr,eval_top1,eval_loss\n3,0.1,70.5,nan\n4,0.1,,1.5\n"
    first, second = only(read(text, "timm-csv"), Evaluation)
    assert score(first, "acc1") == 70.5
    assert [m.name for m in second.metrics] == ["loss"]


def test_rows_without_their_header_are_nobodys() -> None:
    assert detected("0,1.5,2.5,3.5,4.5\n1,1.5,2.5,3.5,4.5\n" * 5) == ""
    assert detected(HEADER + "0,6.5,6.25,1.5,4.75\n") == "timm-csv"


@pytest.mark.parametrize(
    ("log", "last", "best", "published"),
    [("adan_resnet50_100ep", 78.07, 78.176, "78.1"), ("adan_vit_b_150ep", 81.662, 81.662, "81.7")],
)
def test_published_accuracy_of_adan(log: str, last: float, best: float, published: str) -> None:
    name, events = real(f"corpus/timm_summary_csv/{log}.csv")
    found = [score(e, "acc1") for e in only(events, Evaluation)]
    assert name == "timm-csv"
    assert (round(found[-1], 3), round(max(found), 3)) == (last, best)
    assert f"{found[-1]:.1f}" == published
