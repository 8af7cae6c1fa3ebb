"""nnU-Net's lines of an epoch, in both versions."""

from __future__ import annotations

import pytest

from tests.support.logs import scored

V2 = """\
{at}.010000:
{at}.011000: Epoch {e}
{at}.012000: Current learning rate: 0.0099
{at}.500000: train_loss -0.4{e}
{at}.510000: val_loss -0.3{e}
{at}.520000: Pseudo dice [{dice}]
{at}.530000: Epoch time: 35.{e} s
{at}.540000: Yayy! New best EMA pseudo Dice: 0.99
"""
V1 = """\
{at}.010000:
epoch:  {e}
{at}.500000: train loss : -0.4{e}
{at}.510000: validation loss: -0.3{e}
{at}.520000: Average global foreground Dice: [{dice}]
{at}.521000: (interpret this as an estimate for the Dice of the different classes. This is not exact.)
{at}.525000: lr: 0.0099
{at}.530000: This epoch took 35.{e} s
"""


@pytest.mark.parametrize("form", [V1, V2])
@pytest.mark.parametrize(
    "dice", ["0.5, 0.9, nan", "np.float32(0.5), np.float32(0.9), nan", "0.7", "1.0, 0.4"]
)
def test_the_mean_of_the_classes(form: str, dice: str) -> None:
    other = form.format(at="2024-05-01 10:00:01", e=0, dice="0.25")
    card = scored(other + form.format(at="2024-05-01 10:00:40", e=1, dice=dice))
    accuracy = card["dimensions"]["accuracy"]
    assert card["run"]["format"] == "nnunet"
    assert (accuracy["metric"], accuracy["value"], accuracy["epoch"]) == ("dice", 0.7, 1)
    assert card["run"]["epochs"] == 2
    assert card["run_end"]["run_time_s"] == pytest.approx(35.0 + 35.1)


def test_an_epoch_whose_patches_had_no_class() -> None:
    text = "".join(V2.format(at=f"2024-05-01 10:0{e}:00", e=e, dice="nan, nan") for e in range(3))
    assert scored(text)["dimensions"]["accuracy"]["value"] is None


def test_the_validation_after_the_training() -> None:
    text = "".join(V2.format(at=f"2024-05-01 10:0{e}:00", e=e, dice="0.8") for e in range(3))
    card = scored(text + "2024-05-01 10:09:00.100000: Mean Validation Dice:  0.875\n")
    assert card["dimensions"]["accuracy"]["value"] == 0.8
    assert [one["value"] for one in card["run_end"]["after_training"]] == [0.875]


def test_a_loop_with_these_words_is_none() -> None:
    text = "".join(
        f"Epoch {e}\ntrain_loss 0.5{e}\nval_loss 0.4{e}\nval_acc 0.8{e}\nEpoch time: 35.{e} s\n"
        for e in range(1, 6)
    )
    card = scored(text)
    assert (card["run"]["format"], card["dimensions"]["accuracy"]["value"]) == ("generic", 0.85)


def test_what_a_fork_prints_after_each_epoch_ends_no_training() -> None:
    def log(*ends: str) -> str:
        each = [V2.format(at=f"2024-05-01 10:0{e}:00", e=e, dice="0.8") for e in range(3)]
        said = "2024-05-01 10:0{e}:40.100000: finished training\n"
        return "".join(text + said.format(e=e) for e, text in enumerate(each)) + "".join(ends)

    done = "2024-05-01 10:08:00.100000: Training done.\n"
    validated = "2024-05-01 10:09:00.100000: Mean Validation Dice:  0.875\n"
    assert scored(log())["status"] == "incomplete"
    for after in ((done,), (done, validated)):
        card = scored(log(*after))
        assert (card["status"], card["run"]["epochs"]) == ("finished", 3)
        assert card["dimensions"]["accuracy"]["value"] == 0.8
