"""DreamerV3: blocks on the console, and a file of JSON lines."""

from __future__ import annotations

import json

import pytest

from tests.support.logs import detected, scored


def figures(n: int) -> dict[str, float]:
    """100 steps of the environment a second; each is trained on about 30 times."""
    return {
        "episode/score": 0.25 * n,
        "train/loss/dyn": 5.5,
        "fps/policy": 100.0 + n % 2,
        "fps/train": 3000.0,
        "timer/duration": 60.5,
    }


def block(n: int) -> str:
    cells = [f"{name} {value:g}" for name, value in figures(n).items()]
    lines = " / ".join(cells[:2]) + " /\n" + " / ".join(cells[2:]) + "\n"
    return f"{'─' * 30} Step {6000 * n} {'─' * 30}\n{lines}\n"


def line(n: int) -> str:
    return f"[{6000 * n}] " + " / ".join(f"{k} {v:g}" for k, v in figures(n).items()) + "\n"


def record(n: int) -> str:
    return json.dumps({"step": 6000 * n, **figures(n)}) + "\n"


def column(n: int) -> str:
    """A newer version writes each figure into a line of its own."""
    rows = "".join(f"{name} {value:g}\n" for name, value in figures(n).items())
    return f"{'─' * 20} Agent Step {6 * n}_000 {'─' * 20}\n{rows}\n"


@pytest.mark.parametrize("written", [block, line, record, column])
def test_the_speed_is_that_of_the_environment(written: object) -> None:
    assert callable(written)
    text = "".join(written(n) for n in range(1, 13))
    assert detected(text) == "dreamerv3"
    card = scored(text)["dimensions"]
    assert (card["speed"]["value"], card["speed"]["unit"]) == (
        pytest.approx(100.5, abs=0.5),
        "steps/s",
    )
    assert card["accuracy"]["value"] is None  # the score is that of training
