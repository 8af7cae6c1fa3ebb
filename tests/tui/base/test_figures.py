"""Numbers as a person reads them."""

from __future__ import annotations

import math

import pytest

from sixdim.metrics.card.forecast.forecast import Band, Forecast
from sixdim.metrics.values.remaining import Remaining
from sixdim.tui.base import figures


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (4938.923798404513, "4938.9"),
        (793486.0, "793486"),
        (12.3456, "12.35"),
        (0.4821, "0.482"),
        (0.008379, "0.00838"),
        (None, "n/a"),
        (math.nan, "nan"),
        (math.inf, "inf"),
        (1.5e12, "1.5e+12"),
        (0.09996, "0.1"),
        (0.1, "0.100"),
        (0.9994, "0.999"),
        (1.0, "1.00"),
        (99.99, "99.99"),
        (100.0, "100.0"),
        (99999.9, "99999.9"),
        (100000.0, "100000"),
        (999999999.0, "999999999"),
        (1e9, "1e+09"),
    ],
)
def test_throughput(value: float | None, shown: str) -> None:
    assert figures.throughput(value) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (9667.0, "2:41:07"),
        (18330.4, "5:05:30"),
        (0.0, "0:00:00"),
        (59.9, "0:00:59"),
        (60.0, "0:01:00"),
        (86399.0, "23:59:59"),
        (86400.0, "1d 0:00:00"),
        (356400.0 + 3.0, "4d 3:00:03"),
        (-61.0, "-0:01:01"),
        (None, "n/a"),
        (math.inf, "n/a"),
    ],
)
def test_duration(seconds: float | None, shown: str) -> None:
    assert figures.duration(seconds) == shown


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (4938.923798404513, "img/s", "4938.9"),
        (77.36, "%", "77.36"),
        (0.9598519984856999, "", "0.960"),
        (165.6, "W", "165.6"),
        (30670.6, "MiB", "30670.6"),
        (None, "W", "n/a"),
    ],
)
def test_the_worked_example_in_its_units(value: float | None, unit: str, shown: str) -> None:
    assert figures.in_unit(value, unit) == shown


def test_a_small_loss_is_not_rounded_away() -> None:
    assert figures.metric(4.6107656e-05) == "4.61e-05"
    assert figures.metric(0.002352) == "0.00235"
    assert figures.metric(0.00999) == "0.00999"
    assert figures.metric(0.01004) == "0.0100"
    assert figures.metric(0.0) == "0.0000"
    assert figures.metric(0.0612, "fraction") == "0.0612"
    assert figures.metric(0.01) == "0.0100"


def test_a_metric_above_one_and_a_half_has_the_decimals_of_a_percentage() -> None:
    assert [figures.metric(value) for value in (1.5, 1.51, -1.51)] == ["1.5000", "1.51", "-1.51"]
    assert figures.metric(0.5, "%") == "0.50"


def test_labels_are_a_range_only_where_none_is_missing() -> None:
    assert figures.labels([6, 7, 8, 9, 10]) == "6–10"
    assert figures.labels([6, 7, 9]) == "6, 7, 9"
    assert figures.labels([0]) == "0"
    assert figures.labels(["n1/0", "n1/1", "n2/0"]) == "n1/0, n1/1, n2/0"
    assert figures.labels([0, "n1/1", "n1/2"]) == "0, n1/1, n1/2"


def test_no_end_is_named_once_all_planned_steps_are_done() -> None:
    assert figures.planned_end(Remaining(0.99, 1.0)) == "ends in ~0:00:01"
    assert figures.planned_end(Remaining(1.0, 0.9)) == ""
    assert figures.planned_end(Remaining(1.0, 0.0, at_least=True)) == ""


def test_a_figure_keeps_its_column_as_it_grows() -> None:
    assert {len(figures.throughput(v).rjust(8)) for v in (0.4, 9.99, 4938.9, 123456.0, 1e11)} == {8}


@pytest.mark.parametrize(
    ("ahead", "unit", "epoch_s", "shown", "short"),
    [
        (Band(9, 12, 17), "epoch", 441.2, "12 (9–17) epochs, 1:06–2:05 h", "1:06–2:05 h"),
        (Band(1, 1, 1), "epoch", 30.0, "1 epoch, 30–30 s", "30–30 s"),
        (Band(2, 3, 4), "epoch", 29.9, "3 (2–4) epochs, 60–120 s", "60–120 s"),
        (Band(2, 3, 4), "epoch", 30.0, "3 (2–4) epochs, 1–2 min", "1–2 min"),
        (Band(1, 2, 2), "epoch", 1799.0, "2 (1–2) epochs, 30–60 min", "30–60 min"),
        (Band(1, 2, 2), "epoch", 1800.0, "2 (1–2) epochs, 0:30–1:00 h", "0:30–1:00 h"),
        (Band(1, 2, 2), "epoch", 86400.0, "2 (1–2) epochs, 1.0–2.0 days", "1.0–2.0 days"),
        (Band(500, 750, 1000), "step", None, "750 (500–1000) steps", "500–1000 steps"),
    ],
)
def test_forecast(ahead: Band, unit: str, epoch_s: float | None, shown: str, short: str) -> None:
    said = Forecast(ahead, unit, 9, None if epoch_s is None else ahead.times(epoch_s))
    assert figures.forecast(said) == f"target in {shown}"
    assert figures.forecast(said, short=True) == f"target in {short}"
    assert figures.forecast(Forecast(reason="needs 6 evaluations")) == ""
