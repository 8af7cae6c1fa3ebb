"""ssd.pytorch."""

from __future__ import annotations

from tests.support.logs import detected, scored


def test_amdegroots_prints_the_time_of_one_iteration() -> None:
    text = "".join(f"iter {n} || Loss: 3.6395 || timer: 0.2500 sec.\n" for n in range(0, 2000, 10))
    assert detected(text) == "ssd"
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (4.0, "it/s")
