"""FunASR: lines of ranks, and the figures of checkpoints."""

from __future__ import annotations

import pytest

from tests.support.logs import detected, scored

AT = "[2024-03-09 21:{m:02}:{s:02},000][root][INFO] - "
STEP = (
    "train, rank: {rank}, epoch: {epoch}/50, data_slice: 0/{slices}, step_in_slice: {step}/120, "
    "step_in_epoch: {step}, total step: {step}, (loss_avg_rank: {loss:.3f}), "
    "(loss_avg_slice: 1.398), (acc_avg_slice: 0.712), (lr: 1.000e-04), [('loss', 1.251)], "
    "{{'data_load': '0.001', 'optim_time': '0.041', 'total_time': '0.500'}}, GPU, memory: 2 GB\n"
)


def log(figures: list[str], last: int = 120, slices: int = 1) -> str:
    """An epoch of 120 steps of 0.5 s for each figure; the last one may end earlier."""
    out = ""
    for epoch, figure in enumerate(figures):
        end = last if epoch == len(figures) - 1 else 120
        for step in range(40, end + 1, 40):
            seconds = 80 * epoch + step // 2
            for rank in (0, 1):
                out += AT.format(m=seconds // 60, s=seconds % 60)
                out += STEP.format(
                    rank=rank, epoch=epoch, slices=slices, step=step, loss=9 / (step + epoch)
                )
        if end == 120:
            place = AT.format(m=(80 * epoch + 75) // 60, s=(80 * epoch + 75) % 60)
            out += place + f"\nCheckpoint saved to ./out/model.pt.ep{epoch + 1}\n\n"
            out += f"{place}{figure}, ./out/model.pt.best\n"
    return out


def test_steps_of_ranks_and_the_accuracies_of_checkpoints() -> None:
    figures = ["Update best acc: 0.7125", "Update best acc: 0.8125"]
    text = log([*figures, "No improvement in acc: 0.7500 < 0.8125"])
    assert detected(text) == "funasr"
    card = scored(text)
    speed, accuracy = card["dimensions"]["speed"], card["dimensions"]["accuracy"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(2), "it/s")
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("acc", 0.75, 0.8125)
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (3, 50)


def test_an_epoch_is_over_with_its_last_step() -> None:
    figures = ["Update best loss: 1.5000", "Update best loss: 1.2500"]
    assert scored(log(figures))["run"]["epochs"] == 2
    cut = scored(log(figures, last=80))
    assert cut["run"]["epochs"] == 1
    assert cut["dimensions"]["accuracy"]["value"] == 1.5


def test_a_model_without_an_accuracy_has_none() -> None:
    assert scored(log(["Update best acc: 0.0000"]))["dimensions"]["accuracy"]["value"] is None


def test_the_last_step_of_one_of_several_slices_ends_no_epoch() -> None:
    figures = ["Update best acc: 0.5000"]
    text = log(figures, slices=3).partition("Checkpoint saved")[0]
    assert scored(text)["run"]["epochs"] == 0
    assert scored(text.replace("0/3", "0/1"))["run"]["epochs"] == 1
