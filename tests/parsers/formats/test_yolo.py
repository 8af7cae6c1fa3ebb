"""YOLOv5, v7, v8 and v11 on a console."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation, Iteration, RunEnd, RunStart
from tests.support.logs import detected, facts, only, read, real, score, scored

HEAD5 = "      Epoch    GPU_mem   box_loss   obj_loss   cls_loss  Instances       Size\n"
ROW5 = (
    "      {e}/399      12.4G    0.07098    0.02527          0         76        640: "
    "{p:>3}%|▉         | {s}/171 [00:{t:02}<01:44,  {pace}]"
)
ALL = "                   all        311        608      0.421      0.319      0.276      0.101\n"


def test_bar_columns_have_the_headers_names() -> None:
    text = HEAD5 + ROW5.format(e=15, p=9, s=16, t=11, pace="2.00it/s") + "\n"
    (iteration,) = only(read(text, "yolo"), Iteration)
    assert (iteration.epoch, iteration.step, iteration.steps) == (15, 16, 171)
    assert (iteration.duration, iteration.throughput) == (0.5, None)
    assert [(m.name, m.value, m.unit) for m in iteration.values] == [
        ("box_loss", 0.07098, ""),
        ("obj_loss", 0.02527, ""),
        ("cls_loss", 0.0, ""),
        ("Instances", 76.0, ""),
        ("Size", 640.0, ""),
        ("gpu_mem", 12.4, "GB"),
    ]
    assert not iteration.values[0].higher_is_better


@pytest.mark.parametrize(
    ("device", "processes", "devices"), [("0,1", 2, 2), ("0,1", 1, 2), ("3", 1, 1), ("", 1, None)]
)
def test_the_arguments_of_yolov7_have_the_batch_of_all_processes(
    device: str, processes: int, devices: int | None
) -> None:
    """Each process loads its part: an iteration of 0.5 s trains on 32 images."""
    text = (
        f"Namespace(weights='', cfg='yolov7.yaml', hyp='hyp.yaml', batch_size={32 // processes}, "
        f"device='{device}', world_size={processes}, global_rank=0, total_batch_size=32)\n"
        "Starting training for 12 epochs...\n"
    )
    figures = (0.05, 0.02, 0.01, 0.08, 9, 640)
    for epoch in range(12):
        text += "     Epoch   gpu_mem       box       obj       cls     total    labels  img_size\n"
        text += "%10s" * 2 % (f"{epoch}/11", "10.9G") + "%10.4g" * 6 % figures
        text += ": 100%|##########| 100/100 [00:50<00:00,  2.00it/s]\n"
    assert facts(read(text, "yolo")).get("devices") == devices
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (64, "samples/s")


def test_a_classifier_evaluates_before_its_bar_is_closed() -> None:
    """90 of 100 batches of 64 took 9 s; then the last ones, and the evaluation, 6 s."""
    text = (
        "classify/train: model=yolov5s-cls.pt, data=imagenette160, epochs=12, batch_size=64\n"
        "Starting yolov5s-cls.pt training on imagenette160 dataset with 10 classes for 12 epochs...\n"
        "     Epoch   GPU_mem  train_loss   test_loss    top1_acc    top5_acc\n"
    )
    for epoch in range(1, 13):
        head = f"{epoch}/12".rjust(10) + "      1.2G         1.5"
        text += f"{head}{' ' * 36}:  90%|#########  | 90/100 [00:09<00:01, 10.00it/s]\r"
        text += f"{head}         1.2         {0.5 + epoch / 100}         0.9"
        text += ": 100%|##########| 100/100 [00:15<00:00,  6.67it/s]\n"
    card = scored(text)
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(640), "samples/s")
    assert card["dimensions"]["accuracy"]["value"] == 0.62
    assert card["run"]["epochs_planned"] == 12


def test_the_last_drawing_of_a_classifiers_bar_has_the_evaluation_in_its_time() -> None:
    text = (
        "Starting yolov5s-cls.pt training on imagenette160 dataset with 10 classes for 12 epochs...\n"
        "     Epoch   GPU_mem  train_loss   test_loss    top1_acc    top5_acc\n"
    )
    for epoch in range(1, 13):
        text += (
            f"{epoch}/12".rjust(10) + "      1.2G         1.5         1.2         0.5         0.9"
        )
        text += ": 100%|####| 400/400 [01:40<00:00,  4.00it/s]\n"
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (4, "it/s")
    assert "evaluation included" in speed["derived"]


def test_the_bar_of_a_classifiers_evaluation_is_none_of_the_training() -> None:
    """It may have more batches than the training: 4 of them take 0.5 s each, 20 of these 0.1 s."""
    text = (
        "Starting yolov5s-cls.pt training on imagenette160 dataset with 10 classes for 12 epochs...\n"
        "     Epoch   GPU_mem  train_loss   test_loss    top1_acc    top5_acc\n"
    )
    for epoch in range(1, 13):
        head = f"{epoch}/12".rjust(10) + "      1.2G         1.5"
        text += f"{head}{' ' * 36}:  75%|###  | 3/4 [00:01<00:00,  2.00it/s]\r"
        text += f"{head}{'testing'.rjust(36)}:  95%|#### | 19/20 [00:01<00:00, 10.00it/s]\r"
        text += f"{head}{'testing'.rjust(36)}: 100%|#####| 20/20 [00:02<00:00, 10.00it/s]\r"
        text += f"{head}         1.2         0.5         0.9"
        text += ": 100%|#####| 4/4 [00:04<00:00,  1.00s/it]\n"
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (2, "it/s")


def test_epoch_and_its_validation() -> None:
    bars = "\r".join(
        ROW5.format(e=3, p=p, s=s, t=t, pace="8.57s/it")
        for p, s, t in ((0, 0, 0), (58, 100, 30), (58, 100, 31), (100, 171, 55))
    )
    text = HEAD5 + bars + "\n  Class     Images  Instances          P          R      mAP50\n" + ALL
    events = read(text, "yolo")
    assert [i.step for i in only(events, Iteration)] == [100, 171]
    assert only(events, EpochEnd)[0].train_time == 55.0
    (evaluation,) = only(events, Evaluation)
    assert evaluation.epoch == 3
    assert [(m.name, m.value, m.unit) for m in evaluation.metrics] == [
        ("precision", 0.421, "fraction"),
        ("recall", 0.319, "fraction"),
        ("map50", 0.276, "fraction"),
        ("map", 0.101, "fraction"),
    ]


def test_rows_whose_bars_are_cut_away_say_their_epoch() -> None:
    row = (
        "     {e}/500      9.16G      1.371      1.244          {e}        178        640:{rest}\n"
    )
    arguments = "engine/trainer: task=detect, mode=train, model=small.pt, epochs=500, batch=16\n"
    begin = arguments + HEAD5
    epochs = [row.format(e=e, rest=rest) + ALL for e in (1, 2, 3) for rest in ("", " 1")]
    end = "32 epochs completed in 0.037 hours.\n"
    card = scored(begin + "".join(epochs) + end + begin + "".join(epochs[:4]))
    assert card["run"]["epochs"] == 2
    assert card["dimensions"]["accuracy"]["value"] == 0.101
    assert card["dimensions"]["accuracy"]["epoch"] == 2
    assert card["status"] == "incomplete"  # the closing line was the first run's


def test_a_row_that_ends_before_its_bar_says_its_epoch() -> None:
    header = "     Epoch   gpu_mem       box       obj       cls     total    labels  img_size\n"
    row = "   {e}/4     9.02G    0.0{e}7   0.0197         0    0.0687         2       640"
    bar = ": 100%|██████████| 7/7 [00:01<00:00,  4.30it/s]\n"
    begin = "Starting training for 5 epochs...\n"
    cut = "".join(header + row.format(e=e) + "\n" for e in range(3))
    drawn = "".join(header + row.format(e=e) + bar for e in (3, 4))
    end = "5 epochs completed in 0.002 hours.\n"
    card = scored(begin + cut + drawn + end)
    assert (card["run"]["format"], card["run"]["epochs"], card["status"]) == ("yolo", 5, "finished")


def test_validation_after_training_is_marked() -> None:
    text = (
        "Starting training for 400 epochs...\n"
        + ALL
        + "400 epochs completed in 13.801 hours.\n"
        + ALL
    )
    events = read(text, "yolo")
    assert [e.after_training for e in only(events, Evaluation)] == [False, True]
    assert only(events, RunEnd)[0].duration == pytest.approx(49683.6, abs=1e-6)
    assert facts(events)["epochs_planned"] == 400


def test_ultralytics() -> None:
    text = """\
