"""Limits of figures of epochs, of their times and readings, on both sides; figures by hand."""

from __future__ import annotations

import pytest

from sixdim.metrics.card.contradictions import far_from_clock, faster_end_to_end
from sixdim.metrics.dimensions.accuracy import accuracy
from sixdim.metrics.dimensions.clock_coverage import spans_a_resume
from sixdim.metrics.dimensions.end_to_end import end_to_end
from sixdim.metrics.dimensions.speed.epoch_figures import (
    Sizes,
    evaluation_share,
    lines_exceed,
    own_mean,
    own_steps,
)
from sixdim.metrics.dimensions.speed.epoch_speed import OF_LINES
from sixdim.metrics.dimensions.speed.speed import speed
from sixdim.metrics.dimensions.speed.speed_window import planned_end, wanted_labels
from sixdim.metrics.dimensions.telemetry.averages import Selection
from sixdim.metrics.dimensions.telemetry.memory import memory
from sixdim.metrics.dimensions.telemetry.power import power
from sixdim.metrics.dimensions.times import (
    PRINTED_PART,
    PRINTED_TOTAL,
    EpochTime,
    Time,
    run_time,
    usual_epoch_time,
)
from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.epochs.evaluation import Freeze
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.protocols.named import PROTOCOLS
from sixdim.metrics.values.card import Dimension, State
from sixdim.metrics.values.protocol import Protocol
from sixdim.metrics.values.settings import DEFAULT, Settings
from sixdim.parsers.events import (
    EndOfInput,
    EpochEnd,
    Evaluation,
    Iteration,
    Metric,
    Origin,
    RunEnd,
    RunInfo,
    RunStart,
)
from sixdim.parsers.reading import Reading
from tests.support.telemetry import folded

SECOND = 1_000_000


def _epoch(steps: int, *lines: tuple[int, float | None, float | None]) -> Epoch:
    """An epoch of lines as (step, rate, time)."""
    made = Epoch(0, 1)
    for number, (step, rate, time) in enumerate(lines, 1):
        at = Origin(number, 90 * number)
        made.add(Iteration(at, 0, step, steps, rate, "img/s", duration=time))
    return made


@pytest.mark.parametrize(
    ("seconds", "exceed"), [(1.1875, False), (1.1874, True), (1.375, False), (1.3751, True)]
)
def test_lines_fit_ten_seconds_from_half_a_second_less_to_a_second_more(
    seconds: float, exceed: bool
) -> None:
    """Eight iterations of 1.1875 s are 9.5 s, of 1.375 s 11 s."""
    epoch = _epoch(8, *((step, None, seconds) for step in range(1, 9)))
    epoch.train_time = 10.0
    assert lines_exceed(epoch) == exceed


@pytest.mark.parametrize(("steps", "own"), [(100, 100), (101, None)])
def test_steps_are_those_of_an_epoch_if_no_further_line_can_follow(
    steps: int, own: int | None
) -> None:
    """Every tenth step has a line, the last of them step 90."""
    assert own_steps(_epoch(steps, *((step, None, 0.1) for step in range(10, 91, 10)))) == own


@pytest.mark.parametrize(("first", "own"), [(11, 101), (12, None)])
def test_steps_are_those_of_an_epoch_if_no_line_can_come_before_the_first(
    first: int, own: int | None
) -> None:
    """Ten lines stand ten steps apart: 9 times 11 steps are fewer than 101, 9 times 12 not."""
    lines = ((step, None, 0.1) for step in range(first, first + 91, 10))
    assert own_steps(_epoch(first + 90, *lines)) == own


@pytest.mark.parametrize(("samples", "mean"), [(1031.0, 1000.0), (1032.0, 3064 / 3)])
def test_a_last_iteration_may_have_three_percent_and_a_rounded_time_less(
    samples: float, mean: float
) -> None:
    """Its 1000 samples at 1000 a second: 30 are other work, 1 is what a millisecond hides."""
    epoch = _epoch(3, (1, samples, 1.0), (2, samples, 1.0), (3, 1000.0, 1.0))
    epoch.mean_throughput, epoch.mean_duration = 1000.0, 1.0
    assert own_mean(epoch, Sizes()) == mean


def test_an_evaluation_of_half_a_second_has_a_share_of_the_time() -> None:
    """Ten iterations of 0.1 s, and one of 0.5 s with an evaluation: 1.1 s of 1.5 s train."""
    epoch = _epoch(11, *((step, None, 0.1) for step in range(1, 11)))
    assert evaluation_share([epoch]) is None
    epoch.evaluated(11)
    epoch.add(Iteration(Origin(11, 990), 0, 11, 11, duration=0.5))
    assert evaluation_share([epoch]) == pytest.approx(1.1 / 1.5)


