"""OpenRLHF: bars over rollouts with bars over mini-batches in them."""

from __future__ import annotations

import pytest

from tests.support.logs import detected, scored

TRAINER = "(PPOTrainer pid=12) "


def clock(seconds: int) -> str:
    return f"{seconds // 60:02}:{seconds % 60:02}"


def rollout(n: int, episode: int = 1, *, of: int = 10, more: str = "") -> str:
    """60 s a rollout, in which 4 mini-batches take 2 s each."""
    batches = "".join(
        f"\rTrain epoch [1/1]: {25 * k}%|##  | {k}/4 [{clock(2 * k)}<00:02, 2.00s/it, pg=0.01, "
        "rm=0.5, ret=0.1, glen=90, tlen=190, kl=0.001, act_lr=5e-7]"
        for k in range(1, 5)
    )
    place = f"{n}/{of} [{clock(60 * n)}<09:00, 60.00s/it, policy_loss=0.01, reward=0.5]"
    return f"{batches}\n{more}{TRAINER}Episode [{episode}/2]:  {100 * n // of}%|##  | {place}\n"


def test_the_iterations_are_the_rollouts() -> None:
    """A mini-batch takes 2 s, and its bar begins again and again, which is no resumed run."""
    text = "".join(
        f"{TRAINER}Episode [{episode}/2]:   0%|    | 0/10 [00:00<?, ?it/s]\n"
        + "".join(rollout(n, episode) for n in range(1, 11))
        for episode in (1, 2)
    )
    assert detected(text) == "openrlhf"
    card = scored(text)
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(1 / 60), "it/s")
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (2, 2)
    assert [one["kind"] for one in card["warnings"]] == []


def test_evaluations() -> None:
    evaluated = (
        "INFO 03-01 10:00:00 ppo_trainer.py:300] ✨ Evaluation completed in 00:00:12, "
        "global_step {}, eval_metrics: {{'eval_math_pass4': 0.75, 'eval_math_pass1': {}}}\n"
    )
    text = "".join(
        rollout(n, more=evaluated.format(n, 0.0625 * n) if n in {5, 8} else "")
        for n in range(1, 10)
    )
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("math_pass1", 0.5)


@pytest.mark.parametrize("seconds", [0, 2])
def test_a_bar_of_few_seconds_has_its_pace(seconds: int) -> None:
    """Its time has whole seconds: 100 rollouts in 2 of them are 40 a second as well as 50."""
    text = "".join(
        f"\rEpisode [1/1]: {n}%|## | {n}/100 [00:0{seconds * n // 100}<00:01, 40.00it/s, "
        "policy_loss=0.01, reward=0.5]"
        for n in (20, 100)
    )
    text += "\n✨ Global step 1: {'policy_loss': 0.01, 'reward': 0.5}\n"
    assert scored(text)["dimensions"]["speed"]["value"] == 40
