"""Counts of iterations under the names that a loop's own variables have."""

from __future__ import annotations

import pytest

from tests.support.logs import scored
from tests.support.loops import figures

NAMES = ("i", "batch_idx", "batch_i", "step")


def _log(name: str, last: int) -> str:
    """One epoch of three iterations, and another up to one of them."""
    at = [(0, step) for step in range(3)] + [(1, step) for step in range(last + 1)]
    return "".join(f"epoch={epoch} {name}={step}/3 loss=3.{9 - step}\n" for epoch, step in at)


@pytest.mark.parametrize("name", NAMES)
def test_an_epoch_that_was_left_is_not_over(name: str) -> None:
    assert scored(_log(name, 0))["run"]["epochs"] == 1


@pytest.mark.parametrize("name", NAMES)
def test_an_epoch_with_its_last_iteration_is_over(name: str) -> None:
    assert scored(_log(name, 2))["run"]["epochs"] == 2


@pytest.mark.parametrize("name", ["i_max", "idx", "gpu_i", "roi"])
def test_other_names_count_nothing(name: str) -> None:
    log = "".join(f"epoch={n} {name}={n}/3 train_loss=3.{9 - n}\n" for n in range(3))
    assert scored(log)["run"]["epochs"] == 3


@pytest.mark.parametrize(("last", "epochs"), [(5, 0), (6, 0), (7, 1), (8, 1)])
def test_an_evaluation_behind_each_iteration_does_not_end_the_epoch(last: int, epochs: int) -> None:
    """Steps may count from 0 or from 1."""
    log = "".join(
        f"epoch : 0 [{step}/8] Train loss: 8.{9 - step}, Valid loss: 7.{9 - step}, lr : 1\n"
        for step in range(last + 1)
    )
    card = scored(log)
    assert card["run_end"]["epochs"] == epochs
    assert card["run_end"]["last"] == float(f"7.{9 - last}")


def test_the_index_of_a_batch_is_its_step() -> None:
    lines = [f"[{at}.00%] batch_index={64 * at} loss={5 / at:.4f}" for at in (1, 2, 3)]
    assert figures(lines)["steps"] == [(64, None), (128, None), (192, None)]


def _clocked(minute: int, steps: range) -> list[str]:
    return [
        f"[2026-03-30 06:{minute + at:02}:00] iteration: {step}, loss: {9 / (step + 1):.3f}"
        for at, step in enumerate(steps)
    ]


def test_the_clock_is_that_of_no_iterations_where_the_steps_of_an_epoch_fall_back() -> None:
    first = ["[2026-03-30 06:00:00] epoch 0, lr=[0.0001]", *_clocked(0, range(0, 900, 100))]
    again = ["[2026-03-30 06:13:00] epoch 0, lr=[0.0001]", *_clocked(13, range(0, 900, 100))]
    assert scored("\n".join([*first, ""]))["dimensions"]["speed"]["value"] == pytest.approx(
        100 / 60
    )
    assert scored("\n".join([*first, *again, ""]))["dimensions"]["speed"]["value"] is None
