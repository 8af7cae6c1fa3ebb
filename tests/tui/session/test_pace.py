"""The time left of a watched run whose log has no clock."""

from __future__ import annotations

import pytest

from sixdim.metrics.card.snapshot import Progress
from sixdim.metrics.values.remaining import Remaining
from sixdim.tui.session.live.pace import Pace


class Watched:
    """A run of ten epochs whose log grows at given seconds."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.pace = Pace(lambda: self.now)

    def at(self, second: float, epochs: float, by_log: float | None = None) -> Remaining:
        """What is left when so many epochs are trained; `by_log` is that by training passes."""
        self.now = 1000.0 + second
        left = Remaining(epochs / 10, by_log, at_least=by_log is not None)
        return self.pace.remaining(Progress(epochs_planned=10, remaining=left))


def test_the_pace_begins_at_the_first_growth_that_is_seen() -> None:
    """The first line that was there may be old: half an epoch in 30 s from the second on."""
    run = Watched()
    assert run.at(0, 2).seconds is None
    assert run.at(500, 3).seconds is None
    assert run.at(529.9, 3.5).seconds is None
    assert run.at(530, 3.6).seconds == pytest.approx(6.4 * 50)
    assert run.at(560, 3.6).seconds == pytest.approx(6.4 * 50)


def test_training_passes_are_corrected_when_a_whole_epoch_was_seen() -> None:
    """The log says 40 s an epoch, and an epoch takes 100."""
    run = Watched()
    run.at(0, 1, 360)
    run.at(1, 2, 320)
    assert run.at(100, 2.9, 284) == Remaining(0.29, 284, at_least=True)
    assert tuple(run.at(101, 3, 280)) == pytest.approx((0.3, 700, False))


def test_a_log_that_begins_again_is_measured_anew() -> None:
    run = Watched()
    run.at(0, 1)
    run.at(10, 2)
    assert run.at(100, 5).seconds == pytest.approx(150)
    assert run.at(110, 0.5).seconds is None
    run.at(120, 1)
    assert run.at(160, 2).seconds == pytest.approx(320)


def test_the_clock_of_the_log_goes_before_the_pace() -> None:
    run = Watched()
    for second, epochs in ((0, 1), (10, 2), (100, 5)):
        run.at(second, epochs)
    by_log = Remaining(0.5, 7.0)
    assert run.pace.remaining(Progress(epochs_planned=10, remaining=by_log)) == by_log
    assert run.pace.remaining(Progress()) == Remaining()
