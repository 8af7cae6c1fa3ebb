"""The newest frame wins and paints keep their distance."""

from __future__ import annotations

from sixdim.tui.base.pacing import Mailbox, period_for


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


def test_a_log_too_fast_to_read_is_painted_twice_a_second() -> None:
    assert period_for(lines=99) == 0.1
    assert period_for(lines=100) == 0.5
    assert period_for(lines=-2000) == 0.1, "a log that began anew"
