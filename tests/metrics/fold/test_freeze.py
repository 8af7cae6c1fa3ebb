"""What follows the evaluation that meets the target changes none of its figures."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from sixdim.metrics.dimensions.accuracy import accuracy
from sixdim.metrics.dimensions.speed.speed import speed
from sixdim.metrics.dimensions.times import (
    BACKWARDS,
    RESUMED,
    STAMPED_PART,
    STARTS_LATE,
    SUMMED,
    TIMESTAMPS,
    Time,
    run_time,
    time_to_train,
)
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.log_fold import LogFold
from sixdim.metrics.values.card import Dimension, State
from sixdim.metrics.values.convergence import parse_target
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import (
    ClockStart,
    EndOfInput,
    EpochEnd,
    Evaluation,
    Iteration,
    Metric,
    Origin,
    RunEnd,
    RunInfo,
    RunStart,
    Scope,
)

SETTINGS = Settings(target=parse_target("acc1>0.5", "--target"))
_START_US = 1_700_000_000_000_000


class Log:
    """Writes events with line numbers and, if asked to, a clock."""

    def __init__(self) -> None:
        self.fold = LogFold(SETTINGS)
        self._lines: Iterator[int] = count(1)
        self.seconds: float | None = None

    def origin(self) -> Origin:
        line, now = next(self._lines), self.seconds
        return Origin(line, 99 * line, None if now is None else _START_US + int(now * 1e6))

    def train(self, epoch: int | None, step: int, rate: float, steps: int | None = None) -> None:
        line = Iteration(self.origin(), epoch, step, steps, rate, "img/s", Scope.JOB)
        self.fold.extend(iter([line]))

    def evaluate(
        self, value: float, epoch: int | None, step: int | None = None, *, midway: bool = False
    ) -> None:
        metrics = (Metric("acc1", value, "fraction"),)
        event = Evaluation(self.origin(), metrics, epoch, step, midway=midway)
        self.fold.apply(event)

    def end(self) -> None:
        self.fold.apply(EndOfInput(self.origin()))

    def speed(self) -> Dimension:
        run = self.fold.chosen()
        return speed(run, SETTINGS, Facts(run, SETTINGS))


def test_the_speed_of_a_run_without_epochs_stays_as_it_was_at_the_freeze() -> None:
    log = Log()
    for step in range(1, 41):
        log.train(None, step, 100.0)
    log.evaluate(0.9, None, 40)
    frozen = log.speed()
    assert frozen.value == 100.0
    for step in range(41, 401):
        log.train(None, step, 50.0)
    assert log.speed() == frozen
    log.end()
    assert log.speed() == frozen


@pytest.mark.parametrize(("midway", "window"), [(False, [6, 7, 8]), (True, [6, 7])])
def test_the_rest_of_the_epoch_changes_no_speed(midway: bool, window: list[int]) -> None:
    """The target is met in the middle of epoch 8: what follows in it is ten times as slow."""
    log = Log()
    for epoch in range(12):
        for step in range(10):
            log.train(epoch, step, 100.0 if (epoch, step) <= (8, 4) else 10.0, 10)
            if (epoch, step) == (8, 4):
                log.evaluate(0.9, 8, midway=midway)
                frozen = log.speed()
                assert frozen.details["window"] == window
                assert frozen.details["values"] == [100.0] * len(window)
            elif (epoch, step) > (8, 4):
                assert log.speed() == frozen
    log.end()
    assert log.speed() == frozen
    assert log.fold.chosen().completed() == [*range(12)], "all are trained"


def test_a_target_that_is_met_in_the_first_epoch_freezes_its_first_lines() -> None:
    log = Log()
    for step in range(5):
        log.train(0, step, 100.0, 10)
    log.evaluate(0.9, 0, midway=True)
    frozen = log.speed()
    assert (frozen.value, frozen.details["window"]) == (100.0, [0])
    for epoch in range(3):
        for step in range(5 if epoch == 0 else 0, 10):
            log.train(epoch, step, 10.0, 10)
    log.end()
    assert log.speed() == frozen


def test_an_evaluation_before_the_training_stays_the_one_that_met_the_target() -> None:
    """Steps that begin again leave out the evaluations after it, but not the one itself."""
    log = Log()
    log.evaluate(0.9, None, 0)
    for _ in range(2):
        for step in range(1, 6):
            log.train(None, step, 100.0)
        log.evaluate(0.3, None, 5)
    log.end()
    assert accuracy(log.fold.chosen()).value == 0.9


def _resumed(met_in: int, *, pause_s: float) -> LogFold:
    """Epochs 0 to 3 of 100 s each; after a pause epochs 3 to 5; epoch `met_in` meets the target.

    Epoch 3 meets it only when it is trained again.
    """
    log = Log()
    log.seconds = 0.0
    for part in (range(4), range(3, 6)):
        for epoch in part:
            for step in range(1, 11):
                log.seconds += 10.0
                log.train(epoch, step, 100.0, 10)
            met = epoch == met_in and (epoch != 3 or part.start == 3)
            log.evaluate(0.9 if met else 0.1, epoch)
        log.seconds += pause_s if part.start == 0 else 0.0
    log.end()
    return log.fold


@pytest.mark.parametrize("met_in", [3, 5])
def test_the_time_to_a_target_that_a_resumed_run_met_is_not_known(met_in: int) -> None:
    """The log's clock counts the two days in which nothing was trained."""
    run = _resumed(met_in, pause_s=172_800.0).chosen()
    assert time_to_train(run) == RESUMED
    # From the first line of epoch 3 to the evaluation of epoch 5: 30 lines, 10 s apart.
    assert run_time(run) == Time(290.0, STAMPED_PART)


