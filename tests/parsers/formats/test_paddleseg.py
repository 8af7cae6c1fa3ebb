"""PaddleSeg lines, AI-Rank's beside them, and the published figures of real logs."""

from __future__ import annotations

from statistics import fmean, median

import pytest

from sixdim.parsers.events import (
    Evaluation,
    Iteration,
    Metric,
    Problem,
    RunInfo,
    RunStart,
    Scope,
    Summary,
)
from tests.support.corpus import log, read, text
from tests.support.inputs.published import digits, figure, speeds, tipc

TRAIN = (
    "2022-06-10 17:44:40 [INFO]\t[TRAIN] epoch: 2, iter: 185/200, loss: 0.5625, lr: 0.001030, "
    "batch_cost: 0.5001, reader_cost: 0.00285, ips: 15.9956 samples/sec | ETA 00:00:07"
)


def test_an_iteration_counts_over_the_run() -> None:
    name, events = text(TRAIN)
    (record,) = (e for e in events if isinstance(e, Iteration))
    assert name == "paddleseg"
    assert (record.epoch, record.step, record.steps) == (None, 185, 200)
    assert (record.throughput, record.unit, record.scope) == (15.9956, "samples/s", Scope.DEVICE)
    assert (record.loss, record.duration) == (0.5625, 0.5001)
    assert Metric("epoch", 2.0) in record.values
    assert record.at.time_us == 1_654_883_080_000_000


def test_evaluation_with_and_without_dice() -> None:
    _, events = text(
        TRAIN,
        "2022-06-10 17:44:50 [INFO]\t[EVAL] #Images: 500 mIoU: 0.7882 Acc: 0.9615 Kappa: 0.9501 ",
        "2022-06-10 17:44:50 [INFO]\t[EVAL] Class IoU: ",
        "[EVAL] #Images: 500 mIoU: 0.7982 Acc: 0.9615 Kappa: 0.95 Dice: 0.88",
        "[EVAL] The model with the best validation mIoU (0.7982) was saved at iter 200.",
    )
    first, second = (e for e in events if isinstance(e, Evaluation))
    assert first.metrics[0] == Metric("miou", 0.7882, "fraction")
    assert first.step == 185
    assert second.metrics[-1] == Metric("dice", 0.88, "fraction")
    (best,) = (e for e in events if isinstance(e, Summary))
    assert best.metrics == (Metric("best miou", 0.7982, "fraction"),)


def test_the_model_is_the_outer_type() -> None:
    _, events = text(
        "------------Environment Information-------------",
        "GPUs used: 8",
        "PaddlePaddle: 2.5.0",
        "batch_size: 4",
        "model:",
        "  backbone:",
        "    type: ResNet50_vd",
        "  type: DeepLabV3P",
        "optimizer:",
        "  type: sgd",
    )
    assert isinstance(events[0], RunStart)
    assert {e.name: e.value for e in events if isinstance(e, RunInfo)} == {
        "devices": 8,
        "framework": "PaddlePaddle 2.5.0",
        "batch_per_device": 4,
        "model": "DeepLabV3P",
    }


def test_each_run_of_a_file_has_its_devices() -> None:
    header = "------------Environment Information-------------\nGPUs used: 2\n"
    launched = "LAUNCH INFO 2022-06-10 17:44:40,101 nnodes: 2\n"
    launched += "LAUNCH INFO 2022-06-10 17:44:40,101 devices: 0,1\n"
    for text_before, counts in (("", [2, 2]), (launched, [4, 4, 4])):
        _, events = text(text_before + 2 * f"{header}{TRAIN}\n")
        found = [e.value for e in events if isinstance(e, RunInfo) and e.name == "devices"]
        assert found == counts


def test_a_cut_line_is_a_warning() -> None:
    _, events = text(TRAIN, TRAIN.replace("0.5625,", "0.5x25,"))
    (problem,) = (e for e in events if isinstance(e, Problem))
    assert (problem.kind, problem.at.line) == ("broken_number", 2)


HRNET = "Perf/HRNetW18/logs/paddle/PaddleSeg_fcn_hrnetw18_bs8_{}_DP_N1C{}_log"


@pytest.mark.parametrize(
    ("precision", "cards"), [("fp32", 1), ("fp16", 1), ("fp32", 8), ("fp16", 8)]
)
def test_published_throughput(precision: str, cards: int) -> None:
    path = HRNET.format(precision, cards)
    name, events = read(log(path).read_bytes())
    assert name == "paddleseg"
    assert str(tipc(speeds(events), 2, cards)) == figure(path)


@pytest.mark.parametrize(("file", "cards"), [("FP16_BS4-N1", 1), ("FP32_BS4-N8", 8)])
def test_published_throughput_of_deeplab(file: str, cards: int) -> None:
    path = f"Perf/DeepLabV3P/logs/paddle/Deeplabv3_{file}.log"
    _, events = read(log(path).read_bytes())
    published = figure(path)
    assert digits(fmean(speeds(events)[5:]) * cards, published) == published


def test_published_figures_of_an_ai_rank_submission() -> None:
    path = (
        "AI-Rank-sljlp/result_v0.1/software/train/paddle_samples/linux/deeplabv3p/log/"
        "GPUx8_time2train_ips.log"
    )
    name, events = read(log(path).read_bytes())
    summaries = {m.name: m for e in events if isinstance(e, Summary) for m in e.metrics}
    accuracies = [
        m.value
        for e in events
        if isinstance(e, Evaluation)
        for m in e.metrics
        if m.name == "eval_accuracy"
    ]
    assert name == "paddleseg"
    assert str(summaries["target_quality_time"].value) == figure(path, "Time2train")
    assert digits(accuracies[-1], figure(path, "mIoU")) == figure(path, "mIoU")
    assert digits(median(speeds(events)) * 8, figure(path)) == figure(path)
    assert (summaries["avg_ips"].value, summaries["avg_ips"].unit) == (80.9, "img/s")
