"""tf_cnn_benchmarks and the official models' TimeHistory."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import (
    Evaluation,
    Iteration,
    Problem,
    RunEnd,
    RunInfo,
    RunStart,
    Scope,
    Summary,
)
from tests.support.corpus import log, read, text
from tests.support.logs import scored

HEAD = (
    "TensorFlow:  2.4",
    "Model:       resnet50",
    "Mode:        training",
    "Batch size:  384 global",
    "             96 per device",
    "Devices:     ['/gpu:0', '/gpu:1', '/gpu:2', '/gpu:3']",
    "Step\tImg/sec\ttotal_loss",
)


def test_benchmark_lines() -> None:
    name, events = text(
        *HEAD,
        "1\timages/sec: 2700.5 +/- 0.0 (jitter = 0.0)\t7.840",
        "10\timages/sec: 2811.4 +/- 8.6 (jitter = 29.7)\t7.833 1600000001",
        "20\timages/sec: 2800.0 +/- 8.6 (jitter = 29.7)\tnan\t0.010\t0.050",
        "Accuracy @ 1 = 0.7625 Accuracy @ 5 = 0.9250 [50000 examples]",
        "-" * 64,
        "total images/sec: 2790.25",
        "-" * 64,
    )
    assert name == "tf_cnn_benchmarks"
    assert sum(isinstance(e, RunStart) for e in events) == 1
    facts = {e.name: e.value for e in events if isinstance(e, RunInfo)}
    assert facts == {
        "framework": "TensorFlow 2.4",
        "means_since": 0,
        "model": "resnet50",
        "global_batch": 384,
        "batch_per_device": 96,
        "devices": 4,
    }
    first, second, third = [e for e in events if isinstance(e, Iteration)]
    assert (first.step, first.throughput, first.unit, first.scope) == (
        1,
        2700.5,
        "img/s",
        Scope.JOB,
    )
    assert (second.loss, second.at.time_us) == (7.833, 1_600_000_001_000_000)
    assert first.at.time_us is None
    assert third.loss != third.loss
    assert ("train.top5", 0.05) in [(m.name, m.value) for m in third.values]
    (evaluation,) = [e for e in events if isinstance(e, Evaluation)]
    assert [(m.name, m.value, m.unit) for m in evaluation.metrics] == [
        ("acc1", 0.7625, "fraction"),
        ("acc5", 0.925, "fraction"),
    ]
    assert [m.value for e in events if isinstance(e, Summary) for m in e.metrics] == [2790.25]
    assert sum(isinstance(e, RunEnd) for e in events) == 1
    assert not [e for e in events if isinstance(e, Problem)]


def test_a_broken_rate_is_a_warning() -> None:
    _, events = text(*HEAD, "10\timages/sec: 28x1.4 +/- 8.6 (jitter = 29.7)\t7.833")
    assert [e.kind for e in events if isinstance(e, Problem)] == ["broken_number"]
    assert not [e for e in events if isinstance(e, Iteration)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "published"),
    [
        ("lambda_8xA100pcie_resnet50_fp16", "15997"),
        ("lambda_4xRTX3090_resnet50_fp16", "2783"),
        ("lambda_2xRTX3080_xla_resnet152_noisy", "505"),
        ("lambda_RadeonProVII_real_resnet50_fp16", "280"),
    ],
)
def test_published_totals(file: str, published: str) -> None:
    name, events = read(log(f"corpus/tf_cnn_benchmarks/{file}.log").read_bytes())
    assert name == "tf_cnn_benchmarks"
    (total,) = [m.value for e in events if isinstance(e, Summary) for m in e.metrics]
    assert f"{total:.0f}" == published
    assert sum(isinstance(e, Iteration) for e in events) == 11


def test_time_history_after_abseils_prefix() -> None:
    glog = "I0802 10:00:{}.250000 140419828713280 keras_utils.py:145] "
    line = "TimeHistory: {} seconds, {} examples/second between steps {} and {}"
    name, events = text(
        glog.format("10") + line.format("12.50", "1024.00", 0, 100),
        "INFO:tensorflow:" + line.format("12.50", "1024.00", 0, 100),
        glog.format("20") + line.format("10.00", "1280.50", 100, 200),
        "BenchmarkMetric: {'global step':300, 'time_taken': 10.500000,'examples_per_second': 1270.250000}",
    )
    assert name == "keras"
    found = [e for e in events if isinstance(e, Iteration)]
    assert [(e.step, e.throughput, e.unit, e.scope) for e in found] == [
        (100, 1024.0, "samples/s", Scope.JOB),
        (200, 1280.5, "samples/s", Scope.JOB),
        (300, 1270.25, "samples/s", Scope.JOB),
    ]
    assert (found[0].duration, found[1].duration, found[2].duration) == (0.125, 0.1, None)
    assert found[0].at.time_us is not None
    assert found[1].at.time_us is not None
    assert found[1].at.time_us - found[0].at.time_us == 10_000_000


def test_with_horovod_the_rate_is_that_of_one_device() -> None:
    # Each of two processes trains on 96 of the 192 images, and prints its own rate.
    head = (
        "TensorFlow:  1.15",
        "SingleSess:  False",
        "Batch size:  192 global",
        "             96 per device",
        "Devices:     ['horovod/gpu:0', 'horovod/gpu:1']",
        "Step\tImg/sec\ttotal_loss",
    )
    rate = "10\timages/sec: 700.0 +/- 8.6 (jitter = 29.7)\t7.833"
    _, events = text(*head, rate)
    assert [e.scope for e in events if isinstance(e, Iteration)] == [Scope.DEVICE]
    assert [e.value for e in events if isinstance(e, RunInfo) and e.name == "devices"] == [2]
    # Two workers of two devices each list their own devices; a common session has those of all.
    own = ("Batch size:  384 global", *head[3:4], "Devices:     ['/gpu:0', '/gpu:1']")
    _, events = text(*head[:2], *own, rate)
    assert [e.scope for e in events if isinstance(e, Iteration)] == [Scope.UNKNOWN]
    assert [e.value for e in events if isinstance(e, RunInfo) and e.name == "devices"] == [4]
    _, events = text(head[0], "SingleSess:  True", *own, rate)
    assert [e.scope for e in events if isinstance(e, Iteration)] == [Scope.JOB]


def test_the_final_evaluation_follows_the_end_of_the_training() -> None:
    scores = "Accuracy @ 1 = {:.4f} Accuracy @ 5 = 0.9000 [50000 examples]"
    training = (
        *HEAD,
        "10\timages/sec: 2811.4 +/- 8.6 (jitter = 29.7)\t7.833",
        "Running evaluation at global_step 20",
        scores.format(0.5),
    )
    final = "Running final evaluation at global_step 30", scores.format(0.7)
    card = scored("\n".join((*training, "Resuming training", "Done with training", *final)) + "\n")
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["state"]) == (0.7, "final")
    stopped = "Stopping, as eval accuracy at least 0.5 was reached", "Done with training"
    card = scored("\n".join((*training, *stopped)) + "\n")
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["state"], card["status"]) == (0.5, "final", "finished")
