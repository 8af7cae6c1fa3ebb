"""DLLogger's logs in the corpus give the figures that were published for them."""

from __future__ import annotations

from statistics import fmean

import pytest

from sixdim.parsers.events import Evaluation, Iteration, Summary
from tests.support.corpus import log, read

PERF = "Perf/ResNet50V1.5/OtherReports"


@pytest.mark.parametrize(
    ("path", "metric", "skip", "published"),
    [
        (
            f"{PERF}/PyTorch/logs/V100-LOG/pytorch_gpu1_amp_bs256.txt",
            "train.total_ips",
            9,
            "790.033",
        ),
        (
            f"{PERF}/PyTorch/logs/A100-LOG/pytorch_gpu8_fp32_bs256.txt",
            "train.total_ips",
            8,
            "7020.9",
        ),
        (f"{PERF}/TensorFlow/logs/V100_LOG/tf_gpu8_fp32_bs256.txt", "total_ips", 5, "3273.03"),
        (f"{PERF}/TensorFlow/logs/A100_LOG/tf_gpu1_amp_bs256.txt", "total_ips", 5, "2064.8"),
        (
            "Perf/Bert/OtherReports/TensorFlow/logs/A100_LOG/tf_bert_pretraining_lamb_base_fp16_bs128_gpu8.log",
            "throughput_train",
            0,
            "7488.94",
        ),
    ],
)
def test_published_means_over_iterations(path: str, metric: str, skip: int, published: str) -> None:
    name, events = read(log(path).read_bytes())
    assert name == "dllogger"
    records = [
        m.value for e in events if isinstance(e, Iteration) for m in e.values if m.name == metric
    ]
    assert f"{fmean(records[skip:]):.6g}" == published
    assert records == [e.throughput for e in events if isinstance(e, Iteration)]


@pytest.mark.parametrize(
    ("path", "metric", "published"),
    [
        (
            f"{PERF}/PyTorch/logs/V100-LOG/pytorch_gpu32_fp32_bs256.txt",
            "train.total_ips",
            "10523.32",
        ),
        (f"{PERF}/TensorFlow/logs/V100_LOG/tf_gpu32_amp_bs256.txt", "train_throughput", "33317.67"),
        (f"{PERF}/MxNet/logs/A100_LOG/mxnet_gpu8_amp_bs256.txt", "train.ips", "22690.00"),
        (
            "Perf/Bert/OtherReports/PyTorch/logs/V100_LOG/bert_base_lamb_pretraining.pyt_bert_pretraining_phase1_fp32_bs96_gpu32.log",
            "training_sequences_per_second",
            "3496.94",
        ),
    ],
)
def test_published_figures_of_the_logs_own_summary(path: str, metric: str, published: str) -> None:
    _, events = read(log(path).read_bytes())
    figures = [
        m.value for e in events if isinstance(e, Summary) for m in e.metrics if m.name == metric
    ]
    assert f"{figures[-1]:.2f}" == published


def test_the_airank_resnet50_log() -> None:
    path = "AI-Rank/result_v0.1/software/train/pytorch_samples/linux/resnet50/log/GPUx1_time2train_ips.log"
    _, events = read(log(path).read_bytes())
    first = next(e for e in events if isinstance(e, Iteration))
    evaluations = [e for e in events if isinstance(e, Evaluation)]
    last = [e for e in events if isinstance(e, Summary)][-1]
    assert first.at.time_us is not None
    assert last.at.time_us is not None
    assert f"{(last.at.time_us - first.at.time_us) / 1e6:.2f}" == "137335.29"
    assert len(evaluations) == 90
    for target, epoch, seconds in ((75.9, 82, "126696.97"), (76.1, 83, "128216.50")):
        met = next(e for e in evaluations if e.metrics[0].value >= target)
        assert met.at.time_us is not None
        assert met.epoch == epoch
        assert f"{(met.at.time_us - first.at.time_us) / 1e6:.2f}" == seconds
