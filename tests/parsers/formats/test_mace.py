"""MACE's lines, which have the loss of a validation and no word of the training."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Evaluation, Iteration
from tests.support.logs import detected, only, read, scored

BEGIN = "Initial: head: Default, loss=21.50000000, RMSE_E_per_atom=  993.10 meV, RMSE_F= 1500.20 meV / A\n"


@pytest.mark.parametrize("head", ["head: Default, ", ""])
@pytest.mark.parametrize(
    "errors",
    [
        "RMSE_E_per_atom=   33.50 meV, RMSE_F=   66.50 meV / A",
        "MAE_E_per_atom=33.5 meV, MAE_F=66.5 meV / A, MAE_stress=    1.20 meV / A^3",
        "RMSE_MU_per_atom=33.50 mDebye",
    ],
)
def test_its_loss_is_that_of_the_validation(head: str, errors: str) -> None:
    text = BEGIN + "".join(f"Epoch {e}: {head}loss=0.{9 - e}00000, {errors}\n" for e in (0, 2, 4))
    text += "Training complete\n"
    assert detected(text) == "mace"
    events = read(text, "mace")
    assert only(events, Iteration) == []
    first = only(events, Evaluation)[0]
    assert (first.epoch, first.metrics[0][:2], first.metrics[1].value) == (0, ("loss", 0.9), 33.5)
    card = scored(text)
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"], card["status"]) == (0.5, 0.5, "finished")


def test_the_heads_of_a_model_are_told_apart() -> None:
    text = "".join(
        f"Epoch 0: head: {head}, loss={loss}, RMSE_E_per_atom=33.5 meV, RMSE_F=66.5 meV / A\n"
        for head, loss in (("pt_head", 0.5), ("fine", 0.25))
    )
    found = [(e.data, e.metrics[0].value) for e in only(read(text, "mace"), Evaluation)]
    assert found == [("pt_head", 0.5), ("fine", 0.25)]