def test_the_time_to_a_target_that_was_met_before_the_run_was_resumed_is_known() -> None:
    run = _resumed(2, pause_s=172_800.0).chosen()
    assert time_to_train(run) == Time(290.0, TIMESTAMPS)


@pytest.mark.parametrize(("after", "known"), [(True, True), (False, False)])
def test_a_clock_that_goes_back_after_the_freeze(after: bool, known: bool) -> None:
    """It makes the run time unknown in any case, the time to train only before the target."""
    log = Log()
    log.seconds = 1000.0
    for epoch in range(4):
        for step in range(1, 11):
            log.seconds += 10.0
            log.train(epoch, step, 100.0, 10)
        if epoch == (2 if after else 0):
            log.seconds -= 60.0
        log.evaluate(0.9 if epoch == 1 else 0.1, epoch)
    log.end()
    run = log.fold.chosen()
    assert run_time(run) == BACKWARDS
    assert time_to_train(run) == (Time(190.0, TIMESTAMPS) if known else BACKWARDS)


@pytest.mark.parametrize(("first", "seconds"), [(6, 188.0), (7, None)])
def test_a_time_to_train_lacks_at_most_a_twentieth_of_the_iterations(
    first: int, seconds: float | None
) -> None:
    """Two seconds an iteration; five of the hundred before the target lie before the sixth."""
    log = Log()
    for step in range(first, 1001):
        log.seconds = 2.0 * step
        log.train(None, step, 100.0)
        if step == 100:
            log.evaluate(0.9, None, 100)
    log.end()
    run = log.fold.chosen()
    assert time_to_train(run) == (Time(seconds, TIMESTAMPS) if seconds else STARTS_LATE)
    assert run_time(run) == Time(2000.0 - 2.0 * first, TIMESTAMPS)


def test_facts_and_units_after_the_target_are_not_those_of_the_figures() -> None:
    """256 samples in half a second; what is trained after the target is another size."""
    log = Log()
    log.fold.apply(RunInfo(Origin(0, 0), "global_batch", 256))
    for epoch in range(3):
        for step in range(1, 5):
            at = log.origin()
            log.fold.apply(Iteration(at, epoch, step, 4, duration=0.5))
        log.evaluate(0.9 if epoch == 2 else 0.1, epoch)
    frozen = log.speed()
    assert (frozen.value, frozen.unit) == (512.0, "samples/s")
    log.fold.apply(RunInfo(log.origin(), "global_batch", 1024))
    for step in range(1, 5):
        log.fold.apply(Iteration(log.origin(), 3, step, 4, duration=0.5))
    log.end()
    assert log.speed() == frozen


def test_a_rate_of_another_unit_after_the_target_leaves_that_of_the_speed() -> None:
    log = Log()
    for epoch in range(3):
        log.train(epoch, 1, 100.0, 1)
        log.evaluate(0.9 if epoch == 2 else 0.1, epoch)
    frozen = log.speed()
    other = Iteration(log.origin(), 3, 1, 1, 9000.0, "tokens/s", Scope.DEVICE)
    log.fold.apply(other)
    log.end()
    assert (frozen.unit, log.speed()) == ("img/s", frozen)


def test_epochs_after_the_target_do_not_choose_the_method_of_the_speed() -> None:
    """From the third epoch on, the log prints a throughput at the end of each."""
    log = Log()
    for epoch in range(2):
        log.train(epoch, 1, 100.0, 1)
        log.evaluate(0.9 if epoch == 1 else 0.1, epoch)
    frozen = log.speed()
    assert (frozen.value, frozen.details["window"]) == (100.0, [0, 1])
    for epoch in range(2, 6):
        log.train(epoch, 1, 100.0, 1)
        log.fold.apply(EpochEnd(log.origin(), epoch, 90.0, "img/s", Scope.JOB))
    log.end()
    assert log.speed() == frozen


