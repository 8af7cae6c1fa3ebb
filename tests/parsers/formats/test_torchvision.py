"""The torchvision family in all its generations and variants."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Iteration,
    Problem,
    RunEnd,
    RunInfo,
    Scope,
    TargetReached,
)
from sixdim.parsers.formats.torchvision import Torchvision
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats
from tests.support.logs import scored


def events_of(text: str) -> list[Event]:
    read = Interpreter(formats(), Torchvision)
    return [*read.read(text.encode()), *read.end()][:-1]


def the(kind: type, text: str) -> Any:
    (found,) = [e for e in events_of(text + "\n") if isinstance(e, kind)]
    return found


PREFIXES = [
    "",
    "2020-07-09 23:23:48,796\tINFO\tkdkit.misc.log\t",
    "2021-05-19 18:01:31 INFO: ",
    "[2023/07/28 06:44:43] main INFO: ",
    "2021-11-12 00:32:26,118 - root - INFO - ",
    "2023-06-28 18:33:30 | INFO | train | ",
    "[1,0]<stdout>:",
    "Tue Jun 14 15:39:05 2022[1,0]<stdout>:",
    "- AI-Rank-log 1558631910.424 ",
    "[rank0]: ",
    "\x1b[32m",
]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_iteration_lines_after_any_logger(prefix: str) -> None:
    it = the(
        Iteration,
        prefix + "Epoch: [12]  [  3/334]  eta: 1 day, 2:03:04  lr: 0.012800000000000002  "
        "img/s: 5625.496142412713  loss: 7.2926 (7.2497)  acc1: 0.0000 (0.1326)  "
        "time: 1.2591  data: 0.0019  max mem: 7878",
    )
    assert (it.epoch, it.step, it.steps) == (12, 3, 334)
    assert (it.throughput, it.unit, it.scope) == (5625.496142412713, "img/s", Scope.UNKNOWN)
    assert (it.loss, it.duration) == (7.2926, 1.2591)


def test_the_prefix_gives_the_clock_to_the_microsecond() -> None:
    line = "2020-07-09 23:23:48,796\tINFO\tx.y\tEpoch: [0] Total time: 0:13:15"
    assert the(EpochEnd, line).at.time_us == 1594337028796000
    line = "AI-Rank-log 1558631910.424 Epoch: [0] Total time: 0:13:15"
    assert the(EpochEnd, line).at.time_us == 1558631910424000


def test_a_progress_line_without_img_s_has_no_throughput() -> None:
    it = the(
        Iteration,
        "Epoch: [0]  [   0/1000]  eta: 0:43:30  lr: 0.000000  loss: 1.8 (1.8)  time: 1.5  "
        "data: 1.4",
    )
    assert (it.throughput, it.unit, it.scope) == (None, "", Scope.UNKNOWN)


def test_nan_and_inf_are_numbers() -> None:
    it = the(
        Iteration,
        "Epoch: [3]  [0/9]  eta: 0:00:01  lr: 0.1  img/s: inf  loss: nan (nan)  time: 1.0  data: 0",
    )
    assert it.loss != it.loss
    assert it.throughput == float("inf")


def test_epoch_lines_of_the_generations() -> None:
    assert the(EpochEnd, "Epoch: [6] Avg img/s: 4910.79").throughput == 4910.79
    assert the(EpochEnd, "EPOCH 6 Avg img/s: 4910.79").epoch == 6
    assert the(EpochEnd, "Epoch: [6] Total time: 0:04:38 (0.8341 s / it)").train_time == 278
    assert the(EpochEnd, "Epoch time 0:04:43").epoch_time == 283
    assert the(EpochEnd, "epoch time 1 day, 2:03:04").epoch_time == 93784


@pytest.mark.parametrize(
    "line",
    [
        " * Acc@1 77.360 Acc@5 93.120",
        " * Acc@1 77.360\tAcc@5 93.120",
        "* Acc@1: 77.360 Acc@5: 93.120",
        " * Prec@1 77.360 Prec@5 93.120",
        "Test:  Acc@1 77.360 Acc@5 93.120",
        " * Acc@1 77.360 Acc@5 93.120 loss 0.912",
    ],
)
def test_evaluations(line: str) -> None:
    found = the(Evaluation, line)
    assert [(m.name, m.value, m.unit) for m in found.metrics] == [
        ("acc1", 77.36, "%"),
        ("acc5", 93.12, "%"),
    ]
    assert not found.after_training


def test_clips_and_whole_videos_are_two_figures() -> None:
    """The reference for videos prints both; the published accuracies are those of videos."""
    log = "".join(
        "".join(
            f"Epoch: [{epoch}]  [{step:2d}/21]  eta: 0:00:30  lr: 0.01  clips/s: 48.000  "
            "loss: 5.9 (6.0)  acc1: 1.0 (1.2)  time: 0.6  data: 0.1  max mem: 9000\n"
            for step in (0, 10, 20)
        )
        + f" * Clip Acc@1 5{epoch}.125 Clip Acc@5 75.250\n"
        + f" * Video Acc@1 6{epoch}.500 Video Acc@5 85.750\n"
        for epoch in (0, 1)
    )
    accuracy = scored(log)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["epoch"]) == ("acc1", 61.5, 1)
    found = [e for e in events_of(log) if isinstance(e, Evaluation)]
    assert [[(m.name, m.value) for m in e.metrics] for e in found[-2:]] == [
        [("clip_acc1", 51.125), ("clip_acc5", 75.25)],
        [("acc1", 61.5), ("acc5", 85.75)],
    ]


def test_the_averaged_model_is_distinguished() -> None:
    assert the(Evaluation, "Test: EMA Acc@1 77.360 Acc@5 93.120").model == "averaged"


def test_the_threshold_line_and_horovods_split_one() -> None:
    for blanks in (" ", " " * 25):
        found = the(
            TargetReached,
            "The accuracy has been exceeded 75.9,and the training is"
            f"{blanks}terminated at epoch 64",
        )
        assert (found.condition, found.epoch) == ("acc1>75.9", 64)


def test_training_time_and_evaluations_after_it() -> None:
    events = events_of(
        "Epoch: [0] Avg img/s: 1.0\n * Acc@1 70.0 Acc@5 90.0\nTraining time 4 days, 3:12:05\n"
        "[Teacher: resnet34]\n * Acc@1 73.3125 Acc@5 91.4202\n"
        "[Student: resnet18]\n * Acc@1 71.3726 Acc@5 90.0102\n"
    )
    (end,) = [e for e in events if isinstance(e, RunEnd)]
    assert end.duration == 4 * 86400 + 3 * 3600 + 12 * 60 + 5
    assert [(e.model, e.after_training) for e in events if isinstance(e, Evaluation)] == [
        ("raw", False),
        ("teacher", True),
        ("student", True),
    ]


def test_facts_of_the_header() -> None:
    events = events_of(
        "| distributed init (rank 0): env://\n| distributed init (rank 7): env://\n"
        "Namespace(acc_thresh=75.9, amp=True, batch_size=480, epochs=90, model='resnet50')\n"
        "read 50000 files from 1000 directories\nread 1281167 files from 1000 directories\n"
        "read 50000 files from 1000 directories\nCreating model resnet50\n"
    )
    facts = {e.name: e.value for e in events if isinstance(e, RunInfo)}
    assert facts == {
        "devices": 8,
        "target": "acc1>75.9",
        "precision": "amp",
        "batch_per_device": 480,
        "epochs_planned": 90,
        "model": "resnet50",
        "samples_per_epoch": 1281167,
    }


def test_box_and_mask_tables_are_one_evaluation() -> None:
    table = (
        " Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = {}\n"
        " Average Precision  (AP) @[ IoU=0.50      | area=   all | maxDets=100 ] = 0.999\n"
        " Average Recall     (AR) @[ IoU=0.50:0.95 | area=   all | maxDets=  1 ] = 0.999\n"
    )
    events = events_of(
        "IoU metric: bbox\n"
        + table.format(0.377)
        + "IoU metric: segm\n"
        + table.format(0.339)
        + "epoch time 0:10:00\n"
    )
    (found,) = [e for e in events if isinstance(e, Evaluation)]
    assert [(m.name, m.value) for m in found.metrics] == [("box", 0.377), ("mask", 0.339)]


@pytest.mark.parametrize(
    "after", ["Training time 0:13:05\n", "Epoch: [4] Total time: 0:01:05\n", ""]
)
def test_a_table_at_the_end_of_the_training_is_its_last_evaluation(after: str) -> None:
    """It ends with the line that says that the training is over; what follows is another program."""
    table = (
        "IoU metric: bbox\n"
        " Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = {}\n"
        " Average Recall     (AR) @[ IoU=0.50:0.95 | area= large | maxDets=100 ] = 0.75\n"
    )
    events = events_of(table.format(0.125) + after + table.format(0.5) + after)
    found = [e for e in events if isinstance(e, Evaluation)]
    values = [(e.metrics[0].value, e.after_training) for e in found if e.metrics[0].name == "box"]
    assert values[0] == (0.125, False)
    if after:
        assert values[1] == (0.5, after.startswith("Training"))


def test_broken_numbers_are_problems_not_figures() -> None:
    for line, what in (
        ("Epoch: [6] Avg img/s: 49x0", "49x0"),
        ("Epoch: [six] Avg img/s: 4910.7", "six"),
        (" * Acc@1 77.36O Acc@5 93.120", "77.36O"),
    ):
        found = the(Problem, line)
        assert found.kind == "broken_number"
        assert what in found.text


def test_detection_needs_no_file_name_and_no_beginning() -> None:
    middle = "".join(
        f"Epoch: [30]  [{step}/334]  eta: 0:05:09  lr: 0.1  img/s: 5597.2  loss: 2.4 (2.4)  "
        "time: 0.69  data: 0.002\n"
        for step in range(100, 160, 10)
    )
    read = Interpreter(formats())
    list(read.feed(middle.encode()))
    list(read.end())
    assert read.detection is not None
    assert read.detection.name == "torchvision"
    assert read.detection.candidates[0].confidence > 0.7


def test_torchdistill_gives_its_published_student(
    corpus: Path, card_of: Callable[..., dict[str, Any]]
) -> None:
    card = card_of(corpus / "corpus/torchvision_ref/torchdistill_kd_resnet18.log")
    assert card["run"]["format"] == "torchvision"
    assert card["dimensions"]["accuracy"]["value"] == 71.3726  # published 71.37
    assert card["run_end"]["run_time_s"] == 83276
    after = [(a["model"], a["value"]) for a in card["run_end"]["after_training"]]
    assert after == [("teacher", 73.3125), ("student", 71.3726)]


def test_the_other_real_logs_of_the_family(
    corpus: Path, card_of: Callable[..., dict[str, Any]]
) -> None:
    folder = corpus / "corpus/torchvision_ref"
    kr = card_of(folder / "torchdistill_kr_resnet18.log")
    assert kr["dimensions"]["accuracy"]["value"] == 71.6366  # published 71.64
    document = card_of(folder / "excerpt_deepspark_resnet50_doc.log")
    assert document["dimensions"]["speed"]["value"] == 4938.923798404513
    assert document["dimensions"]["accuracy"]["value"] == 77.36
    assert document["end_to_end"]["reason"] == "the log holds 8 of the epochs 0 to 64"
    assert document["target"]["time_to_train_s"] is None
    for path in folder.iterdir():
        assert card_of(path)["run"]["format"] == "torchvision"


def test_rank_0_alone_does_not_say_how_many_devices_there_are() -> None:
    alone = events_of("| distributed init (rank 0): env://\n")
    assert not [e for e in alone if isinstance(e, RunInfo)]
    several = events_of(
        "| distributed init (rank 0): env://\n| distributed init (rank 1): env://\n"
    )
    assert [(e.name, e.value) for e in several if isinstance(e, RunInfo)] == [("devices", 2)]


DINO = """Epoch: [0/2]  [  0/10]  eta: 0:00:40  loss: 11.0 (11.0)  lr: 0.0001 (0.0001)  time: 4.0  data: 3.0  max mem: 11664
Epoch: [0/2]  [  9/10]  eta: 0:00:00  loss: 10.0 (10.5)  lr: 0.0001 (0.0001)  time: 0.5  data: 0.1  max mem: 11664
Epoch: [0/2] Total time: 0:00:08 (0.812500 s / it)
Averaged stats: loss: 10.0 (10.5)  lr: 0.0001 (0.0001)
Epoch: [1/2]  [  0/10]  eta: 0:00:40  loss: 9.0 (9.0)  lr: 0.0001 (0.0001)  time: 4.0  data: 3.0  max mem: 11664
Epoch: [1/2]  [  9/10]  eta: 0:00:00  loss: 8.0 (8.5)  lr: 0.0001 (0.0001)  time: 0.5  data: 0.1  max mem: 11664
Epoch: [1/2] Total time: 0:00:06 (0.625000 s / it)
Training time 0:00:15
"""
LINEAR = """Epoch: [0]  [ 0/5]  eta: 0:00:05  lr: 0.0005  loss: 6.9 (6.9)  time: 1.0  data: 0.9  max mem: 837
Epoch: [0]  [ 4/5]  eta: 0:00:00  lr: 0.0005  loss: 6.1 (6.5)  time: 0.25  data: 0.1  max mem: 837
Epoch: [0] Total time: 0:00:02 (0.400000 s / it)
* Acc@1 71.250 Acc@5 92.500 loss 7.148
"""


def test_an_epoch_with_the_number_of_all() -> None:
    """DINO and what descends from it print `[0/2]`, epochs counted from 0."""
    card = scored(DINO)
    assert (card["status"], card["run"]["epochs"]) == ("finished", 2)
    speed = card["dimensions"]["speed"]
    assert speed["value"] == pytest.approx((1 / 0.8125 + 1 / 0.625) / 2)


def test_a_training_after_the_end_of_another_is_evaluated() -> None:
    """A linear classifier that is trained after a pretraining in one file."""
    card = scored(DINO + LINEAR)
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["epoch"]) == (71.25, 0)
    assert not the(Evaluation, DINO + LINEAR).after_training
    assert the(Evaluation, DINO + LINEAR.splitlines()[-1]).after_training


def test_a_logger_without_an_estimate_prints_progress_lines_all_the_same() -> None:
    log = (
        "Epoch: [1]  [0/150]  lr: 0.00012  closs: 0.9233 (0.9531)  time: 5.5  data: 1.5\n"
        "Epoch: [1]  [100/150]  lr: 0.00012  closs: 0.8233 (0.9031)  time: 2.0  data: 0.1\n"
        "Epoch: [1] Total time: 0:05:00\n"
    )
    card = scored(log)
    assert (card["run"]["format"], card["warnings"][0]["kind"]) == ("torchvision", "incomplete")
    assert card["dimensions"]["speed"]["value"] == 150 / 300


@pytest.mark.parametrize(
    "head",
    [
        "Train: data epoch: [{e}]",
        "Train: data epoch: [0]; inner epoch [{e}]",
        "Train Epoch: [{e}]",
        "Epoch [{e}]",
        "Epoch {e}",
    ],
)
def test_the_epochs_of_lavis_and_of_other_descendants(head: str) -> None:
    """The mean of an epoch, 0.52 s, has the first iteration's wait, which later times lack."""
    lines = []
    for e in range(11):
        name = head.format(e=e)
        lines += [
            f"{name}  [{i:3}/200]  eta: 0:01:00  lr: 0.000002  loss: {4 - i / 100:.4f}  "
            f"time: 0.5000  data: 0.0000  max mem: 12000"
            for i in (0, 50, 100, 150, 199)
        ]
        lines.append(f"{name} Total time: 0:01:44 (0.5200 s / it)")
    card = scored("\n".join([*lines, "Training time 0:20:00", ""]))
    assert (card["run"]["format"], card["run"]["epochs"]) == ("torchvision", 11)
    assert card["dimensions"]["speed"]["value"] == pytest.approx(1 / 0.52)
    assert card["run_end"]["run_time_s"] == 1200


