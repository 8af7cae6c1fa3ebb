"""Each limit of a dimension, on both of its sides."""

from __future__ import annotations

import math

import pytest

from sixdim.metrics.dimensions.clock_coverage import gapless
from sixdim.metrics.dimensions.end_to_end import end_to_end
from sixdim.metrics.dimensions.speed.epoch_figures import Sizes, evaluation_share
from sixdim.metrics.dimensions.speed.epoch_speed import METHODS, PRINTED, method_of
from sixdim.metrics.dimensions.speed.speed import speed
from sixdim.metrics.dimensions.telemetry.averages import Selection
from sixdim.metrics.dimensions.telemetry.memory import memory
from sixdim.metrics.dimensions.telemetry.power import Work, power
from sixdim.metrics.dimensions.times import (
    BACKWARDS,
    LEAPT,
    STARTS_LATE,
    TIMESTAMPS,
    EpochTime,
    Time,
    run_time,
    usual_epoch_time,
)
from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.card import State
from sixdim.metrics.values.settings import DEFAULT, Settings
from sixdim.parsers.events import EndOfInput, EpochEnd, Iteration, Origin, Problem, RunEnd, RunInfo
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


def test_a_hundredth_of_the_window_is_one_percent() -> None:
    figure = memory(folded(_readings(10)), Selection((0, 0)), 1_000.0)
    assert figure.reason == "the readings cover 1 % of the window"


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


def test_the_usual_duration_by_the_clock_is_that_between_the_last_21_beginnings() -> None:
    """Of their 20 distances ten are of 10 s, the lower median; one more would be of 100 s."""
    run, begin = Run(), SECOND
    for label, seconds in enumerate([*[100] * 20, *[10] * 10, 0]):
        run.apply(Iteration(Origin(label + 1, 90 * label, begin), label, 1))
        begin += seconds * SECOND
    assert usual_epoch_time(run) == EpochTime(10.0, evaluated=True)


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


@pytest.mark.parametrize(
    ("apart", "after", "known"),
    [
        (1000.0, 10.0, False),
        (1000.0, 11.0, True),
        (20.0, 1.0, False),
        (20.0, 1.05, True),
        (5.0, 0.5, False),
        (5.0, 0.52, True),
    ],
)
def test_figures_within_a_hundredth_of_an_epoch_are_printed_with_its_name(
    apart: float, after: float, known: bool
) -> None:
    """If each epoch is named when it is over, the clock shows no beginning.

    In short epochs its figures may follow within a second, or a tenth of the epoch.
    """
    run = Run()
    for label in range(3):
        begin = 1_700_000_000 + apart * label
        at = Origin(2 * label + 1, 90 * label, int(begin * SECOND))
        run.apply(Iteration(at, label, None, loss=0.5))
        end = at._replace(line=at.line + 1, time_us=int((begin + after) * SECOND))
        run.apply(EpochEnd(end, label))
    assert (run_time(run).seconds is not None) == known


def _epoch_whose_last_line_has(samples: float) -> Epoch:
    """Four iterations of 0.1 s, three of 100 samples, the last of fewer.

    The log prints its mean throughput as the samples of the last one / the mean time.
    """
    run = Run()
    for n in range(1, 5):
        size = samples if n == 4 else 100.0
        line = Iteration(Origin(n, 90 * n), 0, n, 4, size / 0.1, "img/s", duration=0.1)
        run.apply(line._replace(mean_throughput=size / 0.1, mean_duration=0.1))
    run.apply(EpochEnd(Origin(9, 900), 0))
    return run.epochs[0]


@pytest.mark.parametrize(("samples", "mean"), [(96.2, 962.0), (96.1, (3 * 100 + 96.1) / 0.4)])
def test_a_last_iteration_of_fewer_samples_is_not_all_of_the_mean(
    samples: float, mean: float
) -> None:
    """They may differ by 3 % of the last ones, and by what a millisecond adds: 1 % of them here.

    100 - 96.2 is 3.8, and 4 % of 96.2 are 3.848; 100 - 96.1 is 3.9, and 4 % of 96.1 are 3.844.
    Then the samples of all iterations are divided by their time.
    """
    epoch = _epoch_whose_last_line_has(samples)
    found = next(m.find(epoch, Sizes()) for m in METHODS if m.how.startswith("the log's own mean"))
    assert found == pytest.approx(mean)


