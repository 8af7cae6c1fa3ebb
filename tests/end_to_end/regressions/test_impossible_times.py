"""A time that is negative or no finite number is unknown: no reading ends, no figure is made."""

from __future__ import annotations

import pytest

from sixdim.metrics.values.card import Card, dumps
from sixdim.metrics.values.settings import Settings
from sixdim.tui.session.request import Request

NO_TIMES = ("1e999", "nan", "-inf", "-3")


def card_of(log: str) -> Card:
    session = Request(Settings()).session("train.log")
    session.feed(log.encode())
    session.end()
    card = session.card()
    dumps(card)  # raises where a figure is no JSON
    return card


@pytest.mark.parametrize("time", [*NO_TIMES, "12.5"])
def test_an_epochs_printed_time(time: str) -> None:
    card = card_of(
        "".join(
            f"INFO:root:Epoch[{epoch}] Train-accuracy=0.5\n"
            f"INFO:root:Epoch[{epoch}] Time cost={time if epoch == 3 else 12.5}\n"
            f"INFO:root:Epoch[{epoch}] Validation-accuracy=0.6\n"
            for epoch in range(8)
        )
    )
    assert card.run["epochs"] == 8
    assert card.run_end is not None
    assert card.run_end["run_time_s"] == (100 if time == "12.5" else None)


@pytest.mark.parametrize("mean", NO_TIMES)
def test_the_running_mean_of_an_iterations_time(mean: str) -> None:
    """The last line of an epoch has the mean that counts: a broken one makes no other figure."""
    lines = [
        f"Epoch: [{epoch}][{step}/5]\tTime  0.500 ( {mean if step == 4 else 0.5})\t"
        f"Data  0.010 ( 0.010)\tLoss 2.3 (2.3)\tAcc@1  10.00 ( 10.00)\tAcc@5  50.00 ( 50.00)\n"
        for epoch in range(8)
        for step in range(5)
    ]
    speed = card_of("".join(lines)).dimensions["speed"]
    assert speed.value is None or speed.value == pytest.approx(2)
    assert speed.details.get("iteration_s") in (None, pytest.approx(0.5))