@pytest.mark.parametrize("test", ["Test:", "Test: [{e}]"])
def test_the_scores_of_a_test_are_the_means_of_its_last_line(test: str) -> None:
    """A figure's median stands before its mean; a figure without a mean is that of one batch."""
    lines = []
    for e in range(2):
        head = test.format(e=e)
        lines += [
            f"Epoch: [{e}]  [ 0/20]  eta: 0:00:10  loss: 0.9000 (0.9000)  time: 0.5  data: 0.1",
            f"Epoch: [{e}]  [19/20]  eta: 0:00:00  loss: 0.8000 (0.8500)  time: 0.5  data: 0.1",
            f"Epoch: [{e}] Total time: 0:00:10 (0.5000 s / it)",
            f"Averaged stats: lr: 0.0001  loss: 0.8000 (0.8500)  acc: 0.9{e} (0.9{e})",
            f"{head}  [0/5]  eta: 0:00:02  average_f1: 0.1000 (0.1000)  time: 0.4  data: 0.1",
            f"{head} Total time: 0:00:02 (0.4000 s / it)",
            f"Averaged stats: test_loss: 0.7 (0.6)  average_f1: 0.3{e} (0.6{e})  test_acc: 1.0",
        ]
    card = scored("\n".join([*lines, ""]))
    found = card["dimensions"]["accuracy"]
    assert (card["run"]["format"], card["run"]["epochs"]) == ("torchvision", 2)
    assert (found["value"], found["metric"], found["epoch"], found["best"]) == (0.61, "f1", 1, 0.61)
