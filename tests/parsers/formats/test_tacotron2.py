"""Tacotron 2: iterations that count over the run, and validations between them."""

from __future__ import annotations

import pytest

from tests.support.logs import detected, scored

STEP = "Train loss {} {:.6f} Grad Norm 1.250000 {:.2f}s/it\n"


@pytest.mark.parametrize("headed", [True, False])
def test_iterations_and_validations(headed: bool) -> None:
    """Each iteration takes 0.8 s; the log of a resumed epoch may have no heading."""
    log = "FP16 Run: False\nDynamic Loss Scaling: True\nDistributed Run: False\n"
    for epoch in range(3):
        log += f"Epoch: {epoch}\n" if headed else ""
        for step in range(20 * epoch, 20 * epoch + 20):
            log += STEP.format(step, 5 / (step + 1), 0.8)
            if step % 20 == 10:
                log += f"Validation loss {step}:  {6 / (step + 1):f}  \n"
                log += f"Saving model and optimizer state at iteration {step} to out/{step}\n"
    assert detected(log) == "tacotron2"
    card = scored(log)
    speed, accuracy = card["dimensions"]["speed"], card["dimensions"]["accuracy"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(1.25), "it/s")
    assert accuracy["metric"] == "loss"
    assert (accuracy["value"], accuracy["best"]) == (pytest.approx(6 / 51, abs=1e-6),) * 2
    assert card["run"]["epochs"] == (2 if headed else None)