@pytest.mark.parametrize("devices", [4, 5])
def test_four_reasons_of_devices_are_named(devices: int) -> None:
    missing = (("power_w", "N/A"),)
    readings = [Reading(n, time_us=SECOND, epoch=0, missing=missing) for n in range(devices)]
    named = "; ".join(f"device {n}: N/A" for n in range(4))
    figure = power(folded(readings), Selection((0, 0)))
    assert figure.reason == named + ("; …" if devices > 4 else "")


@pytest.mark.parametrize(("window_s", "state"), [(98.0, State.FINAL), (100.0, State.SHORT)])
def test_two_intervals_of_ten_seconds_may_be_missing(window_s: float, state: State) -> None:
    """70 s are covered: nine tenths of 98 s are 88.2 s, of 100 s 90 s."""
    times = range(0, 71, 10)
    readings = [Reading(0, time_us=s * SECOND, epoch=0, memory_mib=10.0) for s in times]
    assert memory(folded(readings), Selection((0, 0)), window_s).state is state


@pytest.mark.parametrize(("times", "coverage"), [((0, 10, 20), 1.0), ((0, 10, 5, 15), 1.0)])
def test_no_more_than_all_of_the_time_is_covered(times: tuple[int, ...], coverage: float) -> None:
    """Of a clock that goes back, intervals of 20 s lie between readings 15 s apart."""
    readings = [Reading(0, time_us=s * SECOND, epoch=0, memory_mib=10.0) for s in times]
    assert memory(folded(readings), Selection((0, 0))).details["coverage"] == coverage


@pytest.mark.parametrize(("epochs", "end"), [(0, 4), (1, 4), (2, 5)])
def test_a_window_without_an_end_has_as_many_labels_as_there_are_epochs(
    epochs: int, end: int
) -> None:
    run = Run()
    for label in range(epochs):
        run.apply(Iteration(Origin(label + 1, 90 * label), label, 1))
    assert wanted_labels(Protocol("own", "test", skip_to=3), None, run) == range(3, end)


@pytest.mark.parametrize(("first", "end"), [(None, 4), (0, 3), (1, 4), (5, 8)])
def test_the_plan_of_three_epochs_ends_after_the_third(first: int | None, end: int) -> None:
    run = Run()
    run.apply(RunInfo(Origin(1, 0), "epochs_planned", 3))
    if first is not None:
        run.apply(Iteration(Origin(2, 90), first, 1))
    assert planned_end(run, Facts(run, DEFAULT)) == end


@pytest.mark.parametrize(("resumed", "clock"), [(False, PRINTED_TOTAL), (True, PRINTED_PART)])
def test_a_total_after_a_resume_at_the_second_epoch_is_that_of_a_part(
    resumed: bool, clock: str
) -> None:
    run = Run()
    run.apply(Iteration(Origin(1, 0), 1, 1))
    if resumed:
        run.apply(RunStart(Origin(2, 90)))
    run.apply(Iteration(Origin(3, 180), 2, 1))
    run.apply(RunEnd(Origin(4, 270), duration=5.0))
    assert run_time(run) == Time(5.0, clock)


@pytest.mark.parametrize(("earlier_us", "spans"), [(0, False), (1, True)])
def test_a_time_from_the_first_line_after_a_resume_spans_none(earlier_us: int, spans: bool) -> None:
    run = Run()
    run.apply(Iteration(Origin(1, 0, SECOND), 1, 1))
    run.apply(RunStart(Origin(2, 90)))
    run.apply(Iteration(Origin(3, 180, 5 * SECOND), 2, 1))
    run.freeze = Freeze(part=2, sealed_to=2)
    assert spans_a_resume(run, 5 * SECOND - earlier_us) == spans


def test_epochs_that_begin_at_one_moment_show_no_duration() -> None:
    """Epochs 0 and 1 of one redrawn line; epoch 2 begins 10 s later, and is that far from 1."""
    run = Run()
    for label, seconds in enumerate((1, 1, 11)):
        run.apply(Iteration(Origin(label + 1, 90 * label, seconds * SECOND), label, 1))
    assert usual_epoch_time(run) == EpochTime(10.0, evaluated=True)