engine/trainer: agnostic_nms=False, amp=True, batch=16, device=None, epochs=3, model=yolov8n-seg.pt
AMP: checks passed ✅
train: Scanning /d/labels/train... 50 images, 2 backgrounds, 0 corrupt:  39%|███▉      | 50/128 [00:00<00:00]
train: Scanning /d/labels/train... 126 images, 2 backgrounds, 0 corrupt: 100%|██████████| 128/128 [00:00<00:00, 9it/s]
Starting training for 3 epochs...

      Epoch    GPU_mem   box_loss   seg_loss   cls_loss   dfl_loss  Instances       Size
        1/3      4.31G      1.156      3.055      1.403      1.224        121        640: 100%|██████████| 8/8 [00:04<00:00,  1.70it/s]
                 Class     Images  Instances      Box(P          R      mAP50  mAP50-95)     Mask(P          R      mAP50  mAP50-95): 100%|██████████| 4/4 [00:01<00:00,  2.50it/s]
                   all        128        929      0.669      0.531      0.614      0.454      0.650      0.520      0.590      0.380

3 epochs completed in 0.009 hours.
"""
    events = read(text, "yolo")
    assert facts(events) == {
        "global_batch": 16,
        "model": "yolov8n-seg.pt",
        "precision": "amp",
        "samples_per_epoch": 128,
        "epochs_planned": 3,
    }
    (evaluation,) = only(events, Evaluation)
    assert (score(evaluation, "map"), score(evaluation, "map_mask")) == (0.454, 0.38)
    assert only(events, EpochEnd)[0].train_time == 4.0
    assert len(only(events, RunStart)) == 2
    assert detected(text) == "yolo"


@pytest.mark.parametrize("module", ["engine/trainer", r"engine\trainer", r"yolo\engine\trainer"])
def test_the_batch_is_read_whatever_the_system_puts_between_folders(module: str) -> None:
    bars = "".join(
        f"   {e}/10      4.31G      1.150      1.400      1.220        120        640: "
        "100% ━━━━━━━━━━━━ 200/200 10.0it/s 20.0s\n" + ALL
        for e in range(1, 11)
    )
    card = scored(f"{module}: task=detect, model=small.pt, epochs=10, batch=16\n" + HEAD5 + bars)
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(160.0), "samples/s")


def test_bars_of_the_latest_ultralytics() -> None:
    text = (
        "      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  Instances       Size\n"
        "        2/3      4.31G      1.156      1.403      1.224        121        640: "
        "45% ━━━━━╸────── 4/8 2.5it/s 1.8s<1.6s\r"
        "        2/3      4.31G      1.150      1.400      1.220        120        640: "
        "100% ━━━━━━━━━━━━ 8/8 2.0it/s 3.8s\n"
    )
    events = read(text, "yolo")
    assert [(i.step, i.duration) for i in only(events, Iteration)] == [(4, 0.4), (8, 0.5)]
    assert only(events, EpochEnd)[0].train_time == 3.8


def test_pose_and_classification() -> None:
    pose = "Class Images Instances Box(P R mAP50 mAP50-95) Pose(P R mAP50 mAP50-95): 100%|█| 4/4\n"
    row = "all 128 929 0.669 0.531 0.614 0.454 0.650 0.520 0.590 0.380\n"
    assert score(only(read(pose + row, "yolo"), Evaluation)[0], "map_pose") == 0.38
    top = "classes   top1_acc   top5_acc: 100%|██████████| 4/4\n       all      0.761      0.929\n"
    (evaluation,) = only(read(top, "yolo"), Evaluation)
    assert [(m.name, m.value, m.unit) for m in evaluation.metrics] == [
        ("acc1", 0.761, "fraction"),
        ("acc5", 0.929, "fraction"),
    ]


def test_cut_lines() -> None:
    line = ROW5.format(e=15, p=9, s=16, t=11, pace="2.00it/s") + "\n"
    for length in range(len(line)):
        for iteration in only(read(line[:length] + "\n", "yolo"), Iteration):
            assert (iteration.epoch, iteration.step) == (15, 16)


def test_real_yolov5_through_clearml() -> None:
    name, events = real("corpus/yolov5/bigbugman_yolov5l_se_clearml.log")
    evaluations = only(events, Evaluation)
    assert (name, len(evaluations)) == ("yolo", 401)
    assert (score(evaluations[-1], "map50"), score(evaluations[-1], "map")) == (0.929, 0.73)
    assert evaluations[-1].after_training
    assert (score(evaluations[-2], "map50"), score(evaluations[-2], "map")) == (0.929, 0.728)
    assert len(only(events, EpochEnd)) == 400
    assert facts(events)["global_batch"] == 19
    assert facts(events)["samples_per_epoch"] == 3246


def test_the_closing_line_may_be_shorter_than_the_bar_that_it_is_written_on() -> None:
    end = "120 epochs completed in 0.250 hours.  Labels           P           R      mAP@.5: 100%|█|\n"
    (event,) = (
        e for e in read("train: weights=a.pt, epochs=120\n" + end, "yolo") if isinstance(e, RunEnd)
    )
    assert event.duration == 900


def test_the_last_score_of_yolov3_is_f1() -> None:
    head = "               Class    Images   Targets         P         R   mAP@0.5        F1"
    row = "                 all        58       174     0.544     0.839     0.849     0.653\n"
    (one,) = only(read(f"{head}: 100%|███| 4/4 [00:41<00:00]\n{row}", "yolo"), Evaluation)
    assert {m.name: m.value for m in one.metrics} == {
        "precision": 0.544,
        "recall": 0.839,
        "map50": 0.849,
        "f1": 0.653,
    }


def test_semantic_segmentation() -> None:
    text = HEAD5 + ROW5.format(e=3, p=100, s=171, t=55, pace="2.00it/s") + "\n"
    text += "                 Class     Images     Pixels       mIoU     PixAcc\n"
    text += "                   all        500  123456789      0.612      0.905\n"
    (evaluation,) = only(read(text, "yolo"), Evaluation)
    assert evaluation.epoch == 3
    assert [(m.name, m.value, m.unit) for m in evaluation.metrics] == [
        ("miou", 0.612, "fraction"),
        ("pixel_acc", 0.905, "fraction"),
    ]


def test_counts_of_images_in_three_digits() -> None:
    """YOLOv5 of 2020 prints `%12.3g`: 5862 images are 5.86e+03."""
    text = (
        "Starting training for 2 epochs...\n"
        "     Epoch   gpu_mem       box       obj       cls     total   targets  img_size\n"
        "       0/1     6.44G   0.06441   0.03618   0.03278    0.1334        25       640: "
        "100%|##########| 650/650 [05:59<00:00,  1.81it/s]\n"
        "               Class      Images     Targets           P           R      mAP@.5  mAP@.5:.95"
        ": 100%|##########| 184/184 [01:13<00:00,  2.49it/s]\n"
        "                 all    5.86e+03    5.86e+03       0.702        0.99        0.96       0.808\n"
    )
    assert detected(text) == "yolo"
    (evaluation,) = only(read(text, "yolo"), Evaluation)
    assert (evaluation.epoch, score(evaluation, "map50"), score(evaluation, "map")) == (
        0,
        0.96,
        0.808,
    )


def _epochs(*rows: str) -> str:
    """Three epochs; what is printed after the bars of each, and after the end."""
    bar = "     {e}/2     11.8G   0.0698   0.0315         0    0.101        30       640: "
    bar += "100%|##########| 38/38 [00:30<00:00,  1.25it/s]\n"
    text = "Starting training for 3 epochs...\n"
    for e, row in enumerate(rows[:3]):
        text += bar.format(e=e) + row
    return text + "3 epochs completed in 0.025 hours.\n" + "".join(rows[3:])


def _row(value: float) -> str:
    return f"                 all         100         479       0.969       0.973       0.991  {value}\n"


def test_the_last_row_of_yolov7_may_come_after_the_end() -> None:
    """Its rows are printed and its end is logged: in a file a row comes later than in a terminal."""
    late = scored(_epochs(_row(0.7), _row(0.8), "", _row(0.75)))["dimensions"]["accuracy"]
    assert (late["value"], late["best"]) == (0.75, 0.8)
    best = scored(_epochs(_row(0.7), _row(0.8), _row(0.75), _row(0.81)))["dimensions"]["accuracy"]
    assert (best["value"], best["best"]) == (0.75, 0.8)  # the row after the end: the best weights
    # All rows may come at the end: which is of which epoch, only their number says.
    unknown = scored(_epochs("", "", "", _row(0.7), _row(0.8), _row(0.75)))
    assert unknown["dimensions"]["accuracy"]["value"] is None
