"""Each limit of what a run's plan and its closing line decide, on both of its sides."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sixdim.metrics.fold.runs.endings import plan_done
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import (
    EndOfInput,
    Evaluation,
    Event,
    Iteration,
    Metric,
    Origin,
    RunEnd,
    RunInfo,
)


def _at(line: int) -> Origin:
    return Origin(line, 90 * line)


def _run(events: Sequence[Event]) -> Run:
    run = Run()
    for event in events:
        run.apply(event)
    return run


def _evaluated(line: int, step: int | None, *names: str) -> Evaluation:
    return Evaluation(_at(line), tuple(Metric(name, 0.5) for name in names), step=step)


@pytest.mark.parametrize(("planned", "done"), [(29, True), (30, False)])
def test_all_steps_are_done_where_the_next_line_would_stand_after_the_last(
    planned: int, done: bool
) -> None:
    lines = [Iteration(_at(n), None, 10 * n) for n in (1, 2)]
    run = _run([RunInfo(_at(0), "steps_planned", planned), *lines, EndOfInput(_at(3))])
    assert plan_done(run, Facts(run, Settings())) == done


@pytest.mark.parametrize(("last", "over"), [(13, False), (14, True)])
def test_an_evaluation_ends_the_first_epoch_where_no_line_has_room_before_the_second(
    last: int, over: bool
) -> None:
    """Of 2 epochs of 20 steps, counted from 0, there is a line every 5 steps."""
    plan = [RunInfo(_at(0), "steps_planned", 40), RunInfo(_at(0), "epochs_planned", 2)]
    lines = [Iteration(_at(n), 1, last - 15 + 5 * n) for n in (1, 2, 3)]
    run = _run([*plan, *lines, _evaluated(4, None, "val_loss")])
    assert run.epochs.complete() == [over]


@pytest.mark.parametrize(
    ("steps", "step", "counts"),
    [((10, 20), 20, False), ((10, 20), 21, True), ((10, 20), None, False), ((-10, 0), None, False)],
)
def test_losses_after_the_closing_line_count_if_they_are_of_later_steps(
    steps: tuple[int, int], step: int | None, counts: bool
) -> None:
    before = [_evaluated(2 + n, at, "val_loss") for n, at in enumerate(steps)]
    run = _run([Iteration(_at(1), None, 0), *before, RunEnd(_at(5)), _evaluated(6, step, "loss")])
    assert len(run.evaluations) == 2 + counts


@pytest.mark.parametrize(
    ("before", "after", "counts"),
    [
        (("val_loss",), ("val_loss",), False),
        (("val_loss",), ("val_loss", "acc"), True),
        (("val_loss", "acc"), ("val_loss", "acc"), False),
    ],
)
def test_the_first_accuracy_after_the_closing_line_counts(
    before: tuple[str, ...], after: tuple[str, ...], counts: bool
) -> None:
    lines: list[Event] = [Iteration(_at(1), None, 0), _evaluated(2, None, *before)]
    run = _run([*lines, RunEnd(_at(5)), _evaluated(6, None, *after)])
    assert len(run.evaluations) == 1 + counts


@pytest.mark.parametrize("fact", ["epochs_planned", "epochs_set"])
@pytest.mark.parametrize(("epochs", "over"), [(1, True), (2, False)])
def test_a_sentence_after_the_first_epoch_ends_a_watched_run_if_no_other_is_planned(
    fact: str, epochs: int, over: bool
) -> None:
    lines: list[Event] = [RunInfo(_at(0), fact, epochs), Iteration(_at(1), 1, 1, 1)]
    run = _run([*lines, RunEnd(_at(2), sentence=True)])
    assert (run.end is not None) == over
