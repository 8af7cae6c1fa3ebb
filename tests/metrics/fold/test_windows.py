"""A run that counts in steps alone: windows of iterations in the place of epochs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.epochs.windows import IterationWindows
from sixdim.metrics.values.card import Card, State
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import Iteration, Origin
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session
from tests.support.inputs.generated import read
from tests.support.logs import scored


def event(step: int, rate: float) -> Iteration:
    return Iteration(Origin(step + 1, 0), epoch=None, step=step, throughput=rate)


def windows_of(rates: Sequence[float]) -> IterationWindows:
    windows = IterationWindows()
    for step, rate in enumerate(rates):
        line = event(step, rate)
        windows.add(line)
    return windows


@pytest.mark.parametrize(
    ("records", "size", "count", "first", "last"),
    [
        (11, 1, 1, 6, 10),  # one line is no window: the last five of eleven together
        (22, 1, 1, 12, 16),
        (23, 2, 5, 12, 21),  # eleven windows of two: steps 12 to 21 are windows 6 to 10
        (1100, 64, 5, 576, 895),  # 17 whole windows of 64: windows 9 to 13
    ],
)
def test_five_windows_from_six_elevenths_on(
    records: int, size: int, count: int, first: int, last: int
) -> None:
    windows = windows_of([float(i) for i in range(records)])
    stable = windows.stable()
    assert windows.size == size
    assert len(stable) == count
    assert (stable[0].first_step, stable[-1].step) == (first, last)
    for window in stable:
        assert window.first_step is not None and window.step is not None
        rates = range(window.first_step, window.step + 1)
        assert window.lines.rate() == len(rates) / math.fsum(1 / rate for rate in rates)


@pytest.mark.parametrize(
    ("step", "steps", "rate"),
    [(0, 9, None), (1, 9, None), (2, 9, 5.0), (1, 1, 5.0), (1, None, 5.0)],
)
def test_the_first_of_several_iterations_alone_has_no_speed(
    step: int, steps: int | None, rate: float | None
) -> None:
    """It often waits for the data or a compiler; in an epoch it counts for nothing, either."""
    windows = IterationWindows()
    windows.add(Iteration(Origin(1, 0), None, step, steps, throughput=5.0))
    (window,) = windows.stable()
    assert window.lines.rate() == rate


def test_of_fewer_than_eleven_the_first_is_left_out() -> None:
    """It waits for what a program does once. Iterations at 2 and 4 a second take 0.75 s."""
    windows = windows_of([1.0, 2.0, 4.0])
    for _ in range(2):
        assert [(w.step, w.lines.rate()) for w in windows.stable()] == [(2, 2 / 0.75)]
    assert [w.lines.rate() for w in windows_of([1.0]).stable()] == [1.0]
    assert [w.lines.rate() for w in windows.whole()] == [1.0, 2.0, 4.0]


def test_windows_without_a_rate_are_none_of_the_five() -> None:
    """Of 44 lines every sixth one has a rate: one in three windows of two."""
    windows = IterationWindows()
    lines = [
        event(n, 5.0) if n % 6 == 0 else event(n, 5.0)._replace(throughput=None) for n in range(44)
    ]
    for line in lines:
        windows.add(line)
    rated = windows.stable(lambda one: one.lines.rate() is not None)
    assert [(w.first_step, w.step) for w in rated] == [(24, 25), (30, 31), (36, 37), (42, 43)]
    assert len(windows.stable()) == 5


@given(st.lists(st.floats(1.0, 1e6), min_size=1, max_size=400))
def test_windows_are_whole_equal_and_in_order(rates: list[float]) -> None:
    stable = windows_of(rates).stable()
    for window in stable:
        assert window.first_step is not None and window.step is not None
        part = rates[window.first_step : window.step + 1]
        assert len(part) == window.records == stable[0].records
        assert window.lines.rate() == len(part) / math.fsum(1 / rate for rate in part)
    steps = [(w.first_step, w.step) for w in stable]
    assert all(a[1] + 1 == b[0] for a, b in itertools.pairwise(steps))  # type: ignore[operator]  # each has one


@pytest.mark.parametrize("between", [50, 64])
@pytest.mark.parametrize("every", [1, 7, 1023, 1024, 1025])
def test_when_it_is_asked_changes_nothing(every: int, between: int) -> None:
    """An evaluation follows every 50 lines, the next of which takes ten times as long.

    Every 64 lines, it stands between two windows: each has 64 lines at the end.
    """
    rates = [10.0 if step % between == 1 else 100.0 for step in range(1, 1101)]
    once, often = IterationWindows(), IterationWindows()
    for step, rate in enumerate(rates, 1):
        once.add(event(step, rate))
        often.add(event(step, rate))
        if step % every == 0:
            assert often.stable()
        if step % between == 0:
            for windows in (once, often):
                windows.evaluated(None)
    stable = [
        [(w.first_line, w.records, w.lines.rate()) for w in x.stable()] for x in (once, often)
    ]
    assert stable[0] == stable[1]
    assert [rate for _, _, rate in stable[0]] == [100.0] * 5  # none with an evaluation in it


def card(rates: Sequence[float], ended: bool = True) -> Card:
    log = "".join(
        f"step {i:5d}/20000 | loss 3.2{i % 7} (+0.1z)| norm 1.0 (+0.1z)| lr 1.0e-04 | 100.00 ms | "
        f"50.0% bf16 MFU | {rate:.0f} tok/s\n"
        for i, rate in enumerate(rates, 1)
    )
    session = Session("main.log", Settings(), formats())
    session.feed(log.encode())
    if ended:
        session.end()
    return session.card()


def test_the_card_says_what_the_speed_rests_on() -> None:
    rates = [100_000.0 + 10 * i for i in range(110)]
    speed = card(rates).dimensions["speed"]
    # 13 whole windows of eight lines: windows 7 to 11, without the slowest and the fastest.
    # The lines print a time of 100 ms each, and so a window is the mean of its rates.
    middle = rates[8 * 8 : 11 * 8]
    assert speed.value == pytest.approx(fmean(middle), rel=1e-12)
    assert speed.state is State.SHORT
    assert speed.reason == "the log has no epochs: over 5 windows of 8 progress lines"
    assert speed.details["window_iterations"] == 8
    assert card(rates, ended=False).dimensions["speed"].state is State.RUNNING


def _speed(steps: Sequence[int], rates: Sequence[float]) -> float | None:
    lines = zip(steps, rates, strict=True)
    text = "".join(f"step {step} loss: 0.5 tokens/sec: {rate}\n" for step, rate in lines)
    return read(text.encode()).card().dimensions["speed"].value


def test_of_several_trainings_whose_steps_begin_again_the_last_one_counts() -> None:
    first, second = range(0, 3000, 10), range(0, 2000, 10)
    assert _speed([*first, *second], [100.0] * 300 + [900.0] * 200) == 900
    resumed = range(2900, 4900, 10)  # it goes on: all count
    found = _speed([*first, *resumed], [100.0] * 300 + [900.0] * 200)
    assert found is not None
    assert found < 900


def test_a_last_training_inside_the_last_window_has_the_speed_of_that() -> None:
    windows = IterationWindows()
    for step in [*range(100, 142), 3, 4, 5]:
        windows.add(event(step, 10))
    (last,) = windows.stable()
    assert (windows.size, last.first_step, last.step) == (4, 140, 4)


def test_steps_that_begin_again_and_again_are_those_of_epochs_without_labels() -> None:
    steps = [step for _epoch in range(40) for step in range(0, 1000, 100)]
    rates = [500.0 + n for n in range(400)]
    found = _speed(steps, rates)
    assert found is not None
    assert 650 < found < 900  # of its middle, not of the last epoch


def test_of_many_short_trainings_few_windows_are_folded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A search trains hundreds of times in one log, and the card has one of these trainings."""
    begun = []
    begin = IterationWindows._begin

    def count(windows: IterationWindows, line: int) -> Epoch:
        begun.append(line)
        return begin(windows, line)

    monkeypatch.setattr(IterationWindows, "_begin", count)
    steps = [f"iter {n}: loss {4 / (n + 1):.4f}, time 21.50ms, mfu 4.52%\n" for n in range(60)]
    training = ["Initializing a new model from scratch\n", *steps]
    assert scored("".join(training * 30))["dimensions"]["speed"]["value"] is not None
    assert 0 < len(begun) <= 2 * len(steps)