def test_the_only_line_of_an_epoch_has_no_other_iterations_to_compare() -> None:
    run = Run()
    at = Origin(1, 90)
    line = Iteration(at, 0, 9, 9, 50.0, "img/s", duration=0.1)
    run.apply(line._replace(mean_throughput=40.0, mean_duration=0.1))
    run.apply(EpochEnd(Origin(2, 180), 0))
    assert METHODS[3].find(run.epochs[0], Sizes()) == 40.0


def test_of_two_methods_that_work_as_often_the_better_one_is_taken() -> None:
    """Of two epochs one prints a throughput, the other a time: neither has more than half."""
    run = Run()
    run.apply(EpochEnd(Origin(1, 90), 0, 90.0, "img/s"))
    run.apply(EpochEnd(Origin(2, 180), 1, train_time=50.5))
    assert method_of(run, Sizes(epoch=1000)).how == PRINTED


def test_iterations_without_an_evaluation_are_no_share() -> None:
    assert evaluation_share([_epoch_of([1.0] * 4)]) is None


@pytest.mark.parametrize(("seconds", "known"), [(20.0, True), (19.0, False), (19.5, True)])
def test_the_wall_clock_beside_the_speed_is_not_of_few_whole_seconds(
    seconds: float, known: bool
) -> None:
    """A printed 19 s may be 19.9 s."""
    settings = Settings(given={"samples_per_epoch": 1000})
    run = Run(settings)
    for label in range(5):
        end = EpochEnd(Origin(label + 1, 90 * label), label, 90.0, "img/s", train_time=seconds)
        run.apply(end)
    run.apply(EndOfInput(Origin(9, 900)))
    figure = speed(run, settings, Facts(run, settings))
    assert figure.details.get("wall_clock") == (pytest.approx(1000 / seconds) if known else None)


@pytest.mark.parametrize(
    ("value", "count"), [(1, 1), (1.5, 1), (0.5, None), (0, None), (math.inf, None)]
)
def test_a_fact_that_counts_things_is_one_or_more(value: float, count: int | None) -> None:
    run = Run()
    run.apply(RunInfo(Origin(1, 0), "devices", value))
    assert Facts(run, DEFAULT).count("devices") == count


@pytest.mark.parametrize("before", [0, 300])
def test_a_clock_that_jumps_back_after_very_many_problems_still_has_no_time(before: int) -> None:
    """The problems that are stored are the first 200; the first jump stands before the training."""
    run, second = Run(), 1_700_000_000
    run.apply(RunInfo(Origin(1, 0, second * SECOND), "model", "a"))
    run.apply(RunInfo(Origin(2, 0, (second - 60) * SECOND), "model", "a"))
    for n in range(before):
        run.apply(Problem(Origin(3 + n, 0), "broken_number", "a line is cut"))
    for n in range(10):
        at = Origin(1000 + n, 0, (second + 60 * n - (100 if n > 4 else 0)) * SECOND)
        run.apply(Iteration(at, 0, n, 10))
    run.apply(EpochEnd(Origin(2000, 0), 0))
    run.apply(EndOfInput(Origin(2001, 0)))
    assert run_time(run) == BACKWARDS


def _clocked_run(*seconds: float, first: int = 1) -> Run:
    """A run of steps without epochs, each at its time."""
    run = Run()
    for step, second in enumerate(seconds, first):
        at = Origin(step, 90 * step, int((1_700_000_000 + second) * SECOND))
        run.apply(Iteration(at, None, step))
    run.apply(EndOfInput(Origin(9999, 900)))
    return run


@pytest.mark.parametrize(("first", "known"), [(51, True), (52, False)])
def test_a_run_time_lacks_at_most_a_twentieth_of_the_iterations(first: int, known: bool) -> None:
    """Of a thousand, fifty lie before step 51."""
    run = _clocked_run(*(2.0 * step for step in range(first, 1001)), first=first)
    assert run_time(run) == (Time(2.0 * (1000 - first), TIMESTAMPS) if known else STARTS_LATE)


def test_a_run_does_not_end_before_it_begins() -> None:
    """A second back is no jump, because clocks of whole seconds and of parts of them mix."""
    run = _clocked_run(10.0, 9.0)
    assert (run.problems.counts, run_time(run)) == ({}, BACKWARDS)


