"""Bars of an epoch whose count includes iterations of an earlier run, or of a part not logged."""

from __future__ import annotations

import pytest

from tests.support.logs import scored

TOTAL, DONE, EACH = 400, 100, 3.0  # iterations, those before the resume, seconds of one


def clock(seconds: float) -> str:
    return f"{int(seconds) // 60:02}:{int(seconds) % 60:02}"


def drawn(step: int, seconds: float, pace: str) -> str:
    share = 100 * step // TOTAL
    return f"\rEpoch 3/3: {share:3}%|##5  | {step}/{TOTAL} [{clock(seconds)}<15:00, {pace}]"


def resumed(begins: list[str]) -> str:
    """The bar of the last epoch after its first drawings; its first iteration takes 9 s."""
    text = "".join(begins)
    for step in range(DONE + 1, TOTAL + 1):
        text += drawn(step, 9.0 + EACH * (step - DONE - 1), "3.00s/it, loss=0.5")
    return text + "\nEpoch 3: val_acc=0.93\n"


BEGINS = {
    "drawn with its count": [drawn(DONE, 0, "?it/s")],
    "first drawing not logged": [],
    "counted at once": [drawn(0, 0, "?it/s"), drawn(DONE + 1, 9.0, "11.2it/s, loss=0.5")],
}


@pytest.mark.parametrize("begins", BEGINS.values(), ids=BEGINS)
def test_iterations_of_an_earlier_run_have_no_part_in_the_speed(begins: list[str]) -> None:
    """300 iterations take 906 s, 299 of them 897 s: 400 in 906 s would be 0.44 it/s."""
    speed = scored(resumed(begins))["dimensions"]["speed"]
    assert (speed["unit"], speed["value"]) == ("it/s", pytest.approx(1 / EACH, rel=0.005))


def test_the_first_drawing_of_a_bar_that_is_drawn_now_and_then() -> None:
    """Every 100 iterations: the first 100 count, although the bar was not drawn with 0."""
    steps = range(100, TOTAL + 1, 100)
    text = "".join(drawn(step, 4.0 * step - 99, f"{4 - 0.99:.2f}s/it") for step in steps[:1])
    text += "".join(drawn(step, 4.0 * step - 99, "4.00s/it") for step in steps[1:])
    speed = scored(text + "\nEpoch 3: val_acc=0.93\n")["dimensions"]["speed"]
    assert speed["value"] == pytest.approx(TOTAL / (4 * TOTAL - 99), rel=0.002)
