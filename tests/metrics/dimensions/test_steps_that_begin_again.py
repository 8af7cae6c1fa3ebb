"""The speed of logs that count steps alone, where the steps begin again."""

from __future__ import annotations

import pytest

from tests.support.logs import scored


def _log(*steps_a_second: float) -> str:
    """Trainings of 100 steps one after the other, with a line every five steps."""
    now, lines = 0.0, []
    for rate in steps_a_second:
        for step in range(5, 101, 5):
            now += 5 / rate
            at = f"{int(now // 3600):02d}:{int(now // 60) % 60:02d}:{now % 60:06.3f}"
            lines.append(
                f"2024-05-01 {at.replace('.', ',')} INFO step={step} loss={9 / step:.4f}\n"
            )
    return "".join(lines)


@pytest.mark.parametrize(("slow", "value"), [(0.7, True), (0.6, False)])
def test_speeds_that_differ_may_be_of_several_trainings(slow: float, value: bool) -> None:
    """The windows differ by at most 1.5 times in a training whose epochs have no labels."""
    speed = scored(_log(*(1.0, slow) * 6))["dimensions"]["speed"]
    assert (speed["value"] is not None) == value
    assert ("may be of several trainings" in speed["reason"]) != value
