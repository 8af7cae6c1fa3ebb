"""rl_games: rates without a step."""

from __future__ import annotations

import pytest

from tests.support.logs import detected, scored


@pytest.mark.parametrize("inference", ["", " fps step and policy inference: 28000.5 "])
def test_the_rate_with_everything_in_it_is_the_speed(inference: str) -> None:
    text = "".join(f"fps step: {31000 + n}.5{inference} fps total: 24600.{n}\n" for n in range(9))
    assert detected(text) == "rl-games"
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(24600.5, abs=0.5), "steps/s")
    numbered = text.replace("\n", " epoch: 3/90 frames: 0\n")
    assert detected(numbered) == "generic"
