"""The epochs of which GPU readings count."""

from __future__ import annotations

import pytest

from sixdim.metrics.dimensions.telemetry_figures import Telemetry, telemetry_figures
from sixdim.metrics.fold.devices.telemetry import TelemetryFold
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.log_fold import LogFold
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import EndOfInput, EpochEnd, Iteration, Origin
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
