"""Lightning's CSV files."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation, Iteration
from tests.support.logs import detected, only, read, real, score, scored

CSV = """\
train_loss_step,epoch,step,val_loss_step,val_loss_epoch,train_loss_epoch\r
0.5,0,9,,,\r
,,0,0.25,,\r
,0,149,,0.375,\r
,0,149,,,0.4375\r
"""


def test_sparse_csv() -> None:
    events = read(CSV, "lightning-csv")
    (iteration,), (evaluation,), (end,) = (
        only(events, Iteration),
        only(events, Evaluation),
        only(events, EpochEnd),
    )
    assert (iteration.epoch, iteration.step, iteration.loss) == (0, 9, 0.5)
    assert (evaluation.epoch, evaluation.step) == (0, 149)
    assert score(evaluation, "val_loss_epoch") == 0.375
    assert not evaluation.metrics[0].higher_is_better
    assert (end.epoch, end.values[0].value) == (0, 0.4375)
    assert detected(CSV) == "lightning-csv"


def test_real_csv() -> None:
    name, events = real("corpus/lightning/sankalpjena_gnn_metrics.csv")
    assert name == "lightning-csv"
    assert len(only(events, Evaluation)) == len(only(events, EpochEnd)) == 607
    assert only(events, Evaluation)[-1].epoch == 606


@pytest.mark.parametrize("rows", ["{e},{s},,0.5\n{e},{s},0.25,\n", "{e},{s},0.25,\n"])
def test_the_last_epoch_of_a_csv_with_a_row_an_epoch_is_over(rows: str) -> None:
    text = "epoch,step,train_loss,val_acc\n"
    text += "".join(rows.format(e=e, s=40 * e + 39) for e in range(4))
    assert scored(text)["run"]["epochs"] == 4


def test_the_last_epoch_of_a_csv_that_is_shorter_than_the_others_is_not_over() -> None:
    text = "epoch,step,train_loss\n"
    text += "".join(f"{s // 40},{s},0.5\n" for s in range(9, 120, 10))
    assert scored(text)["run"]["epochs"] == 3
    assert scored(text + "3,129,0.5\n")["run"]["epochs"] == 3
    assert scored(text + "3,129,0.5\n3,159,0.5\n")["run"]["epochs"] == 4


@pytest.mark.parametrize(("each", "over"), [(3, 6), (1, 6)])
def test_epochs_between_two_rows_of_training_are_over_and_a_test_is_no_epoch(
    each: int, over: int
) -> None:
    # log_every_n_steps is larger than an epoch, and `Trainer.test` writes epoch 6
    text = "epoch,step,test_loss,train_loss,val_loss\n"
    for n in range(6):
        text += f"{n},{each * n + 1},,0.5,\n" if n == 3 else ""
        text += f"{n},{each * n + each - 1},,,0.{9 - n}\n"
    assert scored(text)["run"]["epochs"] == over
    tested = scored(text + f"6,{6 * each},0.42,,\n")
    assert tested["run"]["epochs"] == over
    assert tested["dimensions"]["accuracy"]["value"] == 0.4
