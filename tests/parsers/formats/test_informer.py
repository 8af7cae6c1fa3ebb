"""Informer's console: the time of an epoch's iterations without the evaluations between epochs."""

import pytest

from sixdim.parsers.events import Iteration
from tests.support.logs import only, read, scored

STEPS, EACH, EVALUATION = 230, 0.02, 1.5
"""Iterations of an epoch, seconds of one, and of the evaluations after an epoch."""


def log(epochs: int, *, started: bool = True) -> str:
    """The timer of `speed` goes on from the last line of an epoch to the first of the next."""
    lines = [">>>>>>>start training : ETTh1_96>>>>>>>", "train 7400"] if started else []
    for epoch in range(1, epochs + 1):
        for step in (100, 200):
            since = (STEPS - 200) * EACH + EVALUATION if step == 100 and epoch > 1 else 0.0
            lines.append(f"\titers: {step}, epoch: {epoch} | loss: 0.{step}{epoch}")
            lines.append(f"\tspeed: {EACH + since / 100:.4f}s/iter; left time: 28.4260s")
        lines.append(f"Epoch: {epoch} cost time: {STEPS * EACH + epoch / 1000}")
        losses = f"Train Loss: 0.5 Vali Loss: 0.{9 - epoch} Test Loss: 0.8"
        lines.append(f"Epoch: {epoch}, Steps: {STEPS} | {losses}")
    return "\n".join([*lines, ""])


def test_the_speed_of_an_epoch_leaves_out_the_evaluations() -> None:
    speed = scored(log(3))["dimensions"]["speed"]
    assert speed["unit"] == "it/s"
    assert speed["value"] == pytest.approx(STEPS / (STEPS * EACH + 0.002))


def test_the_first_line_of_a_later_epoch_has_no_time() -> None:
    lines = only(read(log(2), "informer"), Iteration)
    found = [(e.epoch, e.step, e.duration, e.loss) for e in lines]
    assert found == [
        (1, 100, EACH, 0.1001),
        (1, 200, EACH, 0.2001),
        (2, 100, None, 0.1002),
        (2, 200, EACH, 0.2002),
    ]


def test_the_validation_counts_and_the_test_of_the_whole_run_does_not() -> None:
    end = (
        ">>>>>>>testing : ETTh1_96<<<<<<<\ntest 2785\nmse:0.4434, mae:0.5862, dtw:Not calculated\n"
    )
    card = scored(log(3) + end)
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["metric"]) == (0.6, "loss")
    assert (card["status"], card["run"]["epochs"]) == ("finished", 3)
    assert card["run_end"]["run_time_s"] == pytest.approx(3 * STEPS * EACH + 0.006)
    assert scored(log(2, started=False))["status"] == "incomplete"
