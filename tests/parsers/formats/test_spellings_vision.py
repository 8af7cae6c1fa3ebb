"""Further spellings of the vision trainers' lines, made after their format strings."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Iteration, RunInfo
from tests.support.logs import bar, detected, facts, only, read, scored, scores


def test_mmactions_accuracy_is_a_fraction() -> None:
    line = "Epoch(val) [3][25/25]    acc/top1: 0.7125  acc/top5: 0.9000  time: 0.05\n"
    assert scores(line, "mmcv") == [(3, {"acc1": (0.7125, "fraction"), "acc5": (0.9, "fraction")})]


ULTRALYTICS = "        2/3      2.21G        1.2        2.9         37        640: "


@pytest.mark.parametrize(
    ("spent", "seconds"), [("2.5s", 2.5), ("3:20", 200.0), ("1:03:20", 3800.0)]
)
def test_ultralytics_own_bar_says_minutes(spent: str, seconds: float) -> None:
    text = "      Epoch    GPU_mem   box_loss   cls_loss  Instances       Size\n"
    text += ULTRALYTICS + f"100% ━━━━━━━━━━━━ 80/80 4.0it/s {spent}\n"
    (end,) = only(read(text, "yolo"), EpochEnd)
    assert (end.epoch, end.train_time) == (2, seconds)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "yolo/engine/trainer: task=detect, model=yolov8n.yaml, batch=16, device=[0, 1, 2]",
            {"global_batch": 16, "model": "yolov8n.yaml", "devices": 3},
        ),
        (
            "engine/trainer: task=detect, model=yolo11n.pt, batch=32, device=0,1, workers=8",
            {"global_batch": 32, "model": "yolo11n.pt", "devices": 2},
        ),
        (
            "engine/trainer: task=detect, model=yolo11n.pt, batch=32, device=None, workers=8",
            {"global_batch": 32, "model": "yolo11n.pt"},
        ),
        (
            "classify/train: model=yolov5s-cls.pt, epochs=3, batch_size=64, device=, workers=8",
            {"global_batch": 64, "model": "yolov5s-cls.pt"},
        ),
    ],
)
def test_ultralytics_arguments(line: str, expected: dict[str, object]) -> None:
    assert facts(read(line + "\n", "yolo")) == expected


def test_yolov5s_classifier_evaluates_in_its_bar() -> None:
    head = "     Epoch   GPU_mem  train_loss    val_loss    top1_acc    top5_acc\n"
    rows = bar("     1/3     1.73G     1.5      : ", 74, 148, "14.8it/s") + "\r"
    rows += bar("     1/3     1.73G     1.5   0.75   0.8125   0.9875: ", 148, 148, "14.8it/s")
    assert scores(head + rows + "\n", "yolo") == [
        (1, {"acc1": (0.8125, "fraction"), "acc5": (0.9875, "fraction")})
    ]


def test_keras_without_a_bar_has_the_mean_step() -> None:
    text = "Epoch 1/3\n938/938 - 5s - 5ms/step - accuracy: 0.5 - loss: 1.25\n"
    (one,) = only(read(text, "keras"), Iteration)
    assert (one.epoch, one.step, one.loss, one.duration) == (1, 938, 1.25, 0.005)
    drawn = "Epoch 1/3\n1/938 ━━━ 5s 4ms/step - loss: 1.5\r938/938 ━━━━ 5s 5ms/step - loss: 1.25\n"
    assert [i.step for i in only(read(drawn, "keras"), Iteration)] == [1]


def test_kerass_data_set_is_counted() -> None:
    text = "Train on 60000 samples, validate on 10000 samples\nEpoch 1/3\n"
    assert facts(read(text, "keras"))["samples_per_epoch"] == 60000


def test_gluon_cv_puts_the_rate_before_its_speed() -> None:
    line = (
        "[Epoch 0][Batch 99], LR: 1.0E-03, Speed: 52.125 samples/sec, ObjLoss=9.1, ClassLoss=8.1\n"
    )
    assert detected(line * 3) == "mxnet"
    (one,) = only(read(line, "mxnet"), Iteration)
    assert (one.epoch, one.step, one.throughput) == (0, 99, 52.125)


def test_gluon_cvs_speed_of_an_epoch() -> None:
    line = (
        "[Epoch 3] Training cost: 557.5, Speed: 209.75 samples/sec, RPN_Conf=0.044,RCNN_Mask=0.6\n"
    )
    (end,) = only(read(line, "mxnet"), EpochEnd)
    assert (end.epoch, end.throughput, end.train_time) == (3, 209.75, 557.5)


@pytest.mark.parametrize(
    "line", ["Iteration 300 (20.5 iter/s, 4.9s/100 iter), 1.2/90ep, loss = 2.5"]
)
def test_nvidias_caffe_says_the_epoch(line: str) -> None:
    (one,) = only(read(line + "\n", "caffe"), Iteration)
    assert (one.step, one.loss, one.duration) == (300, 2.5, 1 / 20.5)


def test_caffes_detection_score() -> None:
    text = "Iteration 500, Testing net (#0)\n    Test net output #0: detection_eval = 0.675\n"
    assert scores(text, "caffe") == [(None, {"map": (0.675, "fraction")})]


def test_timm_on_one_device() -> None:
    line = "Training with a single process on 1 device (cuda:0).\n"
    assert only(read(line, "timm"), RunInfo)[0].value == 1


def test_mmengines_other_average_precisions() -> None:
    line = "Epoch(val) [3][25/25]    {}: 0.7125  time: 0.05\n"
    assert scores(line.format("pascal_voc/mAP"), "mmcv") == [(3, {"map": (0.7125, "fraction")})]
    assert scores(line.format("coco/AP"), "mmcv") == [(3, {"AP": (0.7125, "fraction")})]


@pytest.mark.parametrize(
    ("name", "best"),
    [("NME", 0.25), ("EPE", 0.25), ("MPJPE", 0.25), ("PCK", 0.75), ("HOTA", 0.75), ("PCKh", 0.75)],
)
def test_results_of_landmarks_flow_poses_and_tracks(name: str, best: float) -> None:
    """Distances are better if lower, shares if higher."""
    values = (0.5, 0.75, 0.25, 0.5)
    text = "".join(
        f"Epoch {epoch}: train loss 1.5, val loss 1.25, val {name}: {value}\n"
        for epoch, value in enumerate(values, 1)
    )
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == (name.lower(), 0.5)
    assert accuracy["best"] == best


def test_jdets_mean_of_the_average_precisions_is_its_result() -> None:
    text = "".join(
        f"Thu May 11 09:5{n}:11 2023  name:s2anet, lr:0.01, iter:{n}0, epoch:{n}, batch_idx:9, "
        f"batch_size:8, total_loss:0.75, fps:16.5, eta:0:10:00\n"
        f"Thu May 11 09:5{n}:59 2023  eval/0_meanAP:0.{n}5, eval/1_plane_AP:0.875, iter:{n}0\n"
        for n in range(1, 5)
    )
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("map", 0.45)
