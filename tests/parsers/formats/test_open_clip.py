"""open_clip's batches, which count samples, and its evaluations."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Evaluation, Iteration
from tests.support.logs import detected, only, read, scored

NEW = (
    "Data (t): 0.010 Batch (t): {t:.3f}, {rate:#g}/s, 999.000/s/gpu LR: 0.000500 "
    "Logit Scale: 14.286 {more}Loss: 5.1000 (5.2000)"
)
OLD = "Loss: 5.1000 (5.200) Data (t): 0.010 Batch (t): {t:.3f} LR: 0.000500 Logit Scale: 14.286"


def training(tail: str, *, more: str = "", heading: str = "Start epoch {e}\n") -> str:
    """Two epochs of 200 batches of 2,048 samples, of 0.5 s each; the last one took 0.4 s."""
    text = "  epochs: 2\n  world_size: 8\n"
    for epoch in range(2):
        text += heading.format(e=epoch)
        for batches, seconds in ((1, 0.4), (101, 0.5), (200, 0.5)):
            tail_of_line = tail.format(t=seconds, rate=2048 / 0.4, more=more)
            text += f"Train Epoch: {epoch} [{2048 * batches:>6}/409600 ({batches / 2:.0f}%)] {tail_of_line}\n"
        text += f"Eval Epoch: {epoch + 1} [400 / 5000]\tClip Loss: 3.000000\t\n"
        text += (
            f"Eval Epoch: {epoch + 1} imagenet-zeroshot-val-top1: 0.{epoch + 1}500\t"
            f"imagenet-zeroshot-val-top5: 0.5000\tclip_val_loss: 2.9000\tepoch: {epoch + 1}.0000\n"
        )
    return "".join(f"2024-03-05,10:00:00 | INFO | {line}\n" for line in text.splitlines())


@pytest.mark.parametrize(
    ("tail", "more"), [(NEW, ""), (NEW, "Contrastive_loss: 4.0 (4.1) "), (OLD, "")]
)
def test_the_speed_is_that_of_all_batches(tail: str, more: str) -> None:
    """The printed rate is that of the last batch; 2,048 samples take 0.5 s but for each first."""
    text = training(tail, more=more)
    assert detected(text) == "open-clip"
    card = scored(text)
    speed = card["dimensions"]["speed"]
    assert speed["value"] == pytest.approx(2048 * 200 / (0.4 + 199 * 0.5))
    assert (speed["unit"], speed["scope"]) == ("samples/s", "job")
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["epoch"]) == ("acc1", 0.25, 1)
    assert (card["run"]["epochs"], card["status"]) == (2, "finished")
    assert {i.loss for i in only(read(text, "open-clip"), Iteration)} == {5.1}


def test_without_the_beginning_of_an_epoch_the_batch_is_unknown() -> None:
    text = training(NEW, heading="")
    assert {i.duration for i in only(read(text, "open-clip"), Iteration)} == {None}
    assert scored(text)["dimensions"]["speed"]["value"] == pytest.approx(5120)


def test_an_evaluation_before_the_training_is_of_no_epoch() -> None:
    text = "Eval Epoch: 0 imagenet-zeroshot-val-top1: 0.9000\n" + training(NEW)
    assert [e.epoch for e in only(read(text, "open-clip"), Evaluation)] == [0, 1]
