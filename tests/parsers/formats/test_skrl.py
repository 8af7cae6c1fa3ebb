"""skrl: its own lines, and a bar without a name."""

from __future__ import annotations

import pytest

from tests.support.logs import detected, scored


def bar(n: int) -> str:
    return f"\r{n // 16:3}%|#   | {n}/1600 [{n // 1200:02}:{n // 20 % 60:02}<00:09, 20.00it/s]"


def test_the_bar_is_that_of_the_training() -> None:
    text = "[skrl:INFO] Environment wrapper: Isaac Lab (single-agent)\n[skrl:INFO] Seed: 42\n"
    text += "\r  0%|    | 0/1600 [00:00<?, ?it/s]" + "".join(bar(n) for n in range(20, 1601, 20))
    assert detected(text) == "skrl"
    speed = scored(text + "\n")["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(20, rel=0.02), "it/s")


def test_a_bar_alone_may_be_of_anything() -> None:
    assert detected("".join(bar(n) for n in range(20, 1601, 20))) == ""
