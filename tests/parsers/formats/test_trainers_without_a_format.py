"""Logs of trainers that are no longer developed and have no format: the generic reader's figures."""

from __future__ import annotations

import json

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


def test_chainers_table_names_the_trained_model() -> None:
    head = "epoch       iteration   main/loss   validation/main/loss  validation/main/accuracy"
    rows = [
        f"{n:<10}  {600 * n:<10}  {1 / n:<10.6}  {2 / n:<20.6}  {0.5 + n / 16:<24}"
        for n in (1, 2, 3)
    ]
    card = scored("\n".join([head, *rows, ""]))
    assert card["dimensions"]["accuracy"]["value"] == 0.6875
    assert card["run"]["epochs"] == 3


def test_rewards_of_chainerrls_evaluations_are_no_score() -> None:
    lines = []
    for n in EPOCHS:
        lines.append(f"outdir:results/run step:{200 * n} episode:{n} R:7.5")
        lines.append(f"statistics:[('average_q', 1.5), ('average_loss', 0.25), ('n_updates', {n})]")
        lines += [f"evaluation episode {i} length:90 R:{10.0 * i}" for i in range(3)]
    card = scored("\n".join(lines))
    assert card["dimensions"]["speed"]["value"] is None
    assert card["dimensions"]["accuracy"]["value"] is None


def test_allennlp() -> None:
    """The table of an epoch, and the bar of its training."""
    at = "2026-03-01 10:0{minute}:{second:02},000 - INFO - allennlp.training."
    lines = [at.format(minute=0, second=0) + "trainer - Beginning training."]
    for e, accuracy in ((0, 0.75), (1, 0.5)):
        begin, end = at.format(minute=2 * e, second=0), at.format(minute=2 * e + 1, second=30)
        lines += [f"{begin}trainer - Epoch {e}/2", f"{begin}trainer - Training"]
        lines += [
            f"accuracy: 0.9, loss: 0.4 ||: {p:3}%|###  | {p * 2}/200 [00:{p:02}<00:09,  2.00it/s]"
            for p in (25, 50)
        ]
        lines += [f"{begin}trainer - Validating"]
        lines += [f"{end}tensorboard_writer -                Training |  Validation"]
        lines += [f"{end}tensorboard_writer - loss          |     0.500  |     0.625"]
        lines += [f"{end}tensorboard_writer - accuracy      |     0.875  |     {accuracy:.3f}"]
        lines += [f"{end}trainer - Epoch duration: 0:01:30.500000"]
    card = scored("\n".join([*lines, ""]))
    speed, accuracy = card["dimensions"]["speed"], card["dimensions"]["accuracy"]
    assert card["run"]["epochs"] == 2
    assert (speed["value"], speed["unit"]) == (pytest.approx(2.0), "it/s")
    assert (accuracy["value"], accuracy["best"], accuracy["epoch"]) == (0.5, 0.75, 1)


@pytest.mark.parametrize("between", ["", " fps step and policy inference: 28000.5 "])
def test_rates_of_rl_games_without_a_step_are_no_speed(between: str) -> None:
    text = "".join(f"fps step: {31000 + n}.5{between} fps total: 24600.{n}\n" for n in range(9))
    assert scored(text)["dimensions"]["speed"]["value"] is None


def test_slowfast() -> None:
    """An epoch takes 60 s for 40 iterations; from its 10th to its 40th the clock shows 30 s."""
    lines = []
    for e in EPOCHS:

        def record(kind: str, e: int = e, **values: object) -> str:
            entry = {"_type": kind, "epoch": f"{e}/4", **values}
            return f"logging.py:   99: json_stats: {json.dumps(entry)}"

        for step in (10, 20, 30, 40):
            trained = record("train_iter", dt=1.0, iter=f"{step}/40", loss=6.0, top1_err=99.5)
            lines.append(f"[05/11 0{e}:00:{20 + step - 1}][INFO] {trained}")
        lines.append(f"[05/11 0{e}:01:00][INFO] {record('train_epoch', loss=5.5, top1_err=95.0)}")
        lines.append(f"[05/11 0{e}:01:00][INFO] logging.py: 99: Epoch {e - 1} takes 60.00s. ")
        tested = record("val_epoch", min_top1_err=60.0, top1_err=70.0 - e, top5_err=40.0)
        lines.append(f"[05/11 0{e}:02:00][INFO] {tested}")
    card = scored("\n".join([*lines, ""]))
    speed, accuracy = card["dimensions"]["speed"], card["dimensions"]["accuracy"]
    assert card["run"]["epochs"] == len(EPOCHS)
    assert (speed["value"], speed["unit"]) == (40 / 60, "it/s")
    assert (accuracy["value"], accuracy["epoch"], accuracy["lower_is_better"]) == (66.0, 4, True)