@pytest.mark.parametrize(("training", "known"), [(False, True), (True, False)])
def test_a_clock_that_leaps_before_the_training_tells_its_time(training: bool, known: bool) -> None:
    """It leaps by eight days: at the first step, or at the second one."""
    week, run = 8 * 86_400.0, Run()
    run.apply(RunInfo(Origin(1, 0, 1_700_000_000 * SECOND), "model", "a"))
    for step in range(1, 4):
        second = 10 * step + (week if training <= (step > 1) else 0)
        at = Origin(step + 1, 90 * step, int((1_700_000_000 + second) * SECOND))
        run.apply(Iteration(at, 0, step, 3))
    run.apply(EndOfInput(Origin(9, 900)))
    assert run.problems.counts == {"clock_leap": 1}
    assert run_time(run) == (Time(20.0, TIMESTAMPS) if known else LEAPT)


@pytest.mark.parametrize(("total", "known"), [(119.5, True), (120.0, False)])
def test_the_total_of_a_log_that_begins_late_may_be_that_of_an_epoch_more(
    total: float, known: bool
) -> None:
    """It holds epochs 5 to 7 of 30 s each."""
    settings = Settings(given={"samples_per_epoch": 1000})
    run = Run(settings)
    for label in range(5, 8):
        run.apply(EpochEnd(Origin(label, 90 * label), label, epoch_time=30.0))
    run.apply(RunEnd(Origin(9, 900), total))
    figure = end_to_end(run, Facts(run, settings), run_time(run))
    assert figure.value == (pytest.approx(3000 / total) if known else None)


def test_a_run_of_one_epoch_without_steps_has_the_time_between_its_lines() -> None:
    run, begin = Run(), 1_700_000_000 * SECOND
    run.apply(Iteration(Origin(1, 0, begin), 0, None, loss=0.5))
    run.apply(EpochEnd(Origin(2, 90, begin + 60 * SECOND), 0))
    run.apply(EndOfInput(Origin(3, 180)))
    assert run_time(run) == Time(60.0, TIMESTAMPS)


@pytest.mark.parametrize(("labels", "whole"), [((0, 1), True), ((0, 2), False), ((4,), True)])
def test_a_log_that_lacks_an_epoch_between_others_is_an_excerpt(
    labels: tuple[int, ...], whole: bool
) -> None:
    assert gapless(labels) == whole


@pytest.mark.parametrize(
    ("steps", "stated", "epochs", "example"),
    [(10, None, 2.5, None), (None, None, 2, 10.0), (10, 3.0, 3, 20.0), (10, 2.0, 2, None)],
)
def test_an_epoch_that_was_cut_short_counts_by_its_steps(
    steps: int | None, stated: float | None, epochs: float, example: float | None
) -> None:
    """Epochs 0 and 1 ended, and the run ended at step 5 of epoch 2: 1000 samples each, in 100 s.

    DeepSpark's own example counts the label of the last epoch instead of their number, which is
    said only if all of them are whole.
    """
    settings = Settings(given={"samples_per_epoch": 1000})
    run = Run(settings)
    for label in range(3):
        for step in range(1, 6 if label == 2 else 11):
            at = Origin(20 * label + step, 90)
            run.apply(Iteration(at, label, step if steps else None, steps, loss=0.5))
        if label < 2:
            run.apply(EpochEnd(Origin(20 * label + 11, 90), label))
    run.apply(RunEnd(Origin(99, 900), 100.0, epochs=stated))
    figure = end_to_end(run, Facts(run, settings), run_time(run))
    assert figure.value == pytest.approx(10 * epochs)
    assert figure.details["epochs"] == epochs
    assert figure.details.get("example_count") == example


@pytest.mark.parametrize(
    ("unit", "expected"),
    [("", "samples/s"), ("it/s", "samples/s"), ("tokens/s", "samples/s"), ("img/s", "img/s")],
)
@pytest.mark.parametrize(("total", "lines"), [(100.0, (9,)), (None, ())])
def test_end_to_end_counts_samples_and_names_the_line_that_prints_the_total(
    unit: str, expected: str, total: float | None, lines: tuple[int, ...]
) -> None:
    """Two epochs of 1000 samples in 100 s, by the closing line or by the times of the epochs."""
    settings = Settings(given={"samples_per_epoch": 1000})
    run = Run(settings)
    for label in range(2):
        run.apply(EpochEnd(Origin(label + 1, 90), label, 20.0, unit, epoch_time=50.0))
    run.apply(RunEnd(Origin(9, 900), total))
    figure = end_to_end(run, Facts(run, settings), run_time(run))
    assert (figure.value, figure.unit) == (20.0, expected)
    assert figure.evidence.lines == lines
