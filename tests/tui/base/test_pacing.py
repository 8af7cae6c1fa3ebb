"""The newest frame wins and paints keep their distance."""

from __future__ import annotations

from sixdim.tui.base.pacing import FramePace, Mailbox, period_for


def test_the_first_frame_is_due_at_once() -> None:
    box: Mailbox[str] = Mailbox(0.1)
    assert box.put("a")
    assert box.delay(now=5.0) == 0.0
    assert box.take(now=5.0) == "a"


def test_a_burst_is_one_frame_a_period_and_the_newest() -> None:
    box: Mailbox[int] = Mailbox(0.25)
    box.put(0)
    assert box.take(now=10.0) == 0
    woken = [box.put(n) for n in range(1, 100)]
    assert woken == [True] + [False] * 98, "one wake for the whole burst"
    assert box.delay(now=10.125) == 0.125
    assert box.take(now=10.25) == 99


def test_after_a_rest_there_is_no_waiting() -> None:
    box: Mailbox[int] = Mailbox(0.1)
    box.put(1)
    box.take(now=1.0)
    box.put(2)
    assert box.delay(now=9.0) == 0.0


def test_an_empty_box_gives_nothing() -> None:
    assert Mailbox[int](0.1).take(now=0.0) is None


def test_a_log_too_fast_to_read_is_painted_twice_a_second_then_every_two_seconds() -> None:
    assert period_for(lines=99) == 0.1
    assert period_for(lines=100) == 0.5
    assert period_for(lines=999) == 0.5
    assert period_for(lines=1000) == 2.0
    assert period_for(lines=-2000) == 0.1, "a log that began anew"


def test_making_frames_takes_a_fifth_of_the_time() -> None:
    pace = FramePace()
    pace.note(100.0, 100.5, lines=0)
    assert pace.wait(102.4, lines=0) is not None
    assert pace.wait(102.5, lines=0) is None


def test_a_watch_that_was_stopped_for_an_hour_goes_on_within_ten_seconds() -> None:
    """As by Ctrl-Z in the middle of a frame, whose making seems to take an hour then."""
    pace = FramePace()
    pace.note(100.0, 3700.0, lines=0)
    assert pace.wait(3700.0, lines=0) is None
    pace.note(3700.0, 7300.0, lines=0)
    assert pace.wait(3709.9, lines=0) is not None
    assert pace.wait(3710.0, lines=0) is None
    assert pace.poll <= 10