def test_times_of_epochs_after_the_target_do_not_say_how_exact_those_before_it_are() -> None:
    """Times of 6, 4 and 5 s are whole seconds, though later ones have tenths."""
    log = Log()
    log.fold.apply(RunInfo(log.origin(), "samples_per_epoch", 1200))
    for epoch, seconds in enumerate((6.0, 4.0, 5.0)):
        log.fold.apply(EpochEnd(log.origin(), epoch, train_time=seconds))
        log.evaluate(0.9 if epoch == 2 else 0.1, epoch)
    frozen = log.speed()
    assert frozen.details["values"] == [200.0, 300.0, 240.0]
    for epoch in range(3, 9):
        log.fold.apply(EpochEnd(log.origin(), epoch, train_time=5.1))
    log.end()
    assert log.speed() == frozen


def _ends_after_evaluations() -> tuple[Log, list[Dimension]]:
    """Four epochs; after its evaluation, the log prints the throughput and duration of each.

    The third meets the target. The speeds are those right after each evaluation.
    """
    log, speeds = Log(), []
    for epoch in range(4):
        log.train(epoch, 1, 100.0, 1)
        log.evaluate(0.9 if epoch == 2 else 0.1, epoch)
        speeds.append(log.speed())
        end = EpochEnd(log.origin(), epoch, 40.0 + epoch, "img/s", Scope.JOB, epoch_time=30.0)
        log.fold.apply(end)
    log.end()
    return log, speeds


def test_an_end_of_the_epoch_after_its_target_was_met_changes_no_speed() -> None:
    log, speeds = _ends_after_evaluations()
    assert speeds[2].details["values"] == [40.0, 41.0]
    assert log.speed() == speeds[2]


def test_the_duration_of_the_epoch_that_met_the_target_may_follow_its_evaluation() -> None:
    log, _ = _ends_after_evaluations()
    assert time_to_train(log.fold.chosen()) == Time(90.0, SUMMED), "three epochs of 30 s"
    assert run_time(log.fold.chosen()) == Time(120.0, SUMMED)


@pytest.mark.parametrize("how", ["end", "next epoch", "closing line"])
def test_the_only_line_of_an_epoch_that_met_the_target_stays(how: str) -> None:
    """In an epoch that is over, a first iteration alone gives no speed; in a frozen one it does."""
    log = Log()
    log.train(0, 1, 100.0, 10)
    log.evaluate(0.9, 0, midway=True)
    frozen = log.speed()
    assert (frozen.value, frozen.state) == (100.0, State.SHORT)
    if how == "end":
        log.fold.apply(EpochEnd(log.origin(), 0, 50.0, "img/s", Scope.JOB, 9.0, 9.0))
    elif how == "next epoch":
        log.train(1, 1, 50.0, 10)
    else:
        log.fold.apply(RunEnd(log.origin()))
    log.end()
    assert log.speed() == frozen
    assert log.fold.chosen().epochs[0].complete


def test_the_end_of_an_epoch_on_the_line_that_met_the_target_counts() -> None:
    """`Epoch 1: 50.0 img/s, accuracy 0.9` is one line."""
    log = Log()
    for epoch in range(2):
        log.train(epoch, 1, 100.0, 1)
        at = log.origin()
        metrics = (Metric("acc1", 0.1 + 0.8 * epoch, "fraction"),)
        log.fold.apply(Evaluation(at, metrics, epoch))
        log.fold.apply(EpochEnd(at, epoch, 50.0, "img/s", Scope.JOB))
    log.end()
    assert log.speed().details["values"] == [50.0, 50.0]


def test_a_run_of_steps_stays_one_if_an_epoch_is_named_after_the_target() -> None:
    """Only the closing figures name an epoch."""
    log = Log()
    for step in range(1, 41):
        log.train(None, step, 100.0 + step)
    log.evaluate(0.9, None, 40)
    frozen, good = log.speed(), accuracy(log.fold.chosen())
    # 11 windows of two lines or more: from 6/11 of the 20 windows of two on, five; less two.
    assert frozen.details["window_iterations"] == 2
    log.fold.apply(EpochEnd(log.origin(), 0, 500.0, "img/s", Scope.JOB))
    log.train(1, 1, 500.0)
    log.end()
    assert log.speed() == frozen
    assert accuracy(log.fold.chosen()) == good
    assert good.details["epoch"] is None


