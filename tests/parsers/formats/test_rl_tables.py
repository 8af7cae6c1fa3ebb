"""Tables of Stable-Baselines and OpenAI baselines."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation, Iteration
from tests.support.logs import detected, only, read, scored

SB3 = """\
----------------------------------
| eval/              |           |
|    mean_ep_length  | 200       |
|    mean_reward     | {reward:<10}|
| rollout/           |           |
|    ep_rew_mean     | 22.1      |
| time/              |           |
|    fps             | 1234      |
|    time_elapsed    | {time:<10}|
|    iterations      | {n:<10}|
|    total_timesteps | {steps:<10}|
| train/             |           |
|    loss            | 6.5       |
----------------------------------
"""
HER = """\
-------------------------------------------
| epoch              | {e:<19}|
| stats_o/mean       | 0.22              |
| test/episode       | 20.0              |
| test/mean_Q        | -4.5              |
| test/success_rate  | {rate:<18}|
| train/episode      | 100.0             |
-------------------------------------------
"""


def table(n: int, time: int) -> str:
    return SB3.format(reward=10.5 * n, n=n, steps=2000 * n, time=time)


def test_stable_baselines() -> None:
    text = "".join(table(n, 10 * n) for n in range(1, 8))
    assert detected(text) == "rl-tables"
    events = read(text, "rl-tables")
    # `fps` is a mean since the start; a rate is what lies between tables 20 seconds apart.
    assert [(i.step, i.throughput, i.loss) for i in only(events, Iteration)][:4] == [
        (2000, None, 6.5),
        (4000, None, 6.5),
        (6000, 200, 6.5),
        (8000, None, 6.5),
    ]
    card = scored(text)["dimensions"]
    assert (card["speed"]["value"], card["speed"]["unit"]) == (200, "steps/s")
    assert (card["accuracy"]["metric"], card["accuracy"]["value"]) == ("mean_reward", 73.5)


@pytest.mark.parametrize(("seconds", "rate"), [(19, None), (20, 100)])
def test_seconds_that_are_too_few_for_their_rounding(seconds: int, rate: float | None) -> None:
    events = read(table(1, 3) + table(2, 3 + seconds), "rl-tables")
    assert only(events, Iteration)[-1].throughput == rate


def test_an_evaluation_is_read_where_it_is_not_rounded() -> None:
    text = "Eval num_timesteps=2000, episode_reward=10.52 +/- 6.02\nEpisode length: 9.5 +/- 6.0\n"
    events = read(text + table(1, 3) + table(2, 5), "rl-tables")
    assert [e.metrics[0].value for e in only(events, Evaluation)] == [10.52, 21.0]


def test_epochs_of_baselines() -> None:
    text = "".join(HER.format(e=e, rate=0.25 * e) for e in range(4))
    assert detected(text) == "rl-tables"
    events = read(text, "rl-tables")
    assert [e.epoch for e in only(events, EpochEnd)] == [0, 1, 2, 3]
    last = only(events, Evaluation)[-1]
    assert [(m.name, m.value) for m in last.metrics] == [("success_rate", 0.75), ("mean_Q", -4.5)]
    assert scored(text)["run"]["epochs"] == 4


def test_a_table_of_other_names_is_no_log() -> None:
    text = "-----------\n| name      | value     |\n| lr        | 0.5       |\n-----------\n"
    assert detected(text * 5) == ""
