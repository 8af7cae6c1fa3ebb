"""Swin Transformer's console and InternImage's."""

from __future__ import annotations

from sixdim.parsers.events import (
    BY_NAME,
    EpochEnd,
    Evaluation,
    Iteration,
    Problem,
    RunEnd,
    Scope,
    Summary,
)
from tests.support.logs import detected, only, read, score

SWIN = """\
[2021-09-01 10:00:00 swin_tiny] (main.py 181): INFO Train: [7/300][10/1251]\teta 1:10:05 lr 0.000100\t time 0.5123 (0.6000)\tloss 6.9123 (6.9500)\tgrad_norm inf (nan)\tmem 9999MB
[2021-09-01 10:10:00 swin_tiny] (main.py 190): INFO EPOCH 7 training takes 0:10:50
[2021-09-01 10:10:10 swin_tiny] (main.py 230): INFO Test: [0/98]\tTime 1.2 (1.2)\tLoss 0.5 (0.5)\tAcc@1 87.500 (87.500)\tAcc@5 98.0 (98.0)\tMem 9999MB
[2021-09-01 10:10:20 swin_tiny] (main.py 237): INFO  * Acc@1 81.200 Acc@5 95.500
[2021-09-01 10:10:20 swin_tiny] (main.py 150): INFO Accuracy of the network on the 50000 test images: 81.2%
[2021-09-01 10:10:20 swin_tiny] (main.py 152): INFO Max accuracy: 81.30%
[2021-09-01 10:10:20 swin_tiny] (main.py 156): INFO Training time 1 day, 2:03:04
"""


def test_swin() -> None:
    events = read(SWIN, "swin")
    (iteration,), (evaluation,) = only(events, Iteration), only(events, Evaluation)
    assert (iteration.epoch, iteration.step, iteration.steps) == (7, 10, 1251)
    assert (iteration.loss, iteration.duration, iteration.throughput) == (6.9123, 0.5123, None)
    assert (evaluation.epoch, score(evaluation, "acc1")) == (7, 81.2)
    assert [e.train_time for e in only(events, EpochEnd)] == [650.0]
    assert only(events, Summary)[0].metrics[0].value == 81.3
    assert [e.duration for e in only(events, RunEnd)] == [93784.0]
    assert detected(SWIN) == "swin"


def test_internimage_prints_the_jobs_images_per_second() -> None:
    text = (
        "Train: [0/300][10/625]\teta 0:10:05 lr 0.000001\ttime 0.5 (0.6)\tmodel_time 0.4 (0.5)\t"
        "loss 6.9 (6.95)\tgrad_norm 1.2 (1.3)\tmem 9999MB\tfps 1234.5678img/s\n"
        "EPOCH 0 Avg img/s: 1200.5\n"
    )
    events = read(text, "swin")
    (iteration,), (end,) = only(events, Iteration), only(events, EpochEnd)
    assert (iteration.throughput, iteration.unit) == (1234.5678, "img/s")
    assert iteration.scope is Scope.JOB
    assert (end.epoch, end.throughput) == (0, 1200.5)


def test_broken_number() -> None:
    events = read(SWIN.replace("0.5123", "0.51.23"), "swin")
    assert only(events, Iteration) == []
    assert [p.kind for p in only(events, Problem)] == ["broken_number"]


def test_the_sentence_of_pytorchs_tutorial_is_not_swins() -> None:
    text = "[1,    10] loss: 1.385\nAccuracy of the network on the 10000 test images: 54 %\n" * 9
    assert detected(text) != "swin"


def test_a_descendant_that_prints_the_accuracy_in_a_sentence_alone() -> None:
    text = SWIN.replace("INFO  * Acc@1 81.200 Acc@5 95.500", "INFO  * Val Acc 81.2 Val Loss 0.7")
    text = text.replace("test images", "val images")
    train = "INFO Accuracy of the network on the 1281167 train images: 99.1%\n"
    text = text.replace(
        "INFO EPOCH", train + "[2021-09-01 10:10:00 swin_tiny] (main.py 1): INFO EPOCH"
    )
    # The sentence is read by its names, too, which counts only where the format reads nothing.
    found = only(read(text, "swin"), Evaluation)
    (evaluation,) = [one for one in found if one.model != BY_NAME]
    assert (evaluation.epoch, score(evaluation, "acc1")) == (7, 81.2)
