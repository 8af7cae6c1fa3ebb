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

    def at(
        self, second: float, epochs: float, by_log: float | None = None, quiet: float = 0.0
    ) -> Remaining:
        """What is left when so many epochs are trained; `by_log` is that by training passes."""
        self.now = 1000.0 + second
        left = Remaining(epochs / 10, by_log, at_least=by_log is not None)
        return self.pace.remaining(Progress(epochs_planned=10, remaining=left), quiet)


def test_the_pace_begins_at_the_first_growth_that_is_seen() -> None:
    """The first line that was there may be old: half an epoch in 10 s from the second on."""
    run = Watched()
    assert run.at(0, 2).seconds is None
    assert run.at(500, 3).seconds is None
    assert run.at(509.9, 3.1).seconds is None
    assert run.at(510, 3.2).seconds == pytest.approx(6.8 * 50)


def test_the_time_left_falls_in_a_silence_no_longer_than_those_before() -> None:
    """An epoch in 50 s, and a line each 10 s: 320 s are left at a line, and at least 310 then."""
    run = Watched()
    for line in range(7):
        run.at(10 * line, 3 + line / 5)
    assert run.at(70, 4.4).seconds == pytest.approx(280)
    assert run.at(77, 4.4).seconds == pytest.approx(280 - 5.6), "in steps of 2 %"
    assert run.at(500, 4.4).seconds == pytest.approx(280 - 5.6)


def test_whole_epochs_count_with_their_evaluations_and_the_last_one_has_one_too() -> None:
    """40 s of training in steps of 4 s, then 10 s of evaluation: 10 epochs take 500 s."""
    run = Watched()
    for epoch in range(10):
        for step in range(1, 11):
            second = 50 * epoch + 4 * step
            left = run.at(second, epoch + step / 10, 40 * (10 - epoch) - 4 * step)
            if epoch > 1:
                assert left.seconds == pytest.approx(500 - second, abs=0.1) and not left.at_least
    assert run.at(495, 10, 0).seconds == pytest.approx(5, abs=0.1)
    assert run.at(600, 10, 0).seconds == 0


def test_epochs_that_are_printed_when_they_are_over() -> None:
    """A minute each: the time falls while nothing is printed, for a minute at most."""
    run = Watched()
    for epoch in range(4):
        run.at(60 * epoch, epoch)
    assert run.at(180, 3).seconds == pytest.approx(420)
    assert run.at(230, 3).seconds == pytest.approx(370, abs=8.4)
    assert run.at(2000, 3).seconds == pytest.approx(360)


def test_the_first_epoch_is_measured_though_its_steps_are_timed() -> None:
    """Its evaluations may stand between the steps, of which the log times the training alone."""
    run = Watched()
    run.at(0, 0.1, 90)
    run.at(1, 0.2, 80)
    assert run.at(9, 0.4, 60) == Remaining(0.04, 60, at_least=True)
    assert run.at(41, 0.6, 40) == pytest.approx(Remaining(0.06, 940))


def test_training_passes_are_corrected_when_a_whole_epoch_was_seen() -> None:
    """The log says 40 s an epoch, and an epoch takes 100: the third one's evaluation is ahead."""
    run = Watched()
    run.at(0, 1, 360)
    run.at(1, 2, 320)
    assert run.at(65, 2.1, 316) == pytest.approx(Remaining(0.21, 316, at_least=True))
    assert run.at(101, 3, 280) == pytest.approx(Remaining(0.3, 760))


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
    assert run.pace.remaining(Progress(epochs_planned=10, remaining=by_log), 0.0) == by_log
    assert run.pace.remaining(Progress(), 0.0) == Remaining()


def test_a_line_that_is_read_later_than_it_was_written_counts_from_then_on() -> None:
    """20 s each; the bar's drawings are read 3 s after the log grew, which is the silence then."""
    run = Watched()
    for epoch in range(4):
        run.at(20 * epoch + 3, epoch, quiet=3)
    assert run.at(83, 4, quiet=3).seconds == pytest.approx(120 - 2.4), "in steps of 2 %"
