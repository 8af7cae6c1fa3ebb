"""AI-Rank's events: alone, and beside the format whose log they stand in."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Iteration,
    Problem,
    RunEnd,
    RunStart,
    Summary,
    TargetReached,
)
from tests.support.corpus import log, read, text

EVENTS = (
    "- AI-Rank-log 1600000000.250 load_data, checksum:0123abcd",
    "- AI-Rank-log 1600000001.500 test_begin",
    "- AI-Rank-log 1600000101.000 eval_accuracy:0.5125, total_epoch_cnt:1",
    "- AI-Rank-log 1600000201.000 eval_accuracy:0.7625, total_epoch_cnt:2",
    "- AI-Rank-log 1600000201.001 target_quality_time:199.50sec",
    "- AI-Rank-log 1600000202.000 test_finish",
    "- AI-Rank-log 1600000202.001 total_use_time: 200.50 sec",
    "- AI-Rank-log 1600000202.002 avg_ips:1190images/sec",
)


def test_alone() -> None:
    name, events = text(*EVENTS)
    assert name == "airank"
    assert [e.at.time_us for e in events if isinstance(e, RunStart)] == [1_600_000_001_500_000]
    found = [e for e in events if isinstance(e, Evaluation)]
    assert [(e.metrics[0].name, e.metrics[0].value, e.at.time_us) for e in found] == [
        ("eval_accuracy", 0.5125, 1_600_000_101_000_000),
        ("eval_accuracy", 0.7625, 1_600_000_201_000_000),
    ]
    assert sum(isinstance(e, TargetReached) for e in events) == 1
    figures = [m for e in events if isinstance(e, Summary) for m in e.metrics]
    assert [(m.name, m.value, m.unit) for m in figures] == [
        ("target_quality_time", 199.5, "s"),
        ("total_use_time", 200.5, "s"),
        ("avg_ips", 1190.0, "img/s"),
    ]
    assert [e.duration for e in events if isinstance(e, RunEnd)] == [200.5]


def test_a_finish_without_its_time_still_ends_the_run() -> None:
    _, events = text(*EVENTS[:6])
    assert [(e.duration, e.at.line) for e in events if isinstance(e, RunEnd)] == [(None, 6)]


def test_beside_another_format() -> None:
    framework = [
        f"AI-Rank-log Epoch: [0]  [{i:3d}/334]  eta: 0:01:00  lr: 0.1  img/s: 5000.5  loss: 7.0 (7.0)  time: 0.5  data: 0.1"
        for i in range(5)
    ]
    name, events = text(*EVENTS[:2], *framework, "Epoch: [0] Avg img/s: 4900.25", *EVENTS[2:5])
    assert name == "torchvision"
    assert sum(isinstance(e, Iteration) for e in events) == 5
    assert [e.throughput for e in events if isinstance(e, EpochEnd)] == [4900.25]
    assert [e.metrics[0].value for e in events if isinstance(e, Evaluation)] == [0.5125, 0.7625]
    assert sum(isinstance(e, TargetReached) for e in events) == 1


def test_a_loggers_clock_in_front_stays_the_clock() -> None:
    _, events = text(
        *("2021-05-11 07:05:24 [INFO]\tAI-Rank-log 1620687924.6679616 test_begin",),
        "2021-05-11 07:58:12 [INFO]\tAI-Rank-log 1620691092.6750236 eval_accuracy:76.25, total_epoch_cnt:86.05",
    )
    start = next(e for e in events if isinstance(e, RunStart)).at.time_us
    end = next(e for e in events if isinstance(e, Evaluation)).at.time_us
    assert start == 1_620_716_724_000_000  # 07:05:24, not the 23:05:24 of the UTC seconds
    assert end is not None
    assert end - start == 3168 * 1_000_000


@pytest.mark.parametrize(
    "line",
    ["eval_accuracy:0.5x, total_epoch_cnt:1", "target_quality_time:sec", "total_use_time:--3sec"],
)
def test_broken_numbers_are_warnings(line: str) -> None:
    _, events = text(*EVENTS[:4], f"- AI-Rank-log 1600000203.0 {line}")
    assert [e.kind for e in events if isinstance(e, Problem)] == ["broken_number"]
    assert len([e for e in events if isinstance(e, Evaluation)]) == 2
    assert not [e for e in events if isinstance(e, RunEnd | TargetReached)]


ROOT = "AI-Rank/result_v0.1/software/train/pytorch_samples/linux"


@pytest.mark.parametrize(
    ("path", "seconds", "accuracy"),
    [
        (f"{ROOT}/tsm/log/GPUx8_AMP.log", 23711.152, 70.121457),
        (f"{ROOT}/tsm/log/GPUx8_FP32.log", 34883.646, 70.07085),
    ],
)
def test_tsm(path: str, seconds: float, accuracy: float) -> None:
    _, events = read(log(path).read_bytes())
    start = next(e for e in events if isinstance(e, RunStart)).at.time_us
    last = [
        e for e in events if isinstance(e, Evaluation) and e.metrics[0].name == "eval_accuracy"
    ][-1]
    assert start is not None
    assert last.at.time_us is not None
    assert (last.at.time_us - start) / 1e6 == seconds
    assert last.metrics[0].value == accuracy


def test_the_paddle_deeplab_log() -> None:
    path = "AI-Rank-sljlp/result_v0.1/software/train/paddle_samples/linux/deeplabv3p/log/GPUx8_time2train_ips.log"
    _, events = read(log(path).read_bytes())
    figures = {m.name: m.value for e in events if isinstance(e, Summary) for m in e.metrics}
    assert figures["target_quality_time"] == 6328.86
    accuracies = [
        m.value
        for e in events
        if isinstance(e, Evaluation)
        for m in e.metrics
        if m.name == "eval_accuracy"
    ]
    assert f"{accuracies[-1]:.1f}" == "78.8"
    assert [e.duration for e in events if isinstance(e, RunEnd)] == [6328.86]
