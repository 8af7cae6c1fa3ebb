"""PFRL and ChainerRL: episodes, statistics and the episodes of evaluations."""

from __future__ import annotations

import pytest

from tests.support.logs import detected, scored


def stamp(seconds: int) -> str:
    return f"2024-03-09 21:{seconds // 60:02}:{seconds % 60:02},000 "


def training(n: int, seconds: int, *, batch: bool = False, clock: bool = True) -> str:
    """200 steps a line."""
    front = stamp(seconds) if clock else "INFO:pfrl.experiments.train_agent:"
    rewards = "last_R: 7.5 average_R:8.5" if batch else "R:7.5"
    return (
        f"{front}outdir:results/run step:{200 * n} episode:{n} {rewards}\n"
        f"{front}statistics:[('average_q', 1.5), ('average_loss', 0.25), ('n_updates', {n})]\n"
    )


def evaluation(*rewards: float, batch: bool = False) -> str:
    blank = " " if batch else ""
    return "".join(
        f"INFO:pfrl.experiments.evaluator:evaluation episode {n} length:{blank}90 R:{blank}{reward}\n"
        for n, reward in enumerate(rewards)
    )


@pytest.mark.parametrize("batch", [False, True])
def test_the_score_of_an_evaluation_is_the_mean_of_its_episodes(batch: bool) -> None:
    text = "".join(training(n, n, batch=batch, clock=False) for n in range(1, 5))
    text += evaluation(10.0, 30.0, batch=batch)
    text += "INFO:pfrl.experiments.evaluator:The best score is updated -inf -> 20.0\n"
    text += "".join(training(n, n, batch=batch, clock=False) for n in range(5, 9))
    text += evaluation(10.0, 15.0, 20.0, batch=batch)
    assert detected(text) == "pfrl"
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert accuracy["value"] == 20  # whether the last one is complete, no line says
    text += "INFO:pfrl.experiments.train_agent:Saved the agent to results/run/1600_finish\n"
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("mean_reward", 15, 20)
    assert scored(text)["dimensions"]["speed"]["value"] is None


def test_the_speed_is_that_of_the_clock_without_the_evaluations() -> None:
    """200 steps take 4 s, and each evaluation, after every 20 lines, 30 s."""
    text = ""
    for n in range(1, 101):
        text += training(n, 4 * n + 30 * ((n - 1) // 20))
        if n % 20 == 0:
            text += evaluation(10.0, 30.0)
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(50), "steps/s")
