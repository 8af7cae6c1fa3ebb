"""How much of its plan a run has trained, and how long the rest takes."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from sixdim.metrics.card.forecast.remaining import remaining
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.remaining import NO_PLAN, Remaining
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Iteration,
    Metric,
    Origin,
    Problem,
    RunInfo,
)

BEGIN_US = 1_700_000_000_000_000


def _at(second: float | None, line: int) -> Origin:
    return Origin(line, 90 * line, None if second is None else BEGIN_US + int(second * 1e6))


def _left(events: Iterable[Event], planned: int) -> Remaining:
    settings = Settings(given={"epochs_planned": planned})
    run = Run(settings)
    for event in events:
        run.apply(event)
    return remaining(run, Facts(run, settings))


def _clocked(labels: Iterable[int], evaluation: float) -> Iterable[Event]:
    """Epochs of 100 steps of a second, each followed by an evaluation that takes so long."""
    now, line = 0.0, 0
    for label in labels:
        for step in range(0, 101, 10):
            line += 1
            yield Iteration(_at(now + step, line), label, step, 100)
        line += 1
        now += 100 + evaluation
        yield Evaluation(_at(now - 1, line), (Metric("acc1", 50.0, "%"),), epoch=label)


def test_the_time_of_evaluations_counts_where_the_log_has_a_clock() -> None:
    """Of 10 epochs of 100 s and a minute of evaluation each, 3 are over."""
    left = _left(_clocked(range(3), 60.0), 10)
    assert left[:3] == pytest.approx((0.3, 7 * 160.0, False))


def test_a_resumed_run_has_trained_the_epochs_before_its_first_label() -> None:
    """Labels from 51 on: 50 epochs were trained elsewhere, and 3 here; 47 of 100 are left."""
    left = _left(_clocked(range(51, 54), 0.0), 100)
    assert left[:3] == pytest.approx((0.53, 47 * 100.0, False))


@pytest.mark.parametrize(("planned", "left"), [(53, 0), (52, 49)])
def test_labels_above_the_plan_show_that_it_is_that_of_the_resumed_part(
    planned: int, left: int
) -> None:
    """Labels 51 to 53: a plan of 53 is the whole run's, one of 52 begins with label 51."""
    assert _left(_clocked(range(51, 54), 0.0), planned).seconds == pytest.approx(left * 100.0)


@pytest.mark.parametrize(
    ("last", "trained"),
    [(20, 1.2), (40, 1.4), (90, 2.0), (100, 2.0)],  # of a line every 10 steps, 90 may be the last
)
def test_an_evaluation_inside_an_epoch_leaves_the_rest_of_it(last: int, trained: float) -> None:
    """4 epochs of 100 s, each evaluated at its steps 20, 40, 90 and 100, seen up to one of them."""
    events: list[Event] = []
    for label in (1, 2):
        for step in range(10, 101, 10):
            line, now = len(events) + 1, 100.0 * (label - 1) + step
            events.append(Iteration(_at(now, line), label, step, 100))
            if step in (20, 40, 90, 100):
                score = (Metric("dice", 0.5, "fraction"),)
                events.append(Evaluation(_at(now, line + 1), score, epoch=label))
                if (label, step) == (2, last):
                    left = _left(events, 4)
                    assert left.trained == pytest.approx(trained / 4)
                    assert left.seconds == pytest.approx((4 - trained) * 100.0, rel=0.11)


@pytest.mark.parametrize(("step", "seconds"), [(0, None), (1, 999.0), (50, 950.0)])
def test_the_first_epoch_has_a_pace_from_a_hundredth_of_its_steps_on(
    step: int, seconds: float | None
) -> None:
    """A step takes a second; 10 epochs of 100 steps are planned."""
    lines = [Iteration(_at(float(n), n + 1), 0, n, 100) for n in range(step + 1)]
    left = _left(lines, 10)
    assert left.seconds == (None if seconds is None else pytest.approx(seconds))
    assert left.at_least == (seconds is not None)


@pytest.mark.parametrize(("step", "seconds"), [(109, None), (110, 890.0)])
def test_steps_have_a_pace_from_a_hundredth_of_them_on(step: int, seconds: float | None) -> None:
    """A step takes a second; the log begins at step 100 of 1000."""
    lines = [Iteration(_at(float(n), n), None, n, 1000) for n in (100, step)]
    assert _left(lines, 1).seconds == seconds


def test_printed_training_passes_leave_evaluations_out() -> None:
    """Without evaluations the passes are all there is."""
    passes: list[Event] = [
        EpochEnd(_at(None, n), n, train_time=50.0, epoch_time=None) for n in range(2)
    ]
    scores = [Evaluation(_at(None, 9), (Metric("acc1", 50.0, "%"),), epoch=1)]
    assert _left(passes, 4) == Remaining(0.5, 100.0, at_least=False)
    assert _left([*passes, *scores], 4) == Remaining(0.5, 100.0, at_least=True)


