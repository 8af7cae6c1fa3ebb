"""Composer: its console blocks and bars."""

from __future__ import annotations

from sixdim.parsers.events import (
    Scope,
)
from tests.support.corpus import text
from tests.support.logs import iterations, scores_by_step


def test_composer_gathers_a_block() -> None:
    name, events = text(
        "[epoch=1][batch=100/1251]:",
        "\t Train time/batch: 99",
        "\t Train loss/train/total: 6.5000",
        "\t Train throughput/samples_per_sec: 2048.5000",
        "[Eval batch=1/49] Eval on eval data",
        "[Eval batch=49/49] Eval on eval data:",
        "\t Eval metrics/eval/MulticlassAccuracy: 0.2500",
        "\t Eval metrics/eval/CrossEntropy: 4.5000",
    )
    assert name == "composer"
    (one,) = iterations(events)
    assert (one.epoch, one.step, one.steps, one.loss) == (1, 100, 1251, 6.5)
    assert (one.throughput, one.unit, one.scope) == (2048.5, "samples/s", Scope.JOB)
    assert scores_by_step(events) == [(100, {"acc1": 0.25, "loss": 4.5})]
