"""Each limit of an epoch and of a window of iterations, on both of its sides."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sixdim.metrics.dimensions.speed.epoch_figures import own_steps
from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.epochs.windows import IterationWindows
from sixdim.metrics.fold.runs.last_epoch import is_as_long
from sixdim.metrics.fold.runs.run import Run
from sixdim.parsers.events import (
    EndOfInput,
    EpochEnd,
    Evaluation,
    Event,
    Iteration,
    Metric,
    Origin,
    Problem,
    RunEnd,
)


def _at(line: int) -> Origin:
    return Origin(line, 90 * line)


def _run(events: Sequence[Event]) -> Run:
    run = Run()
    for event in events:
        run.apply(event)
    return run


def _epoch(*steps: int, of: int) -> Epoch:
    """An epoch of lines at these steps, each with a rate."""
    epoch = Epoch(0, 1)
    for n, step in enumerate(steps, 1):
        epoch.add(Iteration(_at(n), 0, step, of, 50.0, "img/s"))
    return epoch


@pytest.mark.parametrize(("steps", "count"), [((1,), None), ((1, 2), 2)])
def test_two_lines_show_that_an_epoch_counts_its_own_steps(
    steps: tuple[int, ...], count: int | None
) -> None:
    assert own_steps(_epoch(*steps, of=2)) == count


@pytest.mark.parametrize(
    ("steps", "abandoned"), [((1,), False), ((1, 2), True), ((7, 8), True), ((8, 9), False)]
)
def test_an_epoch_of_two_lines_is_abandoned_where_further_ones_are_missing(
    steps: tuple[int, ...], abandoned: bool
) -> None:
    """A line comes at each of ten steps; after step 9 there may be none."""
    assert _epoch(*steps, of=10).abandoned_for(20) == abandoned


@pytest.mark.parametrize(
    ("steps", "of", "rate"), [((1,), 1, 50.0), ((1,), 2, None), ((2,), 2, 50.0)]
)
def test_the_first_of_two_iterations_is_no_rate_of_an_epoch_but_the_only_one_is(
    steps: tuple[int, ...], of: int, rate: float | None
) -> None:
    epoch = _epoch(*steps, of=of)
    epoch.finish()
    assert epoch.lines.rate() == rate


@pytest.mark.parametrize(("last", "whole"), [(990, False), (991, True)])
def test_an_epoch_without_one_percent_of_its_steps_is_whole_as_the_one_before(
    last: int, whole: bool
) -> None:
    steps = [(label, step) for label in (0, 1) for step in (1, last - 5, last)]
    run = _run([Iteration(_at(n), label, step, 1000) for n, (label, step) in enumerate(steps, 1)])
    assert is_as_long(run, run.epochs[1], _at(6)) == whole


@pytest.mark.parametrize(
    ("first", "of", "whole"), [(0, 120, True), (0, 121, False), (10, 119, True), (10, 120, False)]
)
def test_an_epoch_is_whole_as_the_one_before_where_no_further_line_has_room(
    first: int, of: int, whole: bool
) -> None:
    """A line comes at every tenth step, the last one is of step 110."""
    steps = [(label, step) for label in (0, 1) for step in range(first, 111, 10)]
    run = _run([Iteration(_at(n), label, step, of) for n, (label, step) in enumerate(steps, 1)])
    assert is_as_long(run, run.epochs[1], _at(len(steps))) == whole


@pytest.mark.parametrize(("epochs", "whole"), [(3, False), (4, True)])
def test_three_epochs_of_as_many_lines_show_how_long_one_is(epochs: int, whole: bool) -> None:
    lines = [Iteration(_at(3 * n + k), n, None, loss=0.5) for n in range(epochs) for k in (1, 2, 3)]
    run = _run(lines)
    assert is_as_long(run, run.epochs[epochs - 1], _at(3 * epochs)) == whole


@pytest.mark.parametrize(
    ("epochs", "end", "whole"), [(3, 15, False), (4, 19, False), (4, 20, True)]
)
def test_an_epoch_that_a_line_names_is_over_after_as_much_text_as_the_three_before(
    epochs: int, end: int, whole: bool
) -> None:
    """Each is named in the first of its five lines."""
    run = _run([Iteration(_at(5 * n + 1), n, None) for n in range(epochs)])
    run.apply(EndOfInput(_at(end)))
    assert run.epochs[epochs - 1].complete == whole


@pytest.mark.parametrize(("last", "whole"), [(4, False), (5, True)])
def test_the_first_epoch_is_over_with_its_last_step_at_the_end_of_the_input(
    last: int, whole: bool
) -> None:
    lines = [Iteration(_at(step), 0, step, 5) for step in range(1, last + 1)]
    assert _run([*lines, EndOfInput(_at(9))]).epochs[0].complete == whole


@pytest.mark.parametrize(("first_lines", "labels"), [(0, [1]), (1, [0, 1]), (2, [0])])
def test_a_last_epoch_that_is_only_named_is_none_after_one_of_more_lines(
    first_lines: int, labels: list[int]
) -> None:
    """An only epoch stays, and so does one of two of which each has a line."""
    lines = [Iteration(_at(n), 0, None, loss=0.5) for n in range(1, first_lines + 1)]
    run = _run([*lines, Iteration(_at(7), 1, None), EndOfInput(_at(9))])
    assert [*run.epochs] == labels


@pytest.mark.parametrize(
    ("read", "kept"),
    [((1, 0), [0, 1]), ((2, 1), [1, 2]), ((2, 0), [0]), ((3, 1), [1]), ((1, 2, 0), [0])],
)
def test_a_label_two_below_the_current_and_below_all_begins_another_training(
    read: tuple[int, ...], kept: list[int]
) -> None:
    lines = [Iteration(_at(n), label, None) for n, label in enumerate(read, 1)]
    assert sorted(_run([*lines, EndOfInput(_at(9))]).epochs) == kept


@pytest.mark.parametrize(("further", "ends"), [(1, False), (2, True)])
def test_a_sentence_after_two_further_epochs_ends_the_run(further: int, ends: bool) -> None:
    """One after each epoch ends none."""
    begin: list[Event] = [Iteration(_at(1), 0, 1, 1), RunEnd(_at(2), sentence=True)]
    lines = [Iteration(_at(2 + n), n, 0, 1) for n in range(1, further + 1)]
    run = _run([*begin, *lines, RunEnd(_at(8), sentence=True), EndOfInput(_at(9))])
    assert (run.end is not None) == ends


def test_two_hundred_problems_are_stored_and_one_of_each_kind() -> None:
    run = _run([Problem(_at(n), "nan_loss", "nan") for n in range(1, 200)])
    run.apply(Problem(_at(200), "nan_loss", "the last"))
    run.apply(Problem(_at(201), "nan_loss", "one too many"))
    run.apply(Problem(_at(202), "oom", "of another kind"))
    assert [problem.text for problem in run.problems.stored[198:]] == [
        *("nan", "the last", "of another kind")
    ]
    assert run.problems.counts == {"nan_loss": 201, "oom": 1}


def _stable(*trainings: Sequence[int | None]) -> list[int]:
    """Progress lines of each stable window of a run whose steps begin again so often."""
    windows, steps = IterationWindows(), [step for steps in trainings for step in steps]
    for n, step in enumerate(steps, 1):
        windows.add(Iteration(_at(n), None, step))
    return [window.records for window in windows.stable()]


def test_steps_that_begin_again_in_more_than_every_fourth_window_are_of_epochs() -> None:
    """Twelve windows of a line each: three falls are four trainings, four falls are epochs."""
    assert _stable(*[(10, 20, 30)] * 4) == [2]
    assert _stable((10, 20, 30), (10, 20, 30), (10, 30), (10, 30), (10, 30)) == [5]


@pytest.mark.parametrize(("first", "lines"), [(15, 5), (14, 6)])
def test_steps_begin_again_below_half_of_the_step_before(first: int, lines: int) -> None:
    assert _stable(range(5, 31, 5), range(first, first + 7)) == [lines]


def test_steps_begin_again_after_a_line_without_a_step() -> None:
    assert _stable((*range(5, 31, 5), None), range(14, 21)) == [6]


@pytest.mark.parametrize(("second", "first"), [(30, 60), (29, 45)])
def test_steps_begin_again_inside_a_window_below_half_of_its_first_step(
    second: int, first: int
) -> None:
    """Of twelve windows of two lines, the seventh is of steps 60 and 30, or 60 and 29."""
    windows, steps = IterationWindows(), [*range(4, 50, 4), 60, second, *range(35, 81, 5)]
    for n, step in enumerate(steps, 1):
        windows.add(Iteration(_at(n), None, step))
    assert windows.stable()[0].first_step == first


@pytest.mark.parametrize(("lines", "windows"), [(11, [5]), (23, [])])
def test_a_line_alone_need_not_have_a_figure_of_its_own(lines: int, windows: list[int]) -> None:
    """Five windows of a line are one window, of whose clock and steps a speed may be."""
    found = IterationWindows()
    for n in range(1, lines + 1):
        found.add(Iteration(_at(n), None, n))
    assert [window.records for window in found.stable(lambda _: False)] == windows


@pytest.mark.parametrize(("ended", "evaluations", "epochs"), [(1, 2, 2), (2, 2, 2), (2, 3, 3)])
def test_two_epochs_that_ended_show_what_an_epoch_lacks(
    ended: int, evaluations: int, epochs: int
) -> None:
    """Each has three evaluations, and only the last one is after all of its steps."""
    events: list[Event] = []
    for epoch in range(ended + 1):
        count = 3 if epoch < ended else evaluations
        for n in range(count):
            events += [Iteration(_at(len(events)), epoch, n)]
            events += [Evaluation(_at(len(events)), (Metric("acc1", 0.5),), epoch)]
        if epoch < ended:
            events.append(EpochEnd(_at(len(events)), epoch))
    run = _run([*events, EndOfInput(_at(len(events)))])
    assert len(run.completed()) == epochs


@pytest.mark.parametrize(("last", "epochs"), [(8, 2), (9, 3)])
def test_a_closing_line_cuts_an_epoch_that_the_log_does_not_end(last: int, epochs: int) -> None:
    events: list[Event] = []
    for epoch, steps in ((0, 9), (1, 9), (2, last)):
        events += [Iteration(_at(len(events) + n), epoch, n, 9) for n in range(1, steps + 1)]
        if epoch < 2:
            events.append(EpochEnd(_at(len(events)), epoch))
    run = _run([*events, RunEnd(_at(90)), EndOfInput(_at(91))])
    assert len(run.completed()) == epochs


@pytest.mark.parametrize(("evaluations", "epochs"), [(2, 2), (3, 3)])
def test_evaluations_of_any_earlier_epoch_show_how_many_an_epoch_has(
    evaluations: int, epochs: int
) -> None:
    """The epoch before the last one was left at its beginning, and has none."""
    events: list[Event] = []
    for epoch, count in enumerate((3, 0, evaluations)):
        events.append(Iteration(_at(len(events)), epoch, 0))
        for _ in range(count):
            events.append(Evaluation(_at(len(events)), (Metric("acc1", 0.5),), epoch))
        if epoch < 2:
            events.append(EpochEnd(_at(len(events)), epoch))
    run = _run([*events, EndOfInput(_at(len(events)))])
    assert len(run.completed()) == epochs


@pytest.mark.parametrize(
    ("last", "evaluations", "epochs"), [(7, 7, 1), (8, 8, 2), (7, 1, 2), (7, 9, 2)]
)
def test_an_epoch_with_evaluations_inside_is_over_at_the_last_step_of_the_one_before(
    last: int, evaluations: int, epochs: int
) -> None:
    """The first one has nine steps, and an evaluation at each."""
    events: list[Event] = []
    for epoch, steps, count in ((0, 9, 9), (1, last, evaluations)):
        for step in range(1, steps + 1):
            events.append(Iteration(_at(len(events)), epoch, step))
            if step > steps - count:
                events.append(Evaluation(_at(len(events)), (Metric("acc1", 0.5),), epoch))
        for _ in range(count - steps):
            events.append(Evaluation(_at(len(events)), (Metric("acc1", 0.5),), epoch))
    run = _run([*events, EndOfInput(_at(len(events)))])
    assert len(run.completed()) == epochs


def test_the_last_of_very_many_epochs_is_over() -> None:
    """Earlier ones are rows of numbers."""
    events: list[Event] = []
    for epoch in range(3000):
        events.append(Iteration(_at(len(events)), epoch, 1))
        events.append(Evaluation(_at(len(events)), (Metric("acc1", 0.5),), epoch))
    assert len(_run([*events, EndOfInput(_at(len(events)))]).completed()) == 3000
