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


def test_the_mean_of_an_epoch_that_max_steps_cut_short_does_not_end_it() -> None:
    text = "epoch,step,train_loss_epoch,val_acc\n"
    text += "".join(f"{e},{s},,0.{5 + e}\n{e},{s},0.25,\n" for e, s in ((0, 31), (1, 63)))
    assert scored(text)["run"]["epochs"] == 2
    assert scored(text + "2,79,0.125,\n")["run"]["epochs"] == 2  # 16 steps of 32
    assert scored(text + "2,94,0.125,\n")["run"]["epochs"] == 2
    assert scored(text + "2,95,0.125,\n")["run"]["epochs"] == 3
    assert scored(text + "2,79,0.125,\n3,90,0.125,\n")["run"]["epochs"] == 3


@pytest.mark.parametrize("name", ["acc/val", "Val_acc", "avg_val_acc", "valid/BinaryAccuracy"])
def test_names_of_a_validation_need_not_begin_with_it(name: str) -> None:
    text = f"epoch,step,loss/train,{name},loss/val\n"
    text += "".join(f"{e},{9 + 10 * e},0.5,,\n{e},{9 + 10 * e},,0.7{e},0.4{e}\n" for e in range(3))
    events = read(text, "lightning-csv")
    assert [one.loss for one in only(events, Iteration)] == [0.5] * 3
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["epoch"]) == (0.72, 2)


def test_a_test_after_the_training_is_not_its_accuracy() -> None:
    """With `on_step=True` the figures of a whole validation end with `_epoch`."""
    text = "epoch,step,test_acc,val_acc_epoch,val_acc_step\n"
    text += "".join(f",{e},,,0.5\n{e},{9 + 10 * e},,0.7{e},\n" for e in range(3))
    accuracy = scored(text + "3,30,0.65,,\n")["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["epoch"]) == ("val_acc_epoch", 0.72, 2)


def test_the_rates_of_the_throughput_monitor() -> None:
    """Two devices: the rate of both is printed beside that of each; a validation adds no time."""
    head = "epoch,step,train/device/samples_per_sec,train/samples_per_sec,train_loss_step,val_acc\n"
    rows = [(e, 20 * e + s, r) for e, r in enumerate((150, 200, 250)) for s in (9, 19)]
    text = "".join(f"{e},{s},{r / 2},{r},,\n{e},{s},,,0.5,\n" for e, s, r in rows)
    speed = scored(head + text)["dimensions"]["speed"]
    # The fastest and the slowest of the three epochs are left out.
    assert (speed["value"], speed["unit"], speed["scope"]) == (200.0, "samples/s", "job")
    alone = head.replace(",train/samples", ",other") + text
    assert scored(alone)["run"]["scope"] == "per device"
    assert scored(alone)["dimensions"]["speed"]["value"] == 100.0
    old = alone.replace("/", "|")
    assert scored(old)["dimensions"]["speed"]["value"] == 100.0


def test_the_accuracy_of_the_first_of_several_loaders() -> None:
    """Lightning appends the loader to the names of what it evaluates on several."""
    names = [f"val/{of}/dataloader_idx_{n}" for of in ("loss", "acc") for n in (0, 1)]
    rows = ["epoch,step,train_loss," + ",".join(names)]
    for epoch in range(3):
        rows += [
            f"{epoch},{100 * epoch + 99},0.5,,,,",
            f"{epoch},{100 * epoch + 99},,2,3,0.{5 + epoch},0.25",
        ]
    accuracy = scored("\n".join(rows) + "\n")["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("val/acc/dataloader_idx_0", 0.7)
