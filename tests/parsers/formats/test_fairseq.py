"""fairseq: simple, JSON and tqdm lines."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import (
    RunEnd,
    Scope,
)
from tests.support.corpus import log, read, text
from tests.support.logs import epoch_ends as ends
from tests.support.logs import facts, iterations, scores_by_epoch


def test_fairseq_simple() -> None:
    inner = (
        "epoch 001:     50 / 1637 loss=7.500, nll_loss=6.250, ppl=76.5, wps=320047, ups=4.1, "
        "wpb=74822, bsz=2574, num_updates=50, lr=0.0005, gnorm=1.945, clip=36%, wall=25"
    )
    valid = "epoch 001 | valid on 'valid' subset | loss 4.500 | ppl 22.6 | num_updates 1632"
    whole = "epoch 001 | loss 6.623 | nll_loss 5.500 | ppl 45.25 | wps 320028 | ups 4.2"
    log_prefix = "2030-01-02 03:04:05 | INFO | {} | "
    new = text(
        log_prefix.format("fairseq_cli.train") + "training on 16 devices (GPUs/TPUs)",
        log_prefix.format("train_inner") + inner,
        log_prefix.format("valid") + valid,
        log_prefix.format("train") + whole,
        log_prefix.format("fairseq_cli.train") + "done training in 3600.5 seconds",
    )
    old = text(
        "| training on 16 GPUs",
        "| " + inner,
        "| " + valid,
        "| " + whole,
        "| done training in 3600.5 seconds",
    )
    for name, events in (new, old):
        assert name == "fairseq"
        assert facts(events) == {"devices": 16}
        (one,) = iterations(events)
        assert (one.epoch, one.step, one.steps, one.loss) == (1, 50, 1637, 7.5)
        assert (one.throughput, one.unit, one.scope) == (320047.0, "tokens/s", Scope.JOB)
        assert scores_by_epoch(events) == [(1, {"loss": (4.5, ""), "perplexity": (22.6, "")})]
        assert [(e.epoch, e.throughput) for e in ends(events)] == [(1, 320028.0)]
        assert [e.duration for e in events if isinstance(e, RunEnd)] == [3600.5]


@pytest.mark.parametrize(
    "prefix",
    ["[2030-01-02 03:04:05,678][{}][INFO] - ", "2030-01-02 03:04:05.678 | INFO | {} | "],
)
def test_fairseq_json_has_its_numbers_in_strings(prefix: str) -> None:
    name, events = text(
        prefix.format("train_inner") + '{"epoch": 2, "update": 1.25, "loss": "3.5", "ppl": "11.31",'
        ' "wps": "361972", "num_updates": "10800", "lr": "0.0009", "gb_free": "20.1"}',
        prefix.format("valid") + '{"epoch": 2, "valid_loss": "2.5", "valid_ppl": "5.66", '
        '"valid_wps": "1.6e+06", "valid_num_updates": "50000"}',
        prefix.format("train") + '{"epoch": 2, "train_loss": "3.25", "train_wps": "362334"}',
        prefix.format("train_inner") + '{"epoch": 2, "update": 1.5, "loss": "3.5", "num_upd',
    )
    assert name == "fairseq"
    (one,) = iterations(events)
    assert (one.epoch, one.step, one.loss, one.throughput) == (2, 10800, 3.5, 361972.0)
    assert one.at.time_us == 1_893_553_445_678_000
    assert scores_by_epoch(events) == [(2, {"loss": (2.5, ""), "perplexity": (5.66, "")})]
    assert [(e.epoch, e.throughput) for e in ends(events)] == [(2, 362334.0)]


def test_fairseq_corpus() -> None:
    name, events = read(log("corpus/fairseq/adan_bert_pretrain_adan_hydra.log").read_bytes())
    epoch, metrics = scores_by_epoch(events)[-1]
    assert (name, epoch, metrics["loss"], metrics["perplexity"]) == (
        "fairseq",
        16,
        (1.903, ""),
        (3.74, ""),
    )
