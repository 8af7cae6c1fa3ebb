"""slime: rollouts, optimizer steps and times, each a dict after a word and a number."""

from __future__ import annotations

import pytest

from tests.support.logs import detected, scored

TRAINER = "(MegatronTrainRayActor pid=112, ip=10.0.0.1) "


def rollout(n: int, *, place: str = "", seconds: float = 100.0, updates: int = 2) -> str:
    steps = "".join(
        f"{TRAINER}{place}step {updates * n + k}: {{'train/loss': {0.5 / (n + 1)}, "
        f"'train/grad_norm': 0.25, 'train/step': {updates * n + k}}}\n"
        for k in range(updates)
    )
    return (
        f"{TRAINER}{place}rollout {n}: {{'rollout/response_lengths': 700.5, "
        f"'rollout/raw_reward': {0.125 * n}}}\n{steps}"
        f"{TRAINER}{place}perf {n}: {{'perf/train_wait_time': {seconds - 40}, "
        "'perf/actor_train_time': 25.0, 'perf/train_time': 40.0, "
        f"'perf/actor_train_tok_per_s': 12000.5, 'perf/step_time': {seconds}}}\n"
    )


@pytest.mark.parametrize("place", ["", "[2026-03-01 10:00:00] train_metric_utils.py:44 - "])
def test_an_iteration_is_a_rollout_and_the_training_on_it(place: str) -> None:
    """The tokens per second are those of the update alone: 100 s for each iteration count."""
    text = "".join(rollout(n, place=place) for n in range(8))
    assert detected(text) == "slime"
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(0.01), "it/s")


def test_evaluations_have_a_score_for_each_set_of_problems() -> None:
    evaluated = (
        "(RolloutManager pid=9) eval {}: {{'eval/aime': {}, 'eval/aime-truncated_ratio': 0.25, "
        "'eval/aime/response_len/mean': 900.5}}\n"
    )
    text = evaluated.format(0, 0.125)
    for n in range(1, 9):
        text += rollout(n) + (evaluated.format(n, 0.0625 * n) if n in {4, 6} else "")
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("aime/score", 0.375, 0.375)
