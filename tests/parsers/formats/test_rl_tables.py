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


def test_stable_baselines() -> None:
    text = "".join(SB3.format(reward=10.5 * n, n=n, steps=2048 * n) for n in (1, 2, 3))
    assert detected(text) == "rl-tables"
    events = read(text, "rl-tables")
    assert [(i.step, i.throughput, i.loss) for i in only(events, Iteration)] == [
        (2048, 1234, 6.5),
        (4096, 1234, 6.5),
        (6144, 1234, 6.5),
    ]
    card = scored(text)["dimensions"]
    assert card["speed"]["value"] == pytest.approx(1234, rel=1e-12)
    assert card["speed"]["unit"] == "steps/s"
    assert (card["accuracy"]["metric"], card["accuracy"]["value"]) == ("mean_reward", 31.5)


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
