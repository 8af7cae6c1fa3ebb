"""Where a recorded reading stands in the curves of a run."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest

from sixdim.metrics.fold.devices.device_series import device_series
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.reading import Reading
from sixdim.tui.session.session import Session

BEGIN = datetime(2026, 3, 1, 22, 10, tzinfo=UTC)


def run(lines: int = 6) -> Run:
    """Epochs 1 and 2, a minute each, with so many lines, ten seconds apart."""
    session = Session("train.log", Settings(), formats())
    for epoch in (1, 2):
        for step in range(lines):
            time = f"2026-03-01 22:{9 + epoch}:{10 * step:02}"
            session.feed(f"{time} Epoch: [{epoch}][{step}/6] loss: 2.5\n".encode())
    session.end()
    return session.run


def reading(epoch: int | None, second: float | None, device: int = 0) -> Reading:
    """A reading so many seconds after the first line."""
    time = None if second is None else int((BEGIN.timestamp() + second) * 1e6)
    return Reading(device, time_us=time, epoch=epoch, power_w=300.0)


@pytest.mark.parametrize(
    ("second", "place"),
    [(0, 1.0), (25, 1.5), (50, 2.0), (55, 2.0)],  # of the 50 s from the first line to the last
)
def test_the_clock_gives_the_share_of_the_epoch(second: float, place: float) -> None:
    (power,) = device_series([reading(1, second)], run())
    assert [*power.epochs] == [place]
    assert [*power.seconds] == [second]


def test_without_a_clock_the_readings_of_an_epoch_share_it_equally() -> None:
    readings = [*(reading(epoch, None) for epoch in (1, 1, 2)), reading(1, None, device=1)]
    first, second = device_series(readings, run())
    assert [*first.epochs] == [1.25, 1.75, 2.5]
    assert [*first.steps] == [1, 2, 3]
    assert [*second.epochs] == [1.5]
    assert all(map(math.isnan, first.seconds))


def test_an_epoch_of_one_line_has_no_length_by_the_clock() -> None:
    (power,) = device_series([reading(1, 0), reading(1, 30)], run(lines=1))
    assert [*power.epochs] == [1.25, 1.75]


def test_readings_outside_the_epochs_are_left_out_where_any_has_one() -> None:
    (power,) = device_series([reading(None, -5), reading(1, 25)], run())
    assert [*power.seconds] == [25]
    (power,) = device_series([reading(None, -5), reading(None, 25)], run())
    assert [*power.seconds] == [-5, 25]
