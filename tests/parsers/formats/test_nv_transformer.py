"""NVIDIA's Transformer: its lines and its published throughput."""

from __future__ import annotations

from statistics import fmean

import pytest

from sixdim.parsers.events import (
    Scope,
    Summary,
)
from tests.support.corpus import log, read, text
from tests.support.logs import epoch_ends as ends
from tests.support.logs import iterations, scores_by_epoch


def test_nvidia_transformer() -> None:
    name, events = text(
        "| training on 8 GPUs",
        "Transformer | epoch 0 | step 10 |avg loss 16.121 |avg tokens 37260.500 |"
        "tokens/s 305604.405 |walltime 14.268 |",
        "Epoch time: 501.5",
        "Validation loss on subset valid: 4.75",
        "| Eval completed in: 7.79s | UNCASED BLEU 9.82",
        "| done training in 521.8 seconds",
        "Transformer | epoch 0 | step () |avg loss 4.779 |walltime 534.528 |",
    )
    assert name == "nv_transformer"
    (one,) = iterations(events)
    assert (one.epoch, one.step, one.loss) == (0, 10, 16.121)
    assert (one.throughput, one.unit, one.scope) == (305604.405, "tokens/s", Scope.JOB)
    assert scores_by_epoch(events) == [(0, {"loss": (4.75, "")}), (0, {"bleu": (9.82, "")})]
    assert [e.train_time for e in ends(events)] == [501.5]
    assert {m.name: m.value for e in events if isinstance(e, Summary) for m in e.metrics} == {
        "avg loss": 4.779,
        "walltime": 534.528,
    }


TRANSFORMER = "Perf/Transformer/OtherReports/PyTorch/logs"


@pytest.mark.parametrize(
    ("file", "warm_up", "published"),
    [
        ("A100_LOG/transformer_pytorch_bs5120_fp16_gpu8", 44, "286005"),
        ("V100_LOG/transformer_pytorch_bs5120_fp16_gpu8", 44, "208959"),
        ("V100_LOG/transformer_pytorch_bs5120_fp32_gpu8", 44, "65010.7"),
        ("V100_LOG/transformer_pytorch_bs5120_fp32_gpu1", 149, "9040.48"),
    ],
)
def test_nvidia_transformer_published_throughput(file: str, warm_up: int, published: str) -> None:
    name, events = read(log(f"{TRANSFORMER}/{file}").read_bytes())
    rates = [e.throughput for e in iterations(events) if e.throughput is not None]
    assert (name, f"{fmean(rates[warm_up:]):.6g}") == ("nv_transformer", published)
