"""CleanRL's console: the mean of steps per second since the start, and episodes."""

from __future__ import annotations

import pytest

from tests.support.logs import detected, iterations, read, scored


def log(updates: int, *, episodes: bool = True, begin: float = 5.0, seconds: float = 0.8) -> str:
    """1024 steps an update: the first takes longer, all others `seconds`."""
    out, passed = [], begin
    for update in range(1, updates + 1):
        passed += seconds if update > 1 else 0.0
        if episodes:
            out.append(f"global_step={1024 * update - 37}, episodic_return=[{20 + update}.]")
        out.append(f"SPS: {int(1024 * update / passed)}")
    return "\n".join(out) + "\n"


@pytest.mark.parametrize("episodes", [True, False])
def test_the_speed_is_that_between_the_lines(episodes: bool) -> None:
    """1024 steps in 0.8 s; the mean since the start is 1172 at update 60, and rises."""
    text = log(60, episodes=episodes)
    assert detected(text) == "cleanrl"
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["unit"], speed["value"]) == ("steps/s", pytest.approx(1280, rel=0.005))


def test_a_slow_run_gives_rates_as_far_apart_as_rounding_asks_for() -> None:
    """At 8 or 9 a second a whole number says little: no line gives a rate alone."""
    text = log(400, begin=200.0, seconds=120.0)
    rates = [one.throughput for one in iterations(read(text, "cleanrl")) if one.throughput]
    assert rates == pytest.approx([1024 / 120] * len(rates), rel=0.12)
    assert len(rates) < 40


def test_episodes_are_figures_of_the_training() -> None:
    for value in ("[213.5]", "213.5"):
        line = f"global_step=12040, episodic_return={value}\n"
        (one,) = iterations(read(line, "cleanrl"))
        assert (one.step, one.values[0].name, one.values[0].value) == (
            12_040,
            "episodic_return",
            213.5,
        )
    assert scored(log(60))["dimensions"]["accuracy"]["value"] is None


@pytest.mark.parametrize("line", ["SPS: 0", "SPS: -5", "SPS: 12.5", "SPS: 999999999999999999999"])
def test_no_rate_of_what_is_none(line: str) -> None:
    assert all(one.throughput is None for one in iterations(read(f"{line}\n" * 3, "cleanrl")))


def test_a_run_that_begins_again_has_its_own_rates() -> None:
    found = iterations(read(log(60, episodes=False) + "SPS: 3\n" + "SPS: 3\n", "cleanrl"))
    assert all(one.throughput is None or 900 < one.throughput < 1600 for one in found)


def test_names_with_blanks() -> None:
    bare = log(60).replace("[", "").replace(".]", ".0")
    blanks = bare.replace("global_step", "global step").replace(
        "episodic_return", "episodic return"
    )
    assert detected(blanks) == "cleanrl"
    assert iterations(read(blanks, "cleanrl")) == iterations(read(bare, "cleanrl"))


def test_steps_that_only_fill_a_replay_buffer_came_before_the_first_line() -> None:
    """As dqn.py: 5000 steps in 0.5 s, then 100 steps a line in 0.2 s; an episode each 20 steps."""
    out = [f"global_step={step}, episodic_return=[20.]" for step in range(20, 5001, 20)]
    for line in range(1, 101):
        step = 5000 + 100 * line
        out += [f"global_step={step - 80 + n}, episodic_return=[20.]" for n in range(0, 80, 20)]
        out.append(f"SPS: {int(step / (0.5 + 0.2 * line))}")
    speed = scored("\n".join(out) + "\n")["dimensions"]["speed"]
    assert (speed["unit"], speed["value"]) == ("steps/s", pytest.approx(500, rel=0.005))
