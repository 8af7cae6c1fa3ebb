"""Each limit of the fold, on both of its sides."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.runs.clocks import Clocks
from sixdim.metrics.fold.runs.endings import is_as_long, overcame_failure
from sixdim.metrics.fold.runs.log_fold import LogFold
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.fold.runs.writers import Writers
from sixdim.metrics.protocols.over_runs import of_runs
from sixdim.metrics.values.protocol import DEEPSPARK, OverRuns
from sixdim.parsers.events import (
    EndOfInput,
    EpochEnd,
    Event,
    Iteration,
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


@pytest.mark.parametrize(("behind", "repeats"), [(3, True), (4, False)])
def test_a_writer_may_be_three_records_behind_another(behind: int, repeats: bool) -> None:
    writers = Writers()
    for step in range(10):
        assert not writers.repeats(Iteration(Origin(1, 0, rank=0), 0, step))
    assert writers.repeats(Iteration(Origin(1, 0, rank=1), 0, 9 - behind)) == repeats


@pytest.mark.parametrize(("repeated", "warns"), [(2, False), (3, True)])
def test_three_steps_far_back_come_again(repeated: int, warns: bool) -> None:
    steps = [*range(10, 20), *range(11, 11 + repeated)]
    run = _run([Iteration(_at(n), 0, step, 100) for n, step in enumerate(steps, 1)])
    assert ("steps_again" in run.problem_counts) == warns


@pytest.mark.parametrize(("lines", "exception"), [(24, False), (25, True)])
def test_one_line_in_twenty_five_is_an_exception(lines: int, exception: bool) -> None:
    rated = [Iteration(_at(n), 0, n, 100, 50.0, "img/s") for n in range(1, lines + 1)]
    run = _run([*rated, Iteration(_at(90), 0, 90, 100)])
    assert run.checks.without_rate.are_exception_among(run.checks.rated) == exception


@pytest.mark.parametrize(
    ("pause_s", "lines", "resumed"),
    [(100, 5, False), (101, 5, True), (101, 4, False)],
)
def test_a_smaller_step_behind_a_pause_is_another_attempt(
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


def _epoch_run(*epochs: tuple[int, int]) -> tuple[Run, Epoch]:
    """A run of epochs of (last step, steps), and its last epoch, which no line ends."""
    events: list[Event] = []
    for label, (last, steps) in enumerate(epochs):
        for step in (1, last):
            events.append(Iteration(_at(len(events) + 1), label, step, steps))
    run = _run(events)
    return run, run.epochs[len(epochs) - 1]


@pytest.mark.parametrize(("last", "whole"), [(990, False), (991, True)])
def test_an_epoch_without_one_percent_of_its_steps_is_whole_as_the_one_before(
    last: int, whole: bool
) -> None:
    assert is_as_long(*_epoch_run((last, 1000), (last, 1000))) == whole


@pytest.mark.parametrize(("epochs", "whole"), [(3, False), (4, True)])
def test_three_epochs_of_as_many_lines_show_how_long_one_is(epochs: int, whole: bool) -> None:
    lines = [Iteration(_at(3 * n + k), n, None, loss=0.5) for n in range(epochs) for k in (1, 2, 3)]
    run = _run(lines)
    assert is_as_long(run, run.epochs[epochs - 1]) == whole


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
