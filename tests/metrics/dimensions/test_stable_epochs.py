"""The epochs of which GPU readings count."""

from __future__ import annotations

from typing import Any

import pytest

from sixdim.metrics.dimensions.telemetry.telemetry_figures import (
    Telemetry,
    log_seconds,
    telemetry_figures,
)
from sixdim.metrics.fold.devices.telemetry import TelemetryFold
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.log_fold import LogFold
from sixdim.metrics.values.card import Dimension, State
from sixdim.metrics.values.convergence import parse_target
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import EndOfInput, EpochEnd, Evaluation, Iteration, Metric, Origin
from sixdim.parsers.reading import Reading


@pytest.mark.parametrize(
    ("epochs", "asked", "watts", "window"),
    [
        (3, None, 101.0, "epochs 0-2"),  # of 100, 101 and 102 W
        (6, None, 102.5, "epochs 0-5"),
        (7, None, 106.0, "epochs 6-6"),  # the first epoch of the speed window
        (3, (1, 2), 101.5, "epochs 1-2"),
        (3, (6, 10), None, None),  # a window that was asked for is not replaced
    ],
)
@pytest.mark.parametrize("rate", [None, 50.0])
def test_a_log_without_the_speed_window_has_the_power_of_all_its_epochs(
    epochs: int,
    asked: tuple[int, int] | None,
    watts: float | None,
    window: str | None,
    rate: float | None,
) -> None:
    """It makes no difference whether the epochs have a throughput."""
    settings = Settings(window=asked)
    fold, readings = LogFold(settings), TelemetryFold()
    for epoch in range(epochs):
        fold.apply(Iteration(Origin(2 * epoch + 1, 9), epoch, None, throughput=rate, loss=1.0))
        fold.apply(EpochEnd(Origin(2 * epoch + 2, 9), epoch))
        readings.apply(Reading(0, epoch=epoch, power_w=100.0 + epoch))
    fold.apply(EndOfInput(Origin(2 * epochs + 1, 9)))
    run = fold.chosen()
    telemetry = Telemetry(power=readings)
    power = telemetry_figures(telemetry, run, settings, Facts(run, settings))["power"]
    assert (power.value, power.details.get("window")) == (watts, window)
    if watts is not None:
        assert power.state is (State.FINAL if asked else State.SHORT)


def _power(log: LogFold, readings: TelemetryFold) -> Dimension:
    run = log.chosen()
    return telemetry_figures(
        Telemetry(power=readings), run, log.settings, Facts(run, log.settings)
    )["power"]


@pytest.mark.parametrize(
    ("met", "epochs", "window", "reason"),
    [
        (None, 11, "epochs 6-10", ""),
        (None, 10, "epochs 6-9", "epochs 6 to 10 were not all trained"),
        (None, 12, "epochs 6-11", ""),
        (9, 12, "epochs 6-9", "epochs 6 to 10 were not all trained before the target was met"),
        (10, 12, "epochs 6-10", ""),
    ],
)
def test_power_of_a_part_of_the_speed_window_is_short(
    met: int | None, epochs: int, window: str, reason: str
) -> None:
    log = LogFold(Settings(target=parse_target("acc1>0.5", "--target")))
    readings = TelemetryFold()
    for epoch in range(epochs):
        log.apply(Iteration(Origin(3 * epoch + 1, 9), epoch, 1, 1, 50.0, "img/s"))
        good = Metric("acc1", 0.9 if epoch == met else 0.1, "fraction")
        log.apply(Evaluation(Origin(3 * epoch + 2, 9), (good,), epoch))
        readings.apply(Reading(0, epoch=epoch, power_w=100.0))
    log.apply(EndOfInput(Origin(99, 9)))
    power = _power(log, readings)
    assert (power.value, power.details["window"]) == (100.0, window)
    assert (power.state, power.reason) == (State.SHORT if reason else State.FINAL, reason)


def test_power_of_a_log_without_epochs_is_short() -> None:
    log, readings = LogFold(), TelemetryFold()
    for step in range(1, 100):
        log.apply(Iteration(Origin(step, 9), None, step, 100, 50.0, "img/s"))
    readings.apply(Reading(0, epoch=0, power_w=100.0))
    assert _power(log, readings).state is State.RUNNING
    log.apply(EndOfInput(Origin(100, 9)))
    power = _power(log, readings)
    assert (power.value, power.state) == (100.0, State.SHORT)
    assert power.reason == "the log has no epochs: over the whole run"


