"""Speeds of a steady training by elapsed times that are rounded."""

from __future__ import annotations

import math
import random

import pytest

from sixdim.parsers.statements.rounded_time import RoundedTimes


def mean_seconds(interval: float, jitter: float, lines: int = 3000) -> float:
    """Mean time of a line, by whole seconds that the program cuts off."""
    chance, times, seconds, found = random.Random(1), RoundedTimes(), 0.4, list[float]()
    for done in range(1, lines):
        seconds += interval * (1 + jitter * chance.uniform(-1, 1))
        rate = times.rate(done, math.floor(seconds), math.floor(seconds) + 1)
        if rate is not None:
            found.append(1 / rate)
    return sum(found) / len(found)


@pytest.mark.parametrize("jitter", [0.0, 0.2])
@pytest.mark.parametrize("interval", [0.013, 0.05, 0.33, 0.71, 1.0, 3.3, 9.9, 19.8, 20.1, 70.0])
def test_rounding_makes_a_speed_neither_too_low_nor_too_high(
    interval: float, jitter: float
) -> None:
    assert mean_seconds(interval, jitter) == pytest.approx(interval, rel=0.005)


@pytest.mark.parametrize(("after", "rate"), [(19, None), (20, 1 / 20)])
def test_a_line_is_compared_with_one_twenty_units_before(after: int, rate: float | None) -> None:
    times = RoundedTimes()
    assert times.rate(1, 100, 101) is None
    assert times.rate(2, 100 + after, 101 + after) == rate


def test_a_rate_follows_the_pace_after_a_stretch_of_many_lines_a_second() -> None:
    times = RoundedTimes()
    for done in range(1, 1001):  # ten lines a second
        times.rate(done, done // 10, done // 10 + 1)
    rates = [times.rate(1000 + n, 100 + 30 * n, 101 + 30 * n) for n in range(1, 5)]
    # Each line now takes 30 s; those before are left behind once 80 s have passed.
    assert rates[-1] == pytest.approx(1 / 30)


def test_a_line_that_is_less_exact_than_those_before_it_has_a_rate_too() -> None:
    """As where a printed mean rate makes the time of some lines more exact."""
    times = RoundedTimes()
    widths = [1.0] * 60 + [0.1] * 60 + [1.0]
    rates = [times.rate(n, n / 2 - w / 2, n / 2 + w / 2) for n, w in enumerate(widths)]
    assert rates[-1] == pytest.approx(2)


@pytest.mark.parametrize(("done", "rate"), [(9, None), (10, 0.0), (35, 25 / 30)])
def test_work_that_begins_again_has_no_rate(done: float, rate: float | None) -> None:
    """As of a resumed run whose lines have the time of day."""
    times = RoundedTimes()
    times.rate(10, 100, 101)
    assert times.rate(done, 130, 131) == rate
