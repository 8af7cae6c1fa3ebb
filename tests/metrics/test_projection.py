"""When a target will be met: curves with a known crossing, and silence where there is none."""

from __future__ import annotations

import math

import pytest

from sixdim.metrics.card.learning_curve import crossing
from sixdim.metrics.card.projection import EARLY, LATE, LEAST, MIDDLE, estimate, project


def power_law(epochs: int) -> list[tuple[float, float]]:
    """80 - 60 x^-1/2: 70 at x = 36."""
    return [(float(x), 80 - 60 * x**-0.5) for x in range(1, epochs + 1)]


def test_a_power_law_is_met_where_it_is_met() -> None:
    assert crossing(power_law(20), 70.0) == pytest.approx(16, rel=0.02)


def test_an_exponential_is_met_where_it_is_met() -> None:
    points = [(float(x), 80 * (1 - math.exp(-x / 12))) for x in range(1, 21)]
    truth = -12 * math.log(1 - 75.9 / 80) - 20
    assert crossing(points, 75.9) == pytest.approx(truth, rel=0.05)


def test_a_goal_above_the_asymptote_is_never_met() -> None:
    points = [(float(x), 80 * (1 - math.exp(-x / 3))) for x in range(1, 21)]
    assert crossing(points, 85.0) is None
    assert estimate(points, 85.0) is None


def test_the_range_lies_about_the_estimate_and_is_worth_its_epochs_seconds() -> None:
    points = [(int(x), y) for x, y in power_law(20)]
    ahead = estimate(power_law(20), 70.0)
    found = project(points, 70.0, False, 60.0)
    assert ahead is not None
    assert found.earliest == 20 + math.ceil(EARLY * ahead)
    assert found.epoch == 20 + math.ceil(MIDDLE * ahead)
    assert found.latest == 20 + math.ceil(LATE * ahead)
    assert found.earliest_seconds == 60.0 * (found.earliest - 20)
    assert found.latest_seconds == 60.0 * (found.latest - 20)
    assert found.earliest <= 36 <= found.latest


def test_a_loss_is_forecast_as_its_mirror_image() -> None:
    up = project([(int(x), y) for x, y in power_law(20)], 70.0, False, 60.0)
    down = project([(int(x), -y) for x, y in power_law(20)], -70.0, True, 60.0)
    assert up == down


@pytest.mark.parametrize(("count", "known"), [(LEAST - 1, False), (LEAST, True)])
def test_nothing_is_said_before_enough_evaluations(count: int, known: bool) -> None:
    found = project([(int(x), y) for x, y in power_law(count)], 62.0, False, None)
    assert (found.epoch is not None) is known
    assert bool(found.reason) is not known
    assert found.seconds is None


@pytest.mark.parametrize(
    "values",
    [
        [10.0] * 20,
        [50.0 - x for x in range(20)],
        [math.nan] * 20,
        [1e300 * (-1) ** x for x in range(20)],
        [0.0] * 19 + [1e-300],
    ],
)
def test_what_leads_nowhere_says_nothing(values: list[float]) -> None:
    found = project([*enumerate(values)], 75.9, False, 60.0)
    assert found.epoch is None and found.reason


def test_a_target_that_is_met_is_now() -> None:
    points = [(int(x), y) for x, y in power_law(20)]
    assert project(points, points[-1][1], False, 60.0).seconds == 0.0


@pytest.mark.parametrize(("slack", "said"), [(0, True), (-1, False)])
def test_a_range_that_lies_wholly_behind_the_plan_is_not_said(slack: int, said: bool) -> None:
    points = [(int(x), y) for x, y in power_law(20)]
    earliest = project(points, 70.0, False, 60.0).earliest
    assert earliest is not None
    found = project(points, 70.0, False, 60.0, earliest + slack)
    assert (found.epoch is not None) is said
