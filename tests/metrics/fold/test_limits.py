"""Each limit of the fold, on both of its sides."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sixdim.metrics.fold.checks.checks_state import LineCount
from sixdim.metrics.fold.checks.clocks import Clocks
from sixdim.metrics.fold.runs.endings import overcame_failure, plan_done
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.log_fold import LogFold
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.fold.runs.writers import Writers
from sixdim.metrics.protocols.window_result import of_runs
from sixdim.metrics.values.protocol import DEEPSPARK, OverRuns
from sixdim.metrics.values.settings import DEFAULT
from sixdim.parsers.events import (
    EndOfInput,
    EpochEnd,
    Evaluation,
    Event,
    Iteration,
    Metric,
    Origin,
    Problem,
    RunStart,
)
from sixdim.parsers.reading import Reading
from tests.support.telemetry import folded

SECOND = 1_000_000
YEAR = 1_700_000_000 * SECOND


def _at(line: int, time_us: int | None = None, offset: int | None = None) -> Origin:
    return Origin(line, 90 * line if offset is None else offset, time_us)


def _run(events: Sequence[Event]) -> Run:
    run = Run()
    for event in events:
        run.apply(event)
    return run


@pytest.mark.parametrize(("seconds", "gaps"), [(2.5, 0), (2.51, 1)])
def test_two_and_a_half_usual_intervals_are_no_gap(seconds: float, gaps: int) -> None:
    times = [0.0, 1.0, 2.0, 3.0, 3.0 + seconds, 4.0 + seconds]
    (device,) = folded(
        Reading(0, time_us=int(time * SECOND), power_w=100.0) for time in times
    ).window(None)
    assert device.quantities["power_w"].weighted().gaps == gaps


@pytest.mark.parametrize(("joules", "resets"), [(20_000.0, 0), (20_001.0, 1)])
def test_a_counter_may_rise_by_ten_kilowatts_and_a_second_of_grace(
    joules: float, resets: int
) -> None:
    (device,) = folded(
        Reading(0, time_us=second * SECOND, energy_j=joules * second) for second in (0, 1)
    ).window(None)
    assert device.counter_resets == resets


@pytest.mark.parametrize(
    ("later_us", "kind"),
    [
        (-2 * SECOND, None),
        (-2 * SECOND - 1, "clock_back"),
        (7 * 86_400 * SECOND, None),
        (7 * 86_400 * SECOND + 1, "clock_leap"),
    ],
)
def test_a_clock_may_fall_by_two_seconds_and_rise_by_a_week(
    later_us: int, kind: str | None
) -> None:
    clocks = Clocks()
    assert clocks.advance(_at(1, YEAR)) is None
    problem = clocks.advance(_at(2, YEAR + later_us))
    assert (problem.kind if problem else None) == kind


@pytest.mark.parametrize(("after", "repeats"), [(3, True), (4, False)])
def test_a_writer_may_be_three_records_behind_another(after: int, repeats: bool) -> None:
    writers = Writers()
    for step in range(10):
        assert not writers.repeats(Iteration(Origin(1, 0, rank=0), 0, step))
    assert writers.repeats(Iteration(Origin(1, 0, rank=1), 0, 9 - after)) == repeats


@pytest.mark.parametrize(("others", "repeats"), [(100_000, True), (100_001, False)])
def test_a_hundred_thousand_further_writers_are_known(others: int, repeats: bool) -> None:
    writers = Writers()
    ranks = [writers.repeats(Iteration(Origin(1, 0, rank=r), 0, 1)) for r in range(others + 1)]
    assert sum(ranks) == others
    assert writers.repeats(Iteration(Origin(1, 0, rank=others), 0, 2)) == repeats


@pytest.mark.parametrize(("repeated", "warns"), [(2, False), (3, True)])
def test_three_steps_far_back_come_again(repeated: int, warns: bool) -> None:
    steps = [*range(10, 20), *range(11, 11 + repeated)]
    run = _run([Iteration(_at(n), 0, step, 100) for n, step in enumerate(steps, 1)])
    assert ("steps_again" in run.problems.counts) == warns


@pytest.mark.parametrize(("lines", "exception"), [(24, False), (25, True)])
def test_one_line_in_twenty_five_is_an_exception(lines: int, exception: bool) -> None:
    rated = [Iteration(_at(n), 0, n, 100, 50.0, "img/s") for n in range(1, lines + 1)]
    run = _run([*rated, Iteration(_at(90), 0, 90, 100)])
    assert run.checks.without_rate.are_exception_among(run.checks.rated) == exception


@pytest.mark.parametrize(
    ("pause_s", "lines", "resumed"),
    [(100, 5, False), (101, 5, True), (101, 4, False)],
)
def test_a_smaller_step_after_a_pause_is_another_attempt(
    pause_s: int, lines: int, resumed: bool
) -> None:
    """Lines come every 5 s: a pause is more than twenty times as long, and a minute at least."""
    times = [5 * n for n in range(lines)]
    run = _run(
        [
            *(Iteration(_at(n, YEAR + t * SECOND), 0, 100 + n, 900) for n, t in enumerate(times)),
            Iteration(_at(50, YEAR + (times[-1] + pause_s) * SECOND), 0, 30, 900),
        ]
    )
    assert (run.epochs[0].first_step == 30) == resumed


@pytest.mark.parametrize(("pause_s", "resumed"), [(60, False), (61, True)])
def test_a_pause_takes_a_minute_at_least(pause_s: int, resumed: bool) -> None:
    lines = [Iteration(_at(n, YEAR + n * SECOND), 0, 100 + n, 900) for n in range(6)]
    later = YEAR + (5 + pause_s) * SECOND
    run = _run([*lines, Iteration(_at(50, later), 0, 30, 900)])
    assert (run.epochs[0].first_step == 30) == resumed


@pytest.mark.parametrize(("step", "resumed"), [(34, False), (33, True)])
def test_a_third_of_the_step_before_is_no_smaller_attempt(step: int, resumed: bool) -> None:
    lines = [Iteration(_at(n, YEAR + n * SECOND), 0, 97 + n, 900) for n in range(6)]  # up to 102
    run = _run([*lines, Iteration(_at(50, YEAR + 999 * SECOND), 0, step, 900)])
    assert (run.epochs[0].first_step == step) == resumed


@pytest.mark.parametrize(
    ("pause_s", "lines", "step", "resumed"),
    [(100, 2, 100, False), (101, 2, 100, True), (999, 2, 99, False), (999, 1, 100, False)],
)
def test_the_first_step_again_after_a_pause_is_another_attempt(
    pause_s: int, lines: int, step: int, resumed: bool
) -> None:
    """Lines come every 5 s; two of them tell the usual time, as the step is a hint of its own."""
    times = [5 * n for n in range(lines)]
    run = _run(
        [
            *(Iteration(_at(n, YEAR + t * SECOND), 0, 100 + n, 900) for n, t in enumerate(times)),
            Iteration(_at(50, YEAR + (times[-1] + pause_s) * SECOND), 0, step, 900),
        ]
    )
    assert (run.clock.first_iteration_us == YEAR + (times[-1] + pause_s) * SECOND) == resumed


@pytest.mark.parametrize(("offset", "overcome"), [(8192, True), (8193, False)])
def test_what_a_buffer_holds_was_written_before_a_problem(offset: int, overcome: bool) -> None:
    run = _run(
        [
            EpochEnd(_at(1, offset=0), 0, 50.0, "img/s"),
            Problem(_at(2, offset=offset), "exception", "it raised", fatal=True),
            EpochEnd(_at(3, offset=offset + 90), 1, 50.0, "img/s"),
            EpochEnd(_at(4, offset=offset + 180), 2, 50.0, "img/s"),
        ]
    )
    assert overcame_failure(run) == overcome


def _runs(*after: Event) -> int:
    """The runs of a log whose first run trains epochs 0 to 3, and then has a header and this."""
    fold = LogFold()
    events: list[Event] = [RunStart(_at(1))]
    events += [Iteration(_at(2 + n), n // 2, n % 2, 2) for n in range(8)]
    for event in (*events, RunStart(_at(20)), *after, EndOfInput(_at(90))):
        fold.apply(event)
    return fold.count


@pytest.mark.parametrize(("label", "runs"), [(8, 1), (9, 2)])
def test_a_header_before_more_missing_epochs_than_were_read_begins_a_run(
    label: int, runs: int
) -> None:
    """Epochs 4 to 7 are as many as were read."""
    assert _runs(Iteration(_at(21), label, 0, 2), Iteration(_at(22), label, 1, 2)) == runs


@pytest.mark.parametrize(("step", "runs"), [(1, 2), (2, 1)])
def test_a_header_before_the_first_step_begins_a_run(step: int, runs: int) -> None:
    """The first run counts its steps from 0, the next may count them from 1."""
    assert _runs(Iteration(_at(21), 0, step, 2)) == runs


@pytest.mark.parametrize(
    ("values", "value"), [((1.0, 2.0), None), ((1.0, 2.0, 9.0), 2.0), ((1.0, None, 9.0), 9.0)]
)
def test_three_runs_have_a_middle_one(
    values: tuple[float | None, ...], value: float | None
) -> None:
    assert of_runs(values, OverRuns.OLYMPIC).value == value


@pytest.mark.parametrize(("count", "dropped"), [(2, 0), (3, 1), (5, 1)])
def test_three_values_have_a_highest_and_a_lowest(count: int, dropped: int) -> None:
    assert DEEPSPARK.trimmed_at_each_end(count) == dropped


@pytest.mark.parametrize(("later_us", "kind"), [(0, None), (1, "clock_leap")])
def test_another_writer_may_be_a_week_later(later_us: int, kind: str | None) -> None:
    clocks = Clocks()
    clocks.advance(_at(1, YEAR)._replace(rank=0))
    week = 7 * 86_400 * SECOND
    problem = clocks.advance(_at(2, YEAR + week + later_us)._replace(rank=1))
    assert (problem.kind if problem else None) == kind


@pytest.mark.parametrize(("after", "survived"), [(8192, False), (8193, True)])
def test_a_record_more_than_a_buffer_after_a_problem_shows_that_training_goes_on(
    after: int, survived: bool
) -> None:
    run = _run(
        [
            Iteration(_at(1, offset=0), 0, 1, 100),
            Problem(_at(2, offset=90), "exception", "it raised", fatal=True),
            Iteration(_at(3, offset=90 + after), 0, 2, 100),
        ]
    )
    assert (run.problems.failed is None) == survived


@pytest.mark.parametrize(("after", "survived"), [(8192, False), (8193, True)])
@pytest.mark.parametrize(("label", "trains"), [(2, False), (None, False), (2, True)])
def test_without_lines_of_training_the_evaluations_show_that_it_goes_on(
    after: int, survived: bool, label: int | None, trains: bool
) -> None:
    """One that names no epoch may be that of a program that runs after the training."""
    accuracy = (Metric("acc1", 0.5),)
    run = _run(
        [
            *([Iteration(_at(1, offset=0), 1, 1, 100)] if trains else []),
            Evaluation(_at(2, offset=50), accuracy, 1),
            Problem(_at(3, offset=90), "exception", "it raised", fatal=True),
            Evaluation(_at(4, offset=90 + after), accuracy, label),
        ]
    )
    assert (run.problems.failed is None) == (survived and label is not None and not trains)


@pytest.mark.parametrize(
    ("label", "time", "survived"), [(8, YEAR, False), (7, YEAR, True), (7, None, False)]
)
def test_an_epoch_that_ends_two_before_the_current_one_shows_that_training_goes_on(
    label: int, time: int | None, survived: bool
) -> None:
    """Without a time stamp the line may have been buffered when the program failed."""
    run = _run(
        [
            *(EpochEnd(_at(n), n) for n in range(1, 10)),
            Problem(_at(10), "exception", "it raised", fatal=True),
            EpochEnd(_at(11, time), label),
        ]
    )
    assert (run.problems.failed is None) == survived


def test_a_warning_names_ten_lines() -> None:
    some, many = LineCount(), LineCount()
    for line in range(1, 12):
        many.add(line)
    some.extend(1, 11)
    assert (some.count, some.lines) == (many.count, many.lines) == (11, [*range(1, 11)])


@pytest.mark.parametrize(("first", "done"), [(10, False), (11, True), (30, True), (31, False)])
def test_steps_are_done_where_the_next_line_would_stand_after_the_last(
    first: int, done: bool
) -> None:
    """A line every ten steps: after step 90 of 100 another one may come, after 91 none.

    Steps that go on past the planned number, as `batch 111/100`, are not what it counts.
    """
    lines = [Iteration(_at(n), None, first + 10 * n, 100) for n in range(9)]
    run = _run(lines)
    assert plan_done(run, Facts(run, DEFAULT)) == done


@pytest.mark.parametrize(("later", "left"), [(1, 3), (2, 1)])
def test_evaluations_of_two_later_epochs_show_that_the_first_is_of_another_run(
    later: int, left: int
) -> None:
    labels = [*range(later + 1), 0]
    run = _run([Evaluation(_at(n), (Metric("acc1", 0.5),), e) for n, e in enumerate(labels, 1)])
    assert len(run.evaluations) == left


@pytest.mark.parametrize("loss", [None, 0.5])
@pytest.mark.parametrize("later", [1, 2])
def test_lines_without_steps_begin_the_first_epoch_again(later: int, loss: float | None) -> None:
    """A line with a loss may be a late one; one that only names the epoch is at its beginning."""
    labels = [*range(later + 1), 0]
    run = _run([Iteration(_at(n), e, None, loss=loss) for n, e in enumerate(labels, 1)])
    assert (len(run.epochs) == 1) == (later > 1 or loss is None)


@pytest.mark.parametrize(("later", "left"), [(1, 2), (2, 1)])
def test_ends_of_epochs_begin_the_first_one_again_after_two_others(later: int, left: int) -> None:
    run = _run([EpochEnd(_at(n), e) for n, e in enumerate((*range(later + 1), 0), 1)])
    assert len(run.epochs) == left


@pytest.mark.parametrize(("again", "left"), [(2, 4), (1, 2)])
def test_an_epoch_of_one_line_may_be_repeated_by_ranks_of_the_next(again: int, left: int) -> None:
    run = _run([Iteration(_at(n), e, 5, 9) for n, e in enumerate((0, 1, 2, 3, again), 1)])
    assert len(run.epochs) == left


@pytest.mark.parametrize(("time_us", "failed"), [(None, True), (YEAR + SECOND, False)])
def test_an_epoch_named_again_after_a_problem_is_another_attempts_if_it_has_a_time(
    time_us: int | None, failed: bool
) -> None:
    run = _run(
        [
            Iteration(_at(1, YEAR), 1, None),
            Problem(_at(2), "exception", "it raised", fatal=True),
            Iteration(_at(3, time_us), 1, None),
        ]
    )
    assert (run.problems.failed is not None) == failed
