"""tf-faster-rcnn: its times are means since the program began."""

from __future__ import annotations

import pytest

from tests.support.logs import detected, scored

STEP = "iter: {n} / 2000, total loss: 1.5\n >>> rpn_loss_cls: 0.1\n >>> lr: 0.001000\n"


@pytest.mark.parametrize(("first", "speed"), [(20, 2.0), (2020, None)])
def test_the_speed_lies_between_two_means(first: int, speed: float | None) -> None:
    """The first 200 iterations take 1 s each and all others 0.5 s: the mean is never 0.5 s.

    Of a program that goes on with an earlier run, nothing shows since when its mean counts.
    """
    text = "Solving...\n"
    for n in range(20, 2001, 20):
        mean = (max(n - 200, 0) / 2 + min(n, 200)) / n
        text += STEP.format(n=n + first - 20) + f"speed: {mean:.3f}s / iter\n"
    assert detected(text) == "tf-faster-rcnn"
    card = scored(text + "done solving\n")
    assert card["status"] == "finished"
    assert card["dimensions"]["speed"]["value"] == (speed and pytest.approx(speed, rel=0.01))
