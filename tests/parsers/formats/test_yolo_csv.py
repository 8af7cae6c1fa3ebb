"""Ultralytics' results.csv."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation, RunStart
from tests.support.logs import detected, only, read, score, scored

V5 = """\
               epoch,      train/box_loss,   metrics/precision,      metrics/recall,     metrics/mAP_0.5,metrics/mAP_0.5:0.95,        val/box_loss
                   0,             0.11465,             4.29e-05,             0.00658,            2.16e-05,            4.85e-06,              0.1125
                   1,             0.10465,                0.421,               0.319,               0.276,               0.101,              0.1025
"""
V8 = """\
epoch,time,train/box_loss,metrics/precision(B),metrics/mAP50(B),metrics/mAP50-95(B),metrics/mAP50-95(M),val/box_loss,lr/pg0
1,12.5,1.15,0.66,0.61,0.45,0.38,1.1,0.01
"""


def test_yolov5() -> None:
    events = read(V5, "yolo-csv")
    last = only(events, Evaluation)[-1]
    assert (last.epoch, len(only(events, RunStart))) == (1, 1)
    assert [(m.name, m.value, m.unit) for m in last.metrics] == [
        ("precision", 0.421, "fraction"),
        ("recall", 0.319, "fraction"),
        ("map50", 0.276, "fraction"),
        ("map", 0.101, "fraction"),
    ]
    values = only(events, EpochEnd)[-1].values
    assert [(m.name, m.value) for m in values] == [
        ("train/box_loss", 0.10465),
        ("val/box_loss", 0.1025),
    ]
    assert detected(V5) == "yolo-csv"


def test_later_versions_with_masks() -> None:
    (evaluation,) = only(read(V8, "yolo-csv"), Evaluation)
    assert (score(evaluation, "map"), score(evaluation, "map_mask")) == (0.45, 0.38)
    assert detected(V8) == "yolo-csv"


def test_the_segmentation_of_yolov5_and_its_last_row() -> None:
    """The last row has the scores of the best weights, and none of the losses of training."""
    scores = [
        f"metrics/{name}({of})"
        for of in "BM"
        for name in ("precision", "recall", "mAP_0.5", "mAP_0.5:0.95")
    ]
    train, val = (
        [f"{part}/{name}_loss" for name in ("box", "seg", "obj", "cls")]
        for part in ("train", "val")
    )
    rates = ["x/lr0", "x/lr1", "x/lr2"]
    text = ",".join(["epoch", *train, *scores, *val, *rates]) + "\n"
    text += "0,.1,.2,.3,.4,.50,.51,.52,.30,.53,.54,.55,.20,.6,.7,.8,.9,.01,.01,.01\n"
    text += "1,.1,.2,.3,.4,.60,.61,.62,.41,.63,.64,.65,.31,.6,.7,.8,.9,.01,.01,.01\n"
    unfinished = scored(text)
    text += "3,.61,.62,.63,.42,.64,.65,.66,.32,.6,.7,.8,.9\n"
    assert detected(text) == "yolo-csv"
    last = only(read(text, "yolo-csv"), Evaluation)[-1]
    assert (score(last, "map50"), score(last, "map"), score(last, "map_mask")) == (0.63, 0.42, 0.32)
    card = scored(text)
    assert card["dimensions"]["accuracy"]["value"] == 0.41  # that of the last epoch
    assert (unfinished["status"], card["status"]) == ("incomplete", "finished")


@pytest.mark.parametrize(("loss", "scores"), [("0", [0.45]), ("1.3", [0.0, 0.45])])
def test_epochs_that_were_not_evaluated_have_zeros(loss: str, scores: list[float]) -> None:
    """With `val=False` every figure of the evaluation is 0 until the last epoch, its loss, too."""
    head, last = V8.splitlines()
    text = "\n".join((head, f"1,10.5,1.25,0,0,0,0,{loss},0.01", last.replace("1,", "2,", 1), ""))
    assert [score(e, "map") for e in only(read(text, "yolo-csv"), Evaluation)] == scores


def test_rows_without_their_header_are_nobodys() -> None:
    assert only(read("1,12.5,1.15,0.66\n", "yolo-csv"), Evaluation) == []


def test_turned_boxes_whose_scores_are_of_the_horizontal_ones() -> None:
    """YOLOv5-OBB names its precisions after the horizontal boxes around the turned ones."""
    text = "epoch, train/theta_loss, metrics/precision, metrics/HBBmAP.5, metrics/HBBmAP.5:.95\n"
    text += "0, 0.67, 0.27, 0.168, 0.041\n1, 0.14, 0.3, 0.224, 0.056\n"
    assert detected(text) == "yolo-csv"
    last = only(read(text, "yolo-csv"), Evaluation)[-1]
    assert (score(last, "map50"), score(last, "map")) == (0.224, 0.056)


@pytest.mark.parametrize(
    ("rows", "seconds"),
    [
        ("1,12.5 2,20.5 3,29.0", 29.0),
        ("1,12.5 2,20.5 3,9.5", 30.0),  # resumed before epoch 3
        ("2,20.5 3,29.0", None),  # without the first row
        ("1,12.5 3,29.0", None),
        ("1,12.5 2,20.5 1,13.0 2,21.5", 21.5),  # a second run
    ],
)
def test_times_count_from_the_start_and_anew_where_a_training_is_resumed(
    rows: str, seconds: float | None
) -> None:
    header = "epoch,time,train/box_loss,metrics/mAP50(B),metrics/mAP50-95(B)\n"
    card = scored(header + "".join(f"{row},1.15,0.61,0.45\n" for row in rows.split()))
    assert card["run_end"]["run_time_s"] == seconds


def test_semantic_segmentation() -> None:
    text = "epoch,time,train/ce_loss,metrics/mIoU,metrics/pixel_acc,val/ce_loss,lr/pg0\n"
    text += "1,12.5,1.15,0.612,0.905,1.1,0.01\n"
    assert detected(text) == "yolo-csv"
    (evaluation,) = only(read(text, "yolo-csv"), Evaluation)
    assert [(m.name, m.value, m.unit) for m in evaluation.metrics] == [
        ("miou", 0.612, "fraction"),
        ("pixel_acc", 0.905, "fraction"),
    ]
