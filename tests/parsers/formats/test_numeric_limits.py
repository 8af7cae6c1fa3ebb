"""The numbers at which what a format reads changes, on both sides."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation, Iteration, Problem, RunEnd, Scope
from sixdim.parsers.formats.huggingface_fractions import Fractions
from sixdim.parsers.formats.mlperf_rules import RateScope
from tests.support.logs import facts, only, read


@pytest.mark.parametrize(("epoch", "label", "midway"), [(0.951, 1, False), (0.949, None, True)])
def test_a_report_within_a_twentieth_of_an_epoch_ends_it(
    epoch: float, label: int | None, midway: bool
) -> None:
    report = f"{{'eval_loss': 1.5, 'eval_runtime': 2.0, 'epoch': {epoch}}}\n"
    (evaluation,) = only(read(report, "huggingface"), Evaluation)
    assert (evaluation.epoch, evaluation.midway) == (label, midway)


@pytest.mark.parametrize(("epoch", "planned"), [(1.00975, 2), (1.01025, None)])
def test_the_rounding_of_a_report_may_miss_a_hundredth_of_the_epochs(
    epoch: float, planned: int | None
) -> None:
    fractions = Fractions()
    fractions.report(epoch, loss=None)
    assert fractions.fit(500, 1000) == planned  # half of the steps: 2.0195 or 2.0205 epochs in all


@pytest.mark.parametrize(
    "says", ["Continuing training from", "Resuming training from checkpoint with epoch 1 and"]
)
@pytest.mark.parametrize(("step", "rate"), [(0, 50.0), (1, None)])
def test_the_rate_of_a_resumed_training_counts_samples_of_before(
    says: str, step: int, rate: float | None
) -> None:
    text = (
        f"  {says} global step {step}\n"
        "{'train_runtime': 100.0, 'train_samples_per_second': 50.0, 'train_loss': 1.5, 'epoch': 1.0}\n"
    )
    assert [end.throughput for end in only(read(text, "huggingface"), RunEnd)] == [rate]


@pytest.mark.parametrize(("planned", "trained"), [(9_999, 9_999), (10_000, 0)])
def test_epochs_that_no_line_has_are_counted_up_to_ten_thousand(planned: int, trained: int) -> None:
    text = f"`Trainer.fit` stopped: `max_epochs={planned}` reached.\n"
    assert len(only(read(text, "lightning"), EpochEnd)) == trained


@pytest.mark.parametrize(("devices", "known"), [(1, None), (2, 2)])
def test_one_gpu_in_mmcvs_range_says_nothing(devices: int, known: int | None) -> None:
    assert facts(read(f"gpu_ids = range(0, {devices})\n", "mmcv")).get("devices") == known


@pytest.mark.parametrize(
    ("seconds", "rate", "batch"),
    [
        ("0.0051", "10000.0", 51),
        ("0.0049", "10000.0", None),  # four decimals are too few
        ("0.1000", "1004.9", 100),  # 100.49 samples
        ("0.1000", "955.0", None),  # 95.5 samples are of several iterations
    ],
)
def test_the_first_iteration_says_the_batch_where_its_time_is_fine_enough(
    seconds: str, rate: str, batch: int | None
) -> None:
    text = (
        f"Epoch: [0]  [ 0/10]  eta: 0:00:10  lr: 0.1  img/s: {rate}  loss: 6.9 (6.9)  "
        f"time: {seconds}  data: 0.0000\n"
    )
    assert facts(read(text, "torchvision")).get("rated_batch") == batch


@pytest.mark.parametrize(
    ("batch", "local", "samples", "rate", "scope"),
    [
        (800, 100, 10, 1096.0, Scope.DEVICE),
        (800, 100, 10, 1104.0, Scope.JOB),  # more than a tenth beside the 1000 of a device
        (8, 2, 10, 20.0, Scope.DEVICE),
        (8, 1, 10, 10.0, Scope.JOB),  # ten samples in batches of one are no ten batches
    ],
)
def test_an_mlperf_rate_is_a_devices_where_it_gives_its_samples(
    batch: int, local: int, samples: int, rate: float, scope: Scope
) -> None:
    rates = RateScope()
    rates.batch, rates.local, rates.samples, rates.lasted = batch, local, samples, 1.0
    rates.compare(rate)
    assert rates.scope is scope


@pytest.mark.parametrize(("time", "rate"), [("999ms", 1 / 0.999), ("1s", None)])
def test_a_keras_step_of_a_second_is_no_sample(time: str, rate: float | None) -> None:
    text = (
        "Train on 4 samples, validate on 2 samples\nEpoch 1/1\n"
        f"4/4 [==============================] - 4s {time}/step - loss: 0.5000\n"
    )
    (end,) = only(read(text, "keras"), EpochEnd)
    assert end.throughput == rate


def test_figures_below_one_count() -> None:
    steps = "loss = 2.0, step = 0\nloss = 1.5, step = 1 (0.5 sec)\n"
    assert [one.duration for one in only(read(steps, "tf-estimator"), Iteration)] == [None, 0.5]
    tick = '{"Progress/kimg": {"mean": 4.0}, "Timing/sec_per_kimg": {"mean": 0.5}}\n'
    assert [one.throughput for one in only(read(tick, "stylegan-json"), Iteration)] == [2000.0]


def test_a_line_of_oneflow_without_the_clock_of_those_before_it_is_cut() -> None:
    line = "train: epoch 0, iter {}, loss: 7.13, samples/s: {}\n"
    text = line.format(20, "3988.891 1597933942.986") + line.format(40, "39")
    assert [one.throughput for one in only(read(text, "oneflow"), Iteration)] == [3988.891]
    bare = line.format(20, "3988.891") + line.format(40, "3990.5")
    assert [one.step for one in only(read(bare, "oneflow"), Iteration)] == [20, 40]


def test_of_two_dllogger_records_in_a_line_the_last_counts_and_the_other_is_reported() -> None:
    record = "DLL 2021-03-23 09:25:16.839221 - Epoch: 0 Iteration: {}  train.loss : 7.5"
    events = read(f"{record.format(100)} {record.format(200)}\n", "dllogger")
    assert [one.step for one in only(events, Iteration)] == [200]
    assert [one.kind for one in only(events, Problem)] == ["cut_line"]
    whole = read(record.format(100) + "\n", "dllogger")
    assert only(whole, Problem) == []
