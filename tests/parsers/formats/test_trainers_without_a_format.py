"""Logs of trainers that are no longer developed and have no format: the generic reader's figures."""

from __future__ import annotations

import pytest

from tests.support.logs import scored

EPOCHS = range(1, 5)


def test_tensorpack() -> None:
    """The epochs and the scores; its times of epochs are texts."""
    lines = []
    for e in EPOCHS:
        at = f"[0119 15:{e:02}:00 @"
        lines.append(
            f"{at}base.py:283] Epoch {e} (global_step {400 * e}) finished, time:16 seconds."
        )
        lines.append(f"{at}monitor.py:474] train_error: 0.05")
        lines.append(f"{at}monitor.py:474] validation_accuracy: 0.9{e}")
    card = scored("\n".join([*lines, "[0119 15:09:00 @base.py:289] Training has finished!\n"]))
    accuracy = card["dimensions"]["accuracy"]
    assert (card["status"], card["run"]["epochs"]) == ("finished", len(EPOCHS))
    assert (accuracy["metric"], accuracy["value"], accuracy["epoch"]) == ("acc1", 0.94, 4)


def test_sockeye() -> None:
    """The rates of target tokens; the harmonic mean of rates over as many batches each."""
    lines = []
    for e in EPOCHS:
        for batch, rate in ((50, 20000), (100, 12500)):
            count = f"E={e} B={100 * e + batch}"
            lines.append(f"{count}\ts/sec=640.00 tok/sec={rate}.00 u/sec=10.00\tppl=25.0")
    card = scored("\n".join(lines))
    speed = card["dimensions"]["speed"]
    assert speed["value"] == pytest.approx(2 / (1 / 20000 + 1 / 12500))


def test_rewards_of_chainerrls_evaluations_are_no_score() -> None:
    lines = []
    for n in EPOCHS:
        lines.append(f"outdir:results/run step:{200 * n} episode:{n} R:7.5")
        lines.append(f"statistics:[('average_q', 1.5), ('average_loss', 0.25), ('n_updates', {n})]")
        lines += [f"evaluation episode {i} length:90 R:{10.0 * i}" for i in range(3)]
    card = scored("\n".join(lines))
    assert card["dimensions"]["speed"]["value"] is None
    assert card["dimensions"]["accuracy"]["value"] is None
