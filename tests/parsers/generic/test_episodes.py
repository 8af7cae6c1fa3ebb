"""Loops of reinforcement learning that no format knows: an episode is a step and its reward a series."""

from __future__ import annotations

import pytest

from tests.support.logs import scored
from tests.support.loops import figures


def test_rewards_of_episodes_are_series_and_no_accuracy() -> None:
    lines = [f"Episode {n}\tLast reward: {n}.00\tAverage reward: {n / 4:.2f}" for n in (10, 20, 30)]
    found = figures(lines)
    assert found["steps"] == [(10, None), (20, None), (30, None)]
    assert found["values"] == [("reward", 2.5), ("reward", 5.0), ("reward", 7.5)]
    assert "tested" not in found


@pytest.mark.parametrize(
    ("line", "reward"),
    [
        ("Episode {n}\tScore: {r}.5", 7.5),
        ("Episode {n}\tScore: {r}.5\tAverage Score: 3.25", 3.25),
        ("episode={n} return={r}.5 length=200", 7.5),
        ("Ep: {n}/90, Ep reward: {r}.5, Steps: 200", 7.5),
        ("Ep {n} | reward {r}.5 | loss 0.25", 7.5),
    ],
)
def test_a_number_beside_a_reward_is_that_of_an_episode(line: str, reward: float) -> None:
    card = scored("".join(line.format(n=n, r=n) + "\n" for n in range(8)))
    assert card["run"].get("epochs") in (None, 0)
    found = figures([line.format(n=n, r=n) for n in range(8)])
    assert found["steps"][-1][0] == 7
    assert ("return" if "return" in line else "reward", reward) in found["values"]


@pytest.mark.parametrize("line", ["Ep {n} | score 0.{n} | loss 0.25", "Epoch {n} reward 0.{n}"])
def test_a_number_beside_a_score_or_named_an_epoch_is_no_episode(line: str) -> None:
    assert scored("".join(line.format(n=n) + "\n" for n in range(1, 9)))["run"]["epochs"] == 8