@pytest.mark.parametrize("event", [RunStart, ClockStart])
def test_what_begins_after_the_target_begins_no_time_to_it(
    event: type[RunStart | ClockStart],
) -> None:
    """A header, or the line that `--start` names."""
    log = Log()
    log.seconds = 0.0
    for epoch in range(3):
        for step in range(1, 11):
            log.seconds += 10.0
            log.train(epoch, step, 100.0, 10)
        log.evaluate(0.9 if epoch == 1 else 0.1, epoch)
        if epoch == 1:
            met = time_to_train(log.fold.chosen())
            log.seconds += 1000.0
            if event is RunStart:
                log.fold.apply(RunStart(log.origin(), timed=True))
            else:
                log.fold.apply(ClockStart(log.origin()))
    log.end()
    assert met == Time(190.0, TIMESTAMPS), "20 lines, 10 s apart"
    assert log.fold.count == 1
    assert time_to_train(log.fold.chosen()) == met


def test_a_training_that_is_announced_after_the_target_begins_no_time_to_it() -> None:
    """A line that says `training starts`, and one line an epoch that ends 60 s later."""
    log = Log()
    log.seconds = 0.0
    log.fold.apply(RunInfo(log.origin(), "training_starts", 1))
    for epoch in range(3):
        log.seconds += 60.0
        log.fold.apply(Iteration(log.origin(), epoch, None, loss=0.5))
        log.seconds += 5.0
        log.evaluate(0.9 if epoch == 1 else 0.1, epoch)
        if epoch == 1:
            log.fold.apply(RunInfo(log.origin(), "training_starts", 1))
    log.end()
    assert time_to_train(log.fold.chosen()) == Time(130.0, TIMESTAMPS)


def test_evaluations_after_the_target_add_no_model_and_no_data() -> None:
    log = Log()
    for epoch in range(3):
        log.train(epoch, 1, 100.0, 1)
        metrics = (Metric("acc1", 0.9 if epoch == 1 else 0.1, "fraction"),)
        log.fold.apply(Evaluation(log.origin(), metrics, epoch, data="val"))
        if epoch == 1:
            frozen = accuracy(log.fold.chosen())
    metrics = (Metric("acc1", 0.8, "fraction"),)
    log.fold.apply(Evaluation(log.origin(), metrics, 2, data="test"))
    log.fold.apply(Evaluation(log.origin(), metrics, 2, model="averaged", data="val"))
    log.end()
    assert (frozen.value, set(frozen.details)) == (0.9, {"metric", "epoch", "best"})
    assert accuracy(log.fold.chosen()) == frozen


@pytest.mark.parametrize(
    ("met", "reason"),
    [
        (4, "the log meets its target before epochs 6 to 10 are over: over epochs 0 to 4"),
        (7, "the log meets its target before epochs 6 to 10 are over: over epochs 6, 7"),
        (10, ""),
    ],
)
def test_the_reason_of_a_frozen_speed_does_not_change_either(met: int, reason: str) -> None:
    log = Log()
    for epoch in range(14):
        log.train(epoch, 1, 100.0, 1)
        log.evaluate(0.9 if epoch == met else 0.1, epoch)
        if epoch == met:
            frozen = log.speed()
    log.end()
    assert frozen.reason == reason
    assert log.speed() == frozen


def test_a_clock_that_goes_back_at_the_evaluation_that_meets_the_target() -> None:
    log = Log()
    log.seconds = 1000.0
    for epoch in range(2):
        for step in range(1, 11):
            log.seconds += 10.0
            log.train(epoch, step, 100.0, 10)
        log.seconds -= 60.0 if epoch == 1 else 0.0
        log.evaluate(0.9 if epoch == 1 else 0.1, epoch)
    assert time_to_train(log.fold.chosen()) == BACKWARDS


def test_the_duration_of_an_epoch_is_not_that_up_to_a_target_in_the_middle_of_it() -> None:
    """Three epochs of 30 s, whose ends are printed; the third goes on after the evaluation."""
    log = Log()
    for epoch in range(3):
        log.train(epoch, 1, 100.0, 2)
        if epoch == 2:
            log.evaluate(0.9, epoch, midway=True)
        log.train(epoch, 2, 100.0, 2)
        log.fold.apply(EpochEnd(log.origin(), epoch, epoch_time=30.0))
    log.end()
    run = log.fold.chosen()
    assert (time_to_train(run).seconds, run_time(run)) == (None, Time(90.0, SUMMED))


def test_a_named_window_after_the_target_is_told_which_epochs_there_are() -> None:
    log, settings = Log(), SETTINGS._replace(window=(6, 10))
    for epoch in range(6):
        log.train(epoch, 1, 100.0, 1)
        log.evaluate(0.9 if epoch == 3 else 0.1, epoch)
    run = log.fold.chosen()
    said = "the log meets its target before epochs 6 to 10 are over; it has 0 to 3 until then"
    assert speed(run, settings, Facts(run, settings)).reason == said
