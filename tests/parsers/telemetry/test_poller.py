"""A source that hangs or fails never blocks the one who asks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.poller import Poller
from tests.support.telemetry import Board


class Scripted(Board):
    """A source that waits for a gate before it answers."""

    def __init__(self) -> None:
        super().__init__(self._answer, "scripted", 2.0)
        self.gate = threading.Event()
        self.gate.set()
        self.fault: Exception | None = None

    def _answer(self, now_us: int) -> list[Reading]:
        if not self.gate.wait(120):
            raise AssertionError("the test never opened the gate")
        if self.fault:
            raise self.fault
        return [Reading(0, name="B100", source=self.name, time_us=now_us, power_w=161.0)]


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def until(ask: Callable[[], list[Reading]]) -> list[Reading]:
    """Asks until something arrives from the other thread."""
    for _ in range(30_000):
        if got := ask():
            return got
        time.sleep(0.002)
    pytest.fail("nothing arrived")


def test_readings_arrive_at_the_pace_asked_for() -> None:
    clock, source = Clock(), Scripted()
    poller = Poller(source, interval_s=1.0, monotonic=clock)
    assert [r.time_us for r in until(lambda: poller.collect(5))] == [5]
    clock.now = 0.9
    assert poller.collect(6) == []
    clock.now = 1.0
    assert [r.time_us for r in until(lambda: poller.collect(7))] == [7]
    poller.close()
    assert source.closed.wait(120)


def test_a_hanging_source_is_said_once_an_interval_and_recovers() -> None:
    clock, source = Clock(), Scripted()
    poller = Poller(source, interval_s=1.0, deadline_s=2.0, monotonic=clock)
    until(lambda: poller.collect(0))
    source.gate.clear()
    clock.now = 1.0
    assert poller.collect(1) == []
    clock.now = 4.0
    (hung,) = poller.collect(4)
    reason = "scripted did not answer within 2 s"
    assert hung.power_w is None
    assert (hung.time_us, hung.name, hung.missing[1]) == (4, "B100", ("power_w", reason))
    assert poller.problem == reason
    assert poller.collect(4) == []
    source.gate.set()

    def later() -> list[Reading]:
        clock.now += 1.0
        return [reading for reading in poller.collect(int(clock.now)) if reading.power_w]

    (back,) = until(later)
    assert (back.time_us or 0) >= 5, "the answer that came after its deadline is thrown away"
    assert poller.problem == ""
    poller.close()


@pytest.mark.parametrize(("passed", "hangs"), [(2.0, False), (2.1, True)])
def test_an_answer_may_take_the_whole_time_until_its_deadline(passed: float, hangs: bool) -> None:
    clock, source = Clock(), Scripted()
    poller = Poller(source, interval_s=1.0, deadline_s=2.0, monotonic=clock)
    until(lambda: poller.collect(0))
    source.gate.clear()
    clock.now = 1.0
    assert poller.collect(1) == []
    clock.now = 1.0 + passed
    assert bool(poller.collect(3)) == hangs
    source.gate.set()
    poller.close()


def test_a_late_reading_is_followed_by_one_half_an_interval_later() -> None:
    """The third is due at 2.0 s, a tenth of a second after the second one."""
    clock, source = Clock(), Scripted()
    poller = Poller(source, interval_s=1.0, monotonic=clock)
    until(lambda: poller.collect(0))
    clock.now = 1.9
    until(lambda: poller.collect(19))
    clock.now = 2.3
    assert poller.collect(23) == []
    clock.now = 2.4
    assert [r.time_us for r in until(lambda: poller.collect(24))] == [24]
    poller.close()


def test_no_reading_is_begun_before_the_last_one_is_handed_out() -> None:
    """A monitor that is killed loses one reading: the other is in its journal."""
    clock, source, woken = Clock(), Scripted(), threading.Event()
    asked: list[int] = []

    def read(now_us: int) -> list[Reading]:
        asked.append(now_us)
        return [Reading(0, time_us=now_us)]

    source.read = read
    poller = Poller(source, interval_s=1.0, monotonic=clock, wake=woken.set)
    assert poller.collect(1) == []
    assert woken.wait(30), "an answer is collected at once"
    woken.clear()
    clock.now = 1.5
    assert [reading.time_us for reading in poller.collect(2)] == [1]
    assert woken.is_set(), "the next one is due"
    time.sleep(0.05)
    assert asked == [1]
    assert [r.time_us for r in until(lambda: poller.collect(3))] == [3]
    poller.close()


def test_a_source_that_raises_is_a_problem_shown_not_a_crash() -> None:
    clock, source = Clock(), Scripted()
    poller = Poller(source, interval_s=1.0, monotonic=clock)
    source.fault = RuntimeError("\x1b[31mbus gone")
    for _ in range(30_000):
        assert poller.collect(0) == []
        if poller.problem:
            break
        time.sleep(0.002)
    assert poller.problem == "scripted: bus gone"
    source.fault = None
    clock.now = 5.0
    assert until(lambda: poller.collect(5))
    assert poller.problem == ""
    poller.close()