def test_a_log_without_clock_and_times_gives_the_share_alone() -> None:
    lines = [Iteration(_at(None, n + 1), n // 10, n % 10, 10) for n in range(25)]
    assert _left(lines, 5)[1:3] == (None, False)
    assert _left([], 5) == Remaining()


def test_a_log_with_a_gap_between_its_epochs_is_no_plan() -> None:
    assert _left(_clocked([0, 1, 5], 0.0), 10) == Remaining()


def test_evaluations_alone_show_the_share_of_the_plan() -> None:
    done = [Evaluation(_at(None, n), (Metric("acc1", 50.0, "%"),), epoch=n) for n in (1, 2, 3)]
    assert _left(done, 12) == Remaining(0.25)
    assert _left(done[1:], 12) == NO_PLAN


@pytest.mark.parametrize(("step", "share"), [(250, 0.25), (300, 0.3), (330, 0.33)])
def test_steps_that_go_on_from_epoch_to_epoch_are_counted_out_of_the_whole_run(
    step: int, share: float
) -> None:
    """Ten epochs of 100 steps each, counted from 1 to 1000, a second a step."""
    events = [Iteration(_at(n, n), (n - 1) // 100 + 1, n, 1000) for n in range(10, step + 1, 10)]
    left = _left(events, 10)
    assert left.trained == pytest.approx(share)
    assert left.seconds == pytest.approx((1 - share) * 1000, rel=0.1)


@pytest.mark.parametrize(("passes", "left"), [(1, (0.4, 60.0, False)), (2, NO_PLAN[:3])])
def test_steps_that_begin_again_without_an_epoch_are_no_plan_of_the_run(
    passes: int, left: tuple[float | None, ...]
) -> None:
    """A step a second; at step 40 of 100 a minute is left, unless it is not the first pass."""
    steps = [*range(10, 101, 10)] * (passes - 1) + [10, 20, 30, 40]
    lines = (Iteration(_at(10 * n, n + 1), None, step, 100) for n, step in enumerate(steps))
    assert _left(lines, 0)[:3] == left


def test_the_steps_left_times_the_time_of_a_step_where_the_log_has_no_clock() -> None:
    """Half a second a step; at step 40 of 100, 60 are left. Only a planned total is the run's."""
    steps: list[Event] = [
        Iteration(_at(None, n), None, 10 * n, 100, duration=0.5) for n in range(1, 5)
    ]
    plan = RunInfo(_at(None, 0), "steps_planned", 100)
    assert _left([plan, *steps], 0) == Remaining(0.4, 30.0, at_least=False)
    scores = Evaluation(_at(None, 5), (Metric("acc1", 50.0, "%"),), step=40)
    assert _left([plan, *steps, scores], 0) == Remaining(0.4, 30.0, at_least=True)
    assert _left(steps, 0) == Remaining(0.4)


def test_steps_without_an_epoch_are_of_one_of_the_planned_epochs() -> None:
    steps = [Iteration(_at(n, n), None, 10 * n, 100) for n in (1, 2, 3)]
    assert _left(steps, 25) == NO_PLAN
    assert _left([RunInfo(_at(0, 0), "steps_planned", 100), *steps], 25).trained == 0.3


def test_a_line_without_a_step_does_not_take_back_the_steps_before_it() -> None:
    """A loop prints its loss between the drawings of its bar."""
    steps: list[Event] = [Iteration(_at(n, n), None, 10 * n, 100) for n in (1, 2)]
    assert _left([*steps, Iteration(_at(2, 3), None, None, loss=2.5)], 0).seconds == 8.0


def test_a_run_whose_last_lines_say_that_it_failed_has_no_end_in_sight() -> None:
    """Of 10 epochs of 100 s, 3 are over; the exception was caught if a fourth is trained."""
    events = [*_clocked(range(4), 0.0)]
    failed = Problem(_at(301, 37), "exception", "it raised", fatal=True)
    assert _left([*events[:36], failed], 10) == NO_PLAN
    far = [event._replace(at=event.at._replace(offset=1 << 20)) for event in events[36:]]
    assert _left([*events[:36], failed, *far], 10).seconds == pytest.approx(600.0)


def _paced(labels: Iterable[int], steps: Iterable[int], total: int) -> list[Event]:
    """Epochs without a clock, whose lines give half a second an iteration."""
    places = [(label, step) for label in labels for step in steps]
    return [
        Iteration(_at(None, line), label, step, total, duration=0.5)
        for line, (label, step) in enumerate(places, 1)
    ]


def test_the_speed_of_the_iterations_times_the_epochs_where_nothing_else_does() -> None:
    """Of 10 epochs of 100 steps, 2 are over, and half of a third: 7.5 x 50 s are left."""
    events = [*_paced((1, 2), range(5, 101, 5), 100), *_paced((3,), range(5, 51, 5), 100)]
    assert _left(events, 10) == Remaining(0.25, 375.0, at_least=False)
    score = Evaluation(_at(None, 21), (Metric("acc1", 50.0, "%"),), epoch=1)
    assert _left([*events[:20], score, *events[20:]], 10) == Remaining(0.25, 375.0, at_least=True)


@pytest.mark.parametrize(
    ("first", "later", "total"),
    [
        (range(64, 641, 64), range(64, 321, 64), 640),  # steps may count samples
        (range(5, 61, 5), range(65, 121, 5), 600),  # they count the whole run's iterations
        (range(5, 91, 5), range(5, 51, 5), 100),  # the epoch has no last step
    ],
)
def test_steps_that_may_not_be_those_of_an_epoch_give_no_time(
    first: range, later: range, total: int
) -> None:
    left = _left([*_paced((1,), first, total), *_paced((2,), later, total)], 10)
    assert left.trained is not None and left.seconds is None
