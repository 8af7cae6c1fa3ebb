"""InsightFace's arcface_torch: its rates, and its verifications on pairs of faces."""

from __future__ import annotations

import pytest

from tests.support.logs import scored

CLOCK = "Training: 2026-01-02 10:{m:02}:{s:02},512-"
SPEED = "Speed {v:.2f} samples/sec   Loss 20.5000   LearningRate 0.05   Epoch: {e}   "
OLD = "Speed {v:.2f} samples/sec   Loss 20.5000   Epoch: {e}   "
STEP = "Global Step: {n}   Fp16 Grad Scale: 512   Required: 3 hours"
PAIRS = ("lfw", "cfp_fp")


def log(form: str, head: str, *, lines: int = 5, epochs: int = 11) -> str:
    """After each verification, the time of a line includes it: 500 and not 2000 samples/s."""
    said = [
        head + ": num_epoch                 20",
        head + ": total_batch_size          512",
        head + ": num_image                 25600",
    ]
    for e in range(epochs):
        for i in range(lines):
            n = 10 * (e * lines + i + 1)
            v = 500 if e and not i else 2000
            said.append(head + (form + STEP).format(v=v, e=e, n=n))
        for pairs in PAIRS:
            said += [
                head + f"[{pairs}][{n}]XNorm: 6.971266",
                head + f"[{pairs}][{n}]Accuracy-Flip: 0.{80 + e}500+-0.00256",
                head + f"[{pairs}][{n}]Accuracy-Highest: 0.99817",
            ]
    return "\n".join([*said, ""])


@pytest.mark.parametrize("form", [SPEED, OLD])
@pytest.mark.parametrize("head", ["", CLOCK.format(m=1, s=2)])
def test_a_speed_whose_time_includes_a_verification_does_not_count(form: str, head: str) -> None:
    card = scored(log(form, head))
    speed, run = card["dimensions"]["speed"], card["run"]
    assert (run["format"], run["epochs_planned"], run["global_batch"]) == ("arcface", 20, 512)
    assert run["samples_per_epoch"] == 25600
    assert (speed["value"], speed["unit"], speed["scope"]) == (2000, "samples/s", "job")


def test_the_accuracy_says_on_which_pairs_it_was_measured() -> None:
    found = scored(log(SPEED, CLOCK.format(m=1, s=2)))["dimensions"]["accuracy"]
    assert (found["value"], found["unit"], found["data"]) == (0.905, "fraction", "cfp_fp")
    assert found["epoch"] == 10


def test_a_verification_of_ones_own_has_no_deviation() -> None:
    text = log(SPEED, CLOCK.format(m=1, s=2)).replace("+-0.00256", "").replace("[cfp_fp]", "[/f/x]")
    dimensions = scored(text)["dimensions"]
    accuracy = dimensions["accuracy"]
    assert (accuracy["value"], accuracy["data"], dimensions["speed"]["value"]) == (
        0.905,
        "/f/x",
        2000,
    )


@pytest.mark.parametrize(("steps", "whole"), [(520, 5), (500, 4)])
def test_the_last_epoch_is_over_where_no_planned_step_is_left(steps: int, whole: int) -> None:
    """Five epochs of 105 steps, a line each ten: no line follows that of step 520."""
    head = CLOCK.format(m=1, s=2)
    said = [f"{head}: num_epoch                5", f"{head}: total_step               525"]
    for n in range(20, steps + 1, 10):
        said += [head + (SPEED + STEP).format(v=2000, e=(n - 1) // 105, n=n)]
    card = scored("\n".join([*said, ""]))
    assert card["run_end"]["epochs"] == whole
    assert card["status"] == ("finished" if whole == 5 else "incomplete")
