"""Dopamine: iterations with the mean return, the speed and an evaluation."""

from __future__ import annotations

import pytest

from tests.support.logs import detected, scored


@pytest.mark.parametrize("front", ["I0908 17:19:{:02}.618797 1803 run_experiment.py:446] ", ""])
def test_a_run(front: str) -> None:
    """A step is one of the environment, so the speed is not that of updates."""
    lines = []
    for n in range(6):
        lines += [
            f"Starting iteration {n}",
            f"Average undiscounted return per training episode: {10.5 * n:.2f}",
            f"Average training steps per second: {1000 + 10 * n:.2f}",
            f"Average undiscounted return per evaluation episode: {20.25 * n:.2f}",
        ]
    text = "".join(f"{front.format(n)}{line}\n" for n, line in enumerate(lines))
    assert detected(text) == "dopamine"
    card = scored(text)
    speed, accuracy = card["dimensions"]["speed"], card["dimensions"]["accuracy"]
    assert 1000 <= speed["value"] <= 1050
    assert speed["unit"] == "steps/s"
    assert (accuracy["metric"], accuracy["value"]) == ("mean_reward", 101.25)
    assert card["run"]["epochs"] == 6