def test_power_of_a_run_that_was_killed_in_its_first_epoch_is_that_of_the_epoch() -> None:
    """The readings before it, while the GPU was idle, do not count."""
    log, readings = LogFold(), TelemetryFold()
    for epoch, watts in ((None, 40.0), (0, 100.0), (0, 120.0)):
        readings.apply(Reading(0, epoch=epoch, power_w=watts))
    for step in range(1, 5):
        log.apply(Iteration(Origin(step, 9), 0, step, 100, 50.0, "img/s"))
    log.apply(EndOfInput(Origin(5, 9)))
    power = _power(log, readings)
    assert (power.value, power.details["window"]) == (110.0, "epochs 0-0")
    assert power.state is State.SHORT


def _energy(*labels: int, met: int) -> dict[str, Any]:
    """The energy of epochs of 100 s with these labels, at 50 W; one of them meets the target."""
    log = LogFold(Settings(target=parse_target("acc1>0.5", "--target"), given={"devices": 1}))
    readings, line = TelemetryFold(), 1
    for place, epoch in enumerate(labels):
        for second in range(0, 100, 10):
            time_us = (1_700_000_000 + 100 * place + second) * 1_000_000
            log.apply(Iteration(Origin(line, 9, time_us), epoch, second, 100, 50.0, "img/s"))
            readings.apply(Reading(0, time_us=time_us, epoch=epoch, power_w=50.0))
            line += 1
        good = Metric("acc1", 0.9 if epoch == met else 0.1, "fraction")
        log.apply(Evaluation(Origin(line, 9), (good,), epoch))
        line += 1
    log.apply(EndOfInput(Origin(line, 9)))
    return dict(_power(log, readings).details)


def test_the_energy_up_to_the_target_is_that_of_all_epochs() -> None:
    energy = _energy(*range(12), met=11)
    # From the first reading to the last: 1190 s at 50 W up to the target, 590 s from epoch 6 on.
    assert energy["wh_to_target"] == pytest.approx(1190 * 50 / 3600)
    assert energy["joules_per_epoch"] == pytest.approx(590 * 50 / 6)


@pytest.mark.parametrize("first", [1, 2])
def test_a_log_that_begins_late_has_no_energy_up_to_its_target(first: int) -> None:
    energy = _energy(*range(first, 12), met=11)
    assert ("wh_to_target" in energy) == (first == 1)
    late = "the log does not begin with the first epoch"
    assert energy.get("wh_to_target_reason") == (None if first == 1 else late)
    assert energy["joules_per_epoch"] == pytest.approx(590 * 50 / 6)


@pytest.mark.parametrize(
    ("before", "again", "each"),
    [(8, 7, False), (6, 6, False), (5, 5, True), (5, 3, True), (7, 3, False)],
)
def test_epochs_that_were_trained_again_have_no_energy_of_their_own(
    before: int, again: int, each: bool
) -> None:
    """The readings of both times have the same epoch; the window begins with epoch 6."""
    energy = _energy(*range(before + 1), *range(again, 12), met=11)
    twice = "the run was resumed: readings of epochs that were trained again count twice"
    assert ("joules_per_epoch" in energy) == each
    assert energy.get("energy_per_epoch_reason") == (None if each else twice)
    assert "wh_to_target" not in energy
    assert not each or energy["wh_to_target_reason"] == twice


def test_epochs_after_the_target_take_no_part_in_the_energy_of_an_epoch() -> None:
    energy = _energy(*range(14), met=10)
    assert energy["joules_per_epoch"] == pytest.approx(490 * 50 / 5)


@pytest.mark.parametrize(("passed_us", "seconds"), [(1, 1e-6), (0, 30.0)])
def test_a_clock_that_stands_still_gives_way_to_the_printed_duration(
    passed_us: int, seconds: float
) -> None:
    log = LogFold()
    for step in range(2):
        log.apply(Iteration(Origin(step + 1, 9, 10**15 + step * passed_us), 0, step, 2))
    end = EpochEnd(Origin(3, 9, 10**15 + passed_us), 0, epoch_time=30.0)
    log.apply(end)
    assert log_seconds(log.chosen(), (0, 0)) == pytest.approx(seconds)
