"""Each limit of a dimension, on both of its sides."""

from __future__ import annotations

import pytest

from sixdim.metrics.dimensions.averages import Selection
from sixdim.metrics.dimensions.energy import Work
from sixdim.metrics.dimensions.epoch_speed import (
    METHODS,
    PRINTED,
    Sizes,
    iteration_seconds,
    method_of,
)
from sixdim.metrics.dimensions.memory import memory
from sixdim.metrics.dimensions.power import power
from sixdim.metrics.dimensions.times import EpochTime, run_time, usual_epoch_time
from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.card import State
from sixdim.parsers.events import EndOfInput, EpochEnd, Iteration, Origin
from sixdim.parsers.reading import Reading
from tests.support.telemetry import folded

SECOND = 1_000_000


def _readings(seconds: int) -> list[Reading]:
    """A reading a second in epoch 0, of so many seconds from the first to the last."""
    return [
        Reading(0, time_us=s * SECOND, epoch=0, power_w=100.0, memory_mib=10.0)
        for s in range(seconds + 1)
    ]


@pytest.mark.parametrize(
    ("covered", "reason"),
    [(90, None), (89, "the readings stand for 89% of the time only")],
)
def test_energy_of_nine_tenths_of_the_time_stands_for_all_of_it(
    covered: int, reason: str | None
) -> None:
    asked = Selection((0, 0), devices_in_job=1)
    details = power(folded(_readings(covered)), asked, Work(1, 100.0)).details
    assert details.get("energy_per_epoch_reason") == reason
    assert details.get("joules_per_epoch") == (None if reason else 9000.0)


@pytest.mark.parametrize(
    ("covered", "state"), [(90, State.FINAL), (89, State.FINAL), (87, State.SHORT)]
)
def test_readings_may_lack_a_tenth_of_the_window_and_two_intervals(
    covered: int, state: State
) -> None:
    assert memory(folded(_readings(covered)), Selection((0, 0)), 100.0).state is state


@pytest.mark.parametrize(
    ("covered", "part"), [(5, "less than 1 %"), (10, "less than 1 %"), (11, "1 %"), (16, "2 %")]
)
def test_a_part_below_one_percent_is_less_than_one_percent(covered: int, part: str) -> None:
    figure = memory(folded(_readings(covered)), Selection((0, 0)), 1_001.0)
    assert figure.reason == f"the readings cover {part} of the window"


def _run_of(*seconds: float) -> Run:
    """A run of epochs with these printed durations."""
    run = Run()
    for label, time in enumerate(seconds):
        run.apply(EpochEnd(Origin(label + 1, 90 * label), label, epoch_time=time))
    run.apply(EndOfInput(Origin(len(seconds) + 1, 90 * len(seconds))))
    return run


@pytest.mark.parametrize(("seconds", "total"), [(20.0, 60.0), (19.0, None), (19.5, 58.5)])
def test_whole_seconds_add_up_from_twenty_a_time_on(seconds: float, total: float | None) -> None:
    assert run_time(_run_of(seconds, seconds, seconds)).seconds == total


def test_the_usual_duration_is_that_of_the_last_twenty_epochs() -> None:
    """The lower median of ten epochs of 1 s and ten of 5 s is 1 s; of 19 or 21 it would be 5 s."""
    run = _run_of(5.0, *[1.0] * 10, *[5.0] * 10)
    assert usual_epoch_time(run) == EpochTime(1.0, evaluated=True)


def test_the_usual_duration_of_two_epochs_is_not_that_of_the_warm_up() -> None:
    assert usual_epoch_time(_run_of(9.0, 1.0)) == EpochTime(1.0, evaluated=True)


def _epoch_of(times: list[float]) -> Epoch:
    """An epoch with a line every ten steps that prints these times."""
    run = Run()
    run.extend(
        Iteration(Origin(n, 90 * n), 0, 10 * n, 10 * len(times), duration=time)
        for n, time in enumerate(times, 1)
    )
    run.apply(EpochEnd(Origin(99, 9000), 0))
    return run.epochs[0]


@pytest.mark.parametrize(
    ("lines", "last", "elapsed"), [(9, 3.0, True), (8, 3.0, False), (9, 2.96875, False)]
)
def test_nine_times_that_grow_threefold_are_elapsed_times(
    lines: int, last: float, elapsed: bool
) -> None:
    times = [1.0 + n * (last - 1.0) / (lines - 1) for n in range(lines)]
    mean = pytest.approx(sum(times) / lines)
    passed = pytest.approx((last - 1.0) / (10 * (lines - 1)))
    assert iteration_seconds(_epoch_of(times)) == (passed if elapsed else mean)


def test_the_first_twenty_epochs_decide_on_the_method() -> None:
    """Ten of 20 print a throughput, which is not more than half; of 19 or 21 it would be."""
    run, line = Run(), 1
    for label in range(21):
        for step in (10, 20):
            run.apply(Iteration(Origin(line, 90 * line), label, step, 20, 100.0, "img/s"))
            line += 1
        printed = 90.0 if label < 10 or label == 20 else None
        run.apply(EpochEnd(Origin(line, 90 * line), label, printed, "img/s"))
        line += 1
    assert method_of(run, Sizes()).how != PRINTED


@pytest.mark.parametrize(
    ("time", "seconds"), [(0.95, 0.95), (0.94, 1.0), (1.1, 1.1), (1.11, 1.075)]
)
def test_lines_of_a_short_epoch_may_differ_by_what_its_whole_seconds_hide(
    time: float, seconds: float
) -> None:
    """Ten iterations in printed 10 s: those of the lines may take from 9.5 to 11 s."""
    epoch = _epoch_of([time] * 10)
    epoch.steps, epoch.train_time = 10, 10.0
    whole = next(m for m in METHODS if m.how.startswith("samples of an iteration"))
    assert whole.find(epoch, Sizes(rated=60)) == pytest.approx(60 / seconds)


@pytest.mark.parametrize(("after", "known"), [(10, False), (11, True)])
def test_figures_within_a_hundredth_of_an_epoch_are_printed_with_its_name(
    after: int, known: bool
) -> None:
    """Epochs of 1000 s: if each is named when it is over, the clock shows no beginning."""
    run = Run()
    for label in range(3):
        begin = 1_700_000_000 + 1000 * label
        at = Origin(2 * label + 1, 90 * label, begin * SECOND)
        run.apply(Iteration(at, label, None, loss=0.5))
        run.apply(EpochEnd(at._replace(line=at.line + 1, time_us=(begin + after) * SECOND), label))
    assert (run_time(run).seconds is not None) == known