@pytest.mark.parametrize(("rate", "warns"), [(102.0, False), (102.1, True)])
def test_end_to_end_may_be_two_percent_faster_than_the_fastest_epoch(
    rate: float, warns: bool
) -> None:
    run, details = Run(), {"scope": "job", "values": [90.0, 100.0]}
    figure = Dimension(95.0, "img/s", State.FINAL, "", details)
    found = faster_end_to_end(
        run, Facts(run, DEFAULT), figure, Dimension(rate, "img/s", State.FINAL)
    )
    assert (found is not None) == warns
    assert found is None or "102.1 img/s is more than 100, the fastest epoch" in found.text


def test_times_that_the_clock_contradicts_name_the_first_and_the_last_line() -> None:
    """Lines 1 to 10 are of epoch 0, 11 to 20 of epoch 1: each prints 1 s, and comes after 30 s."""
    run = Run()
    for number in range(1, 21):
        at = Origin(number, 90 * number, 30 * number * SECOND)
        epoch, step = divmod(number - 1, 10)
        run.apply(Iteration(at, epoch, step + 1, 10, duration=1.0))
    figure = Dimension(1.0, "it/s", State.FINAL, "", {"derived": f"1 / {OF_LINES}"})
    (found,) = far_from_clock(run, figure)
    assert (found.kind, found.lines) == ("times_disagree", (1, 20))


@pytest.mark.parametrize(("first", "example"), [(0, 20.0), (1, None)])
def test_deepsparks_example_counts_the_last_label_where_labels_begin_at_0(
    first: int, example: float | None
) -> None:
    """Three epochs of 100 samples in 10 s: 30 a second, and 20 by the label 2 of the last."""
    run = Run()
    run.apply(RunInfo(Origin(1, 0), "samples_per_epoch", 100))
    for label in range(first, first + 3):
        run.apply(EpochEnd(Origin(label + 2, 90 * label + 90), label))
    run.apply(RunEnd(Origin(9, 900), duration=10.0))
    figure = end_to_end(run, Facts(run, DEFAULT), run_time(run))
    assert figure.value == 30.0
    assert figure.details.get("example_count") == example


@pytest.mark.parametrize(("first", "best"), [(2, None), (1, 0.75)])
def test_the_best_value_may_be_of_an_epoch_that_the_log_lacks_if_half_have_no_evaluation(
    first: int, best: float | None
) -> None:
    """One line ends all of four epochs, of which two or three are evaluated."""
    run = Run()
    for label in range(4):
        run.apply(EpochEnd(Origin(1, 0), label))
    for label in range(first, 4):
        metrics = (Metric("acc1", 0.25 * label, "fraction"),)
        run.apply(Evaluation(Origin(label + 1, 90 * label), metrics, label))
    assert accuracy(run).details["best"] == best


@pytest.mark.parametrize(
    ("values", "best"), [((0.5, 50.0, 1.0, 100.0, 0.75), 1.0), ((0.5, 50.0, 1.5, 0.75), 50.0)]
)
def test_a_share_of_1_is_no_percentage(values: tuple[float, ...], best: float) -> None:
    """In the first log each value stands in percent behind the share; 1.5 repeats no share."""
    run = Run()
    for line, value in enumerate(values, 1):
        run.apply(Evaluation(Origin(line, 90 * line), (Metric("acc1", value),), step=line // 2))
    assert accuracy(run).details["best"] == best


def test_the_shortest_of_few_whole_seconds_says_how_uncertain_the_speed_is() -> None:
    """A second of 6 s is 17 %."""
    run = Run()
    run.apply(RunInfo(Origin(1, 0), "samples_per_epoch", 72))
    for label, seconds in enumerate((9.0, 6.0, 8.0)):
        run.apply(EpochEnd(Origin(label + 2, 90 * label + 90), label, train_time=seconds))
    run.apply(EndOfInput(Origin(5, 400)))
    reason = speed(run, DEFAULT, Facts(run, DEFAULT)).reason
    assert "6 s and more: the speed is uncertain by 17 %" in reason


def test_the_time_of_a_run_without_a_closing_line_rests_on_its_first_and_last_line() -> None:
    run, settings = Run(), Settings(protocol=PROTOCOLS["mlperf"])
    for line, epoch in ((1, 0), (2, 0), (3, 1), (4, 1)):
        run.apply(Iteration(Origin(line, 90 * line, 30 * line * SECOND), epoch, line))
    run.apply(EndOfInput(Origin(5, 400)))
    figure = speed(run, settings, Facts(run, settings))
    assert (figure.value, figure.unit, figure.evidence.lines) == (1.5, "min", (1, 4))
