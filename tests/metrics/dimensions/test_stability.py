"""Stability on the digits that logs print, at its open interval and beyond five runs."""

import math

import pytest

from sixdim.metrics.dimensions.stability import stability
from sixdim.metrics.values.card import Dimension
from sixdim.metrics.values.settings import Reference


def _score(*accuracies: float) -> float | None:
    runs = [Reference(f"run{i}", accuracy=a, converged=True) for i, a in enumerate(accuracies)]
    return stability(runs, has_target=True).value


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        # 1 % of a base of 70.1 is 0.701: the interval is open, so 1 % itself is outside.
        (70.801, 0.8),
        (70.8009, 1.0),
        (70.8011, 0.8),
        (69.399, 0.8),
        (69.3991, 1.0),
    ],
)
def test_the_interval_is_open_at_one_percent(other: float, expected: float) -> None:
    assert _score(70.1, 70.1, 70.1, 70.1, other) == expected


@pytest.mark.parametrize("base", [71.0, 7.1, 0.71, 50.0, 0.3, 64.7, 88.9])
def test_one_percent_is_outside_for_every_base(base: float) -> None:
    above, below = round(base * 1.01, 6), round(base * 0.99, 6)
    assert _score(base, base, base, above, below) == 0.6
    inside = round(above - 1e-6, 6)
    assert _score(base, base, base, base, inside) == 1.0


def test_each_of_more_than_five_runs_costs_a_fifth_down_to_nothing() -> None:
    assert _score(70.0, 70.0, 70.0, 70.0, 70.0, 70.0) == 1.0
    assert _score(70.0, 70.0, 70.0, 70.0, 70.0, 80.0) == 0.8
    assert _score(70.0, 70.0, 70.0, 80.0, 81.0, 82.0, 60.0) == 0.2
    far = [float(10 * n) for n in range(1, 12)]
    assert _score(*far) == 0.0


def test_an_even_number_of_runs_has_the_mean_of_the_middle_two_as_base() -> None:
    # Base (70 + 72) / 2 = 71; 71.71 and 70.29 lie exactly 1 % off, 70 and 72 further.
    assert _score(70.0, 70.0, 70.29, 71.71, 72.0, 72.0) == 0.0
    assert _score(70.0, 70.3, 70.9, 71.1, 71.7, 72.0) == 0.6


@pytest.mark.parametrize(
    ("count", "reason"),
    [
        (4, "needs 1 more run that reaches the target"),
        (3, "needs 2 more runs that reach the target"),
        (1, "needs 4 more runs that reach the target"),
    ],
)
def test_fewer_than_five_runs_are_too_few(count: int, reason: str) -> None:
    runs = [Reference(f"run{i}", accuracy=70.0, converged=True) for i in range(count)]
    figure = stability(runs, has_target=True)
    assert (figure.value, figure.reason) == (None, reason)
    assert figure.details["deviations"] == {run.name: 0.0 for run in runs}


def test_runs_below_zero_differ_by_their_share_of_the_base() -> None:
    """1 % of -2 is 0.02."""
    assert _score(-2.0, -2.0, -2.0, -2.02, -2.019) == 0.8
    assert _score(-2.0, -2.0, -2.0, -1.98, -1.981) == 0.8


def test_runs_of_zero_do_not_differ() -> None:
    assert _score(0.0, 0.0, 0.0, 0.0, 0.0) == 1.0
    assert _score(0.0, 0.0, 0.0, 0.0, 1e-9) == 0.8


def _stable(*runs: Reference) -> Dimension:
    return stability(runs, has_target=True)


_GOOD = [Reference(f"run{n}", accuracy=70.0, converged=True) for n in range(4)]


@pytest.mark.parametrize("accuracy", [None, math.inf, math.nan])
def test_a_fifth_run_without_a_number_does_not_count(accuracy: float | None) -> None:
    figure = _stable(*_GOOD, Reference("fifth", accuracy=accuracy, converged=True))
    assert (figure.value, figure.details["not_counted"]) == (None, ["fifth"])


def test_a_single_run_that_missed_its_target_is_no_list() -> None:
    assert "not_counted" not in _stable(Reference("only", accuracy=70.0)).details
    assert _stable(Reference("a"), Reference("b")).details["not_counted"] == ["a", "b"]


@pytest.mark.parametrize(
    ("goal", "value"), [(("acc1>69", "%"), 1.0), (("acc1>68", "%"), None), (("acc1>69", ""), None)]
)
def test_runs_that_meet_another_target_or_print_another_unit_do_not_count(
    goal: tuple[str, str], value: float | None
) -> None:
    runs = [run._replace(goal=("acc1>69", "%")) for run in _GOOD]
    figure = _stable(*runs, Reference("fifth", accuracy=70.0, converged=True, goal=goal))
    assert figure.value == value
    assert figure.details.get("not_counted") == (None if value else ["fifth"])


def test_the_first_run_that_meets_a_target_decides_which() -> None:
    runs = [run._replace(goal=("acc1>69", "%")) for run in _GOOD]
    fifth = runs[0]._replace(name="fifth")
    figure = _stable(Reference("cut", accuracy=20.0, goal=("", "%")), *runs, fifth)
    assert (figure.value, figure.details["not_counted"]) == (1.0, ["cut"])
