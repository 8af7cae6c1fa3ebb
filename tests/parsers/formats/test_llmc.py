"""llm.c: console and main.log."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import (
    Scope,
    Summary,
)
from tests.support.corpus import log, read, text
from tests.support.logs import facts, iterations, scores_by_step, values


def test_llmc_console() -> None:
    name, events = text(
        "| precision             | BF16                                               |",
        "| num_processes         | 8                                                  |",
        "val loss 11.007921",
        "step    1/19560 | loss 11.009662 (+nanz)| norm 15.0789 (+nanz)| lr 8.57e-07 | 430.25 ms "
        "| -100.0% bf16 MFU | 1239170 tok/s",
        "step    2/19560 | loss 10.956554 (-1.20z)| norm 15.2427 (+0.01z)| lr 1.71e-06 | 438.50 ms "
        "| 30.8% bf16 MFU | 1195370 tok/s",
        "evaluating HellaSwag: 10/1256\revaluating HellaSwag: 20/1256\r"
        "HellaSwag: 3059/10042 = 0.304621",
        "val loss 3.264775",
        "total average iteration time: 438.123456 ms",
    )
    assert name == "llmc"
    assert facts(events) == {"precision": "bf16", "devices": 8}
    first, second = iterations(events)
    assert "mfu" not in values(first)
    assert values(second)["mfu"] == (30.8, "%")
    assert (second.step, second.steps, second.loss, second.duration) == (
        2,
        19560,
        10.956554,
        0.4385,
    )
    assert (second.throughput, second.unit, second.scope) == (1195370.0, "tokens/s", Scope.JOB)
    assert scores_by_step(events) == [
        (0, {"loss": 11.007921}),
        (2, {"hellaswag": 0.304621}),
        (2, {"loss": 3.264775}),
    ]
    assert [e.metrics[0].value for e in events if isinstance(e, Summary)] == [438.123456]


def test_llmc_main_log() -> None:
    name, events = text(
        "s:0 tel:11.0092", "s:0 trl:11.0091 lr:0.000001 norm:15.37", "s:250 eval:0.3054"
    )
    assert name == "llmc"
    assert [(e.step, e.loss) for e in iterations(events)] == [(0, 11.0091)]
    assert scores_by_step(events) == [(0, {"loss": 11.0092}), (250, {"hellaswag": 0.3054})]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "step", "metric", "value"),
    [
        ("hector_gpt2_124M_stdout_CR.log", 19560, "loss", 3.264775),
        ("modded_llmc_baseline_main.log", 19560, "loss", 3.2722),
        ("siddanth_gpt2_124M_main.log", 19552, "loss", 3.2731),
        ("siddanth_gpt2_124M_main.log", 19552, "hellaswag", 0.3054),
    ],
)
def test_llmc_corpus(file: str, step: int, metric: str, value: float) -> None:
    name, events = read(log(f"corpus/llmc/{file}").read_bytes())
    last = [found for found in scores_by_step(events) if metric in found[1]][-1]
    assert (name, last[0], last[1][metric]) == ("llmc", step, value)
