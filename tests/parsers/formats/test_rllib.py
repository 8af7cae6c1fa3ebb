"""RLlib: the files of a trial, and results that a script prints."""

from __future__ import annotations

import json

import pytest

from sixdim.parsers.events import Evaluation, Iteration
from tests.support.logs import detected, only, read, scored

HEADER = "episode_reward_mean,{steps},done,hostname,time_this_iter_s,time_total_s,hist,{more}"
ROW = '{reward},{steps},False,node-1,20.5,{time},"[1.0, 2.0]",{n},{tested},2.5'
MORE = "training_iteration,evaluation/episode_reward_mean,info/learner/default_policy/total_loss"
COUNTS = ("timesteps_total", "num_env_steps_sampled_lifetime")


def csv_file(count: str) -> str:
    """Seven iterations of 4,000 steps: 40 s for the first, 20 s for each of the others."""
    rows = [
        ROW.format(
            reward="nan" if n == 1 else 10 * n,
            steps=4000 * n,
            time=20.0 + 20 * n,
            n=n,
            tested=11.5 * n if n % 3 == 0 else "",
        )
        for n in range(1, 8)
    ]
    return "\n".join([HEADER.format(steps=count, more=MORE), *rows, ""])


@pytest.mark.parametrize("count", COUNTS)
def test_the_table_of_a_trial(count: str) -> None:
    text = csv_file(count)
    assert detected(text) == "rllib-csv"
    events = read(text, "rllib-csv")
    assert [(i.step, i.throughput) for i in only(events, Iteration)] == [
        (4000, None),
        *((4000 * n, None if n in {3, 6} else 200) for n in range(2, 8)),  # they evaluated, too
    ]
    assert [(e.step, e.metrics[0][:2]) for e in only(events, Evaluation)] == [
        (12000, ("mean_reward", 34.5)),
        (24000, ("mean_reward", 69.0)),
    ]
    first, second = only(events, Iteration)[:2]
    assert "episode_reward_mean" not in [one.name for one in first.values]
    assert ("episode_reward_mean", 20.0) in [one[:2] for one in second.values]
    assert not {"hostname", "time_this_iter_s", "hist"} & {one.name for one in second.values}
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (200, "steps/s")


@pytest.mark.parametrize("count", COUNTS)
def test_the_json_of_a_trial(count: str) -> None:
    text = "".join(
        json.dumps(
            {
                "env_runners": {"episode_return_mean": 10.0 * n},
                "evaluation": {"env_runners": {"episode_return_mean": 11.0 * n}}
                if n % 3 == 0
                else {},
                "config": {"lr": 0.1, "model": {"fcnet_hiddens": [256, 256]}},
                count: 4000 * n,
                "training_iteration": n,
                "time_total_s": 20.0 + 20 * n,
            }
        )
        + "\n"
        for n in range(1, 8)
    )
    assert detected(text) == "rllib"
    card = scored(text)["dimensions"]
    assert (card["speed"]["value"], card["speed"]["unit"]) == (200, "steps/s")
    assert (card["accuracy"]["metric"], card["accuracy"]["value"]) == ("mean_reward", 66.0)


def test_printed_results() -> None:
    text = "".join(
        f"done: false\nepisode_reward_mean: {10.5 * n}\nhostname: node\n"
        f"time_this_iter_s: 20.5\ntime_total_s: {20.0 + 20 * n}\n"
        f"timesteps_total: {4000 * n}\ntraining_iteration: {n}\n\n"
        for n in range(1, 8)
    )
    assert detected(text) == "rllib"
    events = only(read(text, "rllib"), Iteration)
    assert [(i.step, i.throughput) for i in events][:3] == [(4000, None), (8000, 200), (12000, 200)]
    assert ("episode_reward_mean", 21.0) in [one[:2] for one in events[1].values]


def test_other_results_of_ray_tune() -> None:
    """A trial that counts no steps of an environment is no training with RLlib."""
    text = "".join(
        json.dumps({"val_accuracy": 0.1 * n, "training_iteration": n, "time_total_s": 2.0 * n})
        + "\n"
        for n in range(1, 8)
    )
    assert detected(text) == "generic"


def test_trials_that_run_at_the_same_time() -> None:
    """Ray Tune prints the results of several trials in turn: those of the first count."""
    text = "".join(
        f"Result for PPO_CartPole_0000{trial}:\n  episode_reward_mean: {10.5 * n}\n"
        f"  time_total_s: {20.0 * n + trial}\n  timers:\n    training_iteration: 0.352\n"
        f"  timesteps_total: {4000 * n}\n  training_iteration: {n}\n\n"
        for n in range(1, 8)
        for trial in range(3)
    )
    assert detected(text) == "rllib"
    events = only(read(text, "rllib"), Iteration)
    assert [i.step for i in events] == [4000 * n for n in range(1, 8)]
    assert [i.throughput for i in events[1:]] == pytest.approx([200] * 6)
    assert not [one for one in scored(text)["warnings"] if one["kind"] == "broken_number"]


@pytest.mark.parametrize("timed", [True, False])
def test_boxes_of_ray_tune(timed: bool) -> None:
    """4,000 steps in 40 s each; a box has the trial's time only if it is asked for."""
    text = ""
    for n in range(1, 13):
        for trial in range(2):
            name, seconds = f"PPO_CartPole_0000{trial}", 40 * n
            spoken = f"{seconds // 60}min {seconds % 60}s" if seconds >= 60 else f"{seconds}s"
            rows = {"env_runners/episode_return_mean": 10.5 * n}
            if n % 4 == 0:
                rows["evaluation/env_runners/episode_return_mean"] = 20.5 * n
            rows |= {"num_env_steps_sampled_lifetime": 4000 * n}
            rows |= {"time_total_s": seconds - 0.5, "training_iteration": n} if timed else {}
            text += f"Trial {name} finished iteration {n} at 2024-03-09 21:40:12. "
            text += f"Total running time: {spoken}\n╭{'─' * 60}╮\n│ Trial {name} result │\n"
            text += "".join(f"│ {key:<45} {value:>12} │\n" for key, value in rows.items())
            text += f"╰{'─' * 60}╯\n\n"
    assert detected(text) == "rllib"
    box = text[text.rindex("╭") :]
    text += "Trial PPO_CartPole_00000 completed after 12 iterations at 2024-03-09 21:40:12. "
    text += "Total running time: 8min 0s\n" + box
    events = only(read(text, "rllib"), Iteration)
    assert [i.step for i in events] == [4000 * n for n in range(1, 13)]
    assert scored(text)["status"] == "finished"
    card = scored(text)["dimensions"]
    assert (card["speed"]["value"], card["speed"]["unit"]) == (pytest.approx(100), "steps/s")
    assert (card["accuracy"]["metric"], card["accuracy"]["value"]) == ("mean_reward", 246.0)
