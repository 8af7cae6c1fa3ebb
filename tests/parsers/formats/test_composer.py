"""Composer: its console blocks and bars."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Iteration, Scope
from tests.support.corpus import text
from tests.support.logs import detected, iterations, only, read, scored, scores_by_step


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


@pytest.mark.parametrize("unit", ["sample", "token", "iteration", "second"])
def test_a_run_that_is_measured_in_another_unit_than_batches(unit: str) -> None:
    name, events = text(
        *(
            line
            for n in (1, 2, 3)
            for line in (
                f"[{unit}={n}0/30]:",
                f"\t Train time/batch: {n}00",
                f"\t Train loss/train/total: {n}.5",
                "\t Train throughput/device/tokens_per_sec: 512.5",
            )
        )
    )
    assert name == "composer"
    assert [(i.step, i.loss, i.throughput, i.scope) for i in iterations(events)] == [
        (100 * n, n + 0.5, 512.5, Scope.DEVICE) for n in (1, 2, 3)
    ]


def test_the_last_figure_of_a_bar_that_was_cut_to_the_terminals_width_has_lost_digits() -> None:
    train = "train          Epoch   0:  100%|████| 40/40 [00:09<00:00,  4.42ba/s, loss/train/total="
    tests = "eval           Epoch   0:  100%|████| 10/10 [00:00<00:00, 15.85ba/s, metrics/eval/"
    cut, whole = tests + "CrossEntropy=0.4", tests + "CrossEntropy=0.4866, metrics/eval/"
    lines = [train + "0.6175]", train + "0.6175]", train + "0.6175]"]
    _name, events = text(*lines, cut)
    assert iterations(events)[0].loss == 0.6175
    assert scores_by_step(events) == []
    _name, events = text(*lines, whole + "MulticlassAccuracy=0.77")
    assert scores_by_step(events) == [(None, {"loss": 0.4866})]
    _name, events = text(*lines, whole + "MulticlassAccuracy=0.7750]")
    assert scores_by_step(events) == [(None, {"loss": 0.4866, "acc1": 0.775})]


def test_bars_that_are_cut_at_the_edge_of_a_terminal_have_steps_and_times() -> None:
    """A terminal of 80 columns cuts off the loss: 8 steps an epoch, 20 a second."""
    bar = "train          Epoch   {epoch}:  {share:3}%|██        | {step}/8 [00:00<00:00, 20.00ba/s, loss/train"
    log = "".join(
        bar.format(epoch=epoch, share=step * 100 // 8, step=step) + "\r"
        for epoch in range(3)
        for step in range(1, 9)
    )
    assert detected(log) == "composer"
    placed = [(one.epoch, one.step, one.steps) for one in only(read(log, "composer"), Iteration)]
    assert placed == [(epoch, step, 8) for epoch in range(3) for step in range(1, 9)]
    speed = scored(log)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (20.0, "it/s")
