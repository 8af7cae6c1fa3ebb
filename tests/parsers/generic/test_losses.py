"""Losses whose names say how they are computed, or of which figure they are."""

from __future__ import annotations

import pytest

from tests.support.logs import scored
from tests.support.loops import figures

PARTS = "Train CE Loss: 0.2{n}, Train KL Loss: 0.1{n}"
TESTED = "Val CE Loss: 0.4{n}, Val KL Loss: 0.3{n}"


@pytest.mark.parametrize("function", ["MSE", "MAE", "CE", "Huber"])
def test_the_only_loss_of_a_split_is_its_loss(function: str) -> None:
    lines = [
        f"Epoch: {n}/9, Training {function} Loss:0.5{n}, Val. {function} Loss:0.6{n}"
        for n in (1, 2, 3)
    ]
    found = figures(lines)
    assert found["losses"] == [0.51, 0.52, 0.53]
    assert found["tested"] == [(1, {"loss": 0.61}), (2, {"loss": 0.62}), (3, {"loss": 0.63})]


@pytest.mark.parametrize(
    "form",
    [
        f"Epoch {{n}}: {PARTS}, Train Loss: 0.5{{n}}, {TESTED}, Val Loss: 0.8{{n}}",
        f"Epoch {{n}}: Train Loss: 0.5{{n}}, {PARTS}, Val Loss: 0.8{{n}}, {TESTED}",
    ],
)
def test_beside_the_loss_it_is_a_part_of_it(form: str) -> None:
    found = figures([form.replace("{n}", f"{n}") for n in (1, 2, 3)])
    assert found["losses"] == [0.51, 0.52, 0.53]
    assert [tested["loss"] for _, tested in found["tested"]] == [0.81, 0.82, 0.83]


def test_a_loss_that_is_named_after_a_figure_is_not_that_figure() -> None:
    lines = [f"Epoch {n}: val loss 1.{n}, val loss_iou 0.5{n}, val loss_dice 0.6{n}" for n in "123"]
    assert all({"iou", "dice"}.isdisjoint(one) for _, one in figures(lines)["tested"])


def test_the_averaged_losses_of_a_detection_are_no_scores() -> None:
    log = "".join(
        f"Epoch: [{epoch}]  [ 90/139]  eta: 0:00:18  lr: 0.0001  loss: 1.7 (2.3)  "
        "loss_iou: 1.7 (2.3)  time: 0.47  data: 0.01\n"
        f"Epoch: [{epoch}] Total time: 0:01:05 (0.4722 s / it)\n"
        "Test:  [162/163]  eta: 0:00:00  loss: 2.9 (3.6)  loss_iou: 2.9 (3.6)  time: 0.33\n"
        "Test: Total time: 0:01:00 (0.3695 s / it)\n"
        "Averaged stats: loss: 2.9723 (3.6768)  loss_iou: 2.9723 (3.6768)\n"
        for epoch in range(3)
    )
    assert scored(log, "torchvision")["dimensions"]["accuracy"]["value"] is None


def test_the_fid_on_the_line_of_an_epoch_is_of_an_evaluation() -> None:
    lines = [f"epoch {n:3} | cfm_loss=0.1{n} | 144.7s | FID=1{n}.88" for n in (7, 8, 9)]
    accuracy = scored("\n".join([*lines, ""]))["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("fid", 19.88, 17.88)


@pytest.mark.parametrize("part", ["Recon: 0.0{n}", "KL: 3.{n}", "reconstruction: 0.{n}"])
def test_a_part_of_a_loss_without_that_word_is_one_of_the_training(part: str) -> None:
    line = f"Epoch [{{n}}/5] {part} | Phys: 0.0001"
    card = scored("".join(f"{line}\n".format(n=n) for n in range(1, 6)))
    assert (card["run"]["epochs"], card["status"]) == (5, "finished")
    assert card["dimensions"]["accuracy"]["value"] is None
