"""When there is a linearity, and why there is none."""

from __future__ import annotations

import pytest

from sixdim.metrics.dimensions.linearity import linearity
from sixdim.metrics.values.card import State
from sixdim.metrics.values.settings import Reference

MANY = Reference("many.log", 1500.0, "img/s", "job", 8, 2, State.FINAL)
ONE = Reference("one.log", 200.0, "img/s", "job", 1, 1, State.FINAL)


def test_by_card_and_by_node() -> None:
    # (1500 / 8) / (200 / 1), and (1500 / 2) / (200 / 1).
    assert linearity(MANY, ONE, by_node=False).value == 0.9375
    assert linearity(MANY, ONE, by_node=True).value == 3.75
    # 187.5 img/s on each of 8 devices are 1500 img/s of the job.
    each = MANY._replace(speed=187.5, scope="per device")
    assert linearity(each, ONE, by_node=False).value == 0.9375


@pytest.mark.parametrize(
    ("scaled", "baseline", "reason"),
    [
        (MANY, None, "needs a single-device run: --baseline LOG"),
        (MANY._replace(devices=None), ONE, "of many.log is unknown: --devices N"),
        (MANY, ONE._replace(devices=None), "of one.log is unknown: --baseline-devices N"),
        (MANY, ONE._replace(devices=8), "has 8 devices, many.log has 8: the baseline needs fewer"),
        (MANY, ONE._replace(unit="tokens/s"), "units differ: img/s and tokens/s"),
        (MANY, ONE._replace(speed=0.0), "the speed of one.log is 0"),
        (MANY, ONE._replace(speed=None, state=State.UNKNOWN), "the speed of one.log is unknown"),
        (
            MANY._replace(unit="ms"),
            ONE,
            "many.log gives a time, and linearity compares throughputs",
        ),
    ],
)
def test_without_what_it_needs_there_is_none(
    scaled: Reference, baseline: Reference | None, reason: str
) -> None:
    figure = linearity(scaled, baseline, by_node=False)
    assert figure.value is None
    assert reason in figure.reason


def test_the_job_of_a_rate_of_each_device_needs_their_number_even_by_node() -> None:
    figure = linearity(MANY._replace(scope="per device", devices=None), ONE, by_node=True)
    assert figure.reason == "many.log prints a per-device throughput and its devices are unknown"


def test_a_baseline_of_one_device_fewer_is_enough() -> None:
    # 1400 img/s of 7 devices are 200 img/s each, 1500 of 8 are 187.5.
    assert linearity(MANY, ONE._replace(devices=7, speed=1400.0), by_node=False).value == 0.9375


@pytest.mark.parametrize("speed", [1.0, 0.5])
def test_a_slow_baseline_counts(speed: float) -> None:
    figure = linearity(MANY, ONE._replace(speed=speed), by_node=False)
    assert figure.value == 187.5 / speed


def test_a_speed_over_less_than_its_window_makes_it_short() -> None:
    figure = linearity(MANY, ONE._replace(state=State.SHORT), by_node=False)
    assert (figure.value, figure.state) == (0.9375, State.SHORT)
    assert figure.reason == "the speed of one.log is not over a full window"
