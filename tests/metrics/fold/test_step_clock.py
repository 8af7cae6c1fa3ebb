"""The time that the log's clock shows between the steps of an epoch."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.parsers.events import Iteration, Origin
from tests.support.logs import scored

Lines = Iterable[tuple[float, int | None]]


def epoch_of(lines: Lines, *, at_once: bool) -> Epoch:
    """An epoch of lines, given by the second and the step of each."""
    epoch = Epoch(1, 1)
    read = [
        Iteration(Origin(number, 0, round(1e6 * second)), 1, step, loss=0.5)
        for number, (second, step) in enumerate(lines, 1)
    ]
    for part in [read] if at_once else [[one] for one in read]:
        for line in part:
            epoch.add(line)
    epoch.finish()
    return epoch


STEADY = [(second, 10 * second) for second in range(1, 7)]  # ten iterations a second


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize(
    ("lines", "clocked"),
    [
        (STEADY, (5.0, 50)),
        # What an epoch came to, after its last step.
        ([*STEADY, (60, None)], (5.0, 50)),
        ([*STEADY, (60, None), (90, None)], (5.0, 50)),
        # A line in front of the first step.
        ([(0, None), *STEADY], (5.0, 50)),
        # Other lines between all steps: of training.
        ([line for s, n in STEADY for line in ((s, n), (s + 0.5, None))], (5.0, 50)),
        # A line after which more than training takes the time, of twice the usual time and more.
        ([*STEADY, (6.5, None), (8, 70), (9, 80)], (8.0, 70)),
        ([*STEADY, (6.5, None), (8.001, 70), (9.001, 80)], (6.0, 60)),
        ([*STEADY, (6.5, None), (20, None), (50, 70), (51, 80)], (6.0, 60)),
    ],
)
def test_the_time_counts_between_steps(
    lines: Lines, clocked: tuple[float, int], at_once: bool
) -> None:
    assert epoch_of(lines, at_once=at_once).clocked() == clocked


def test_the_clock_of_steps_that_fell_back_is_left_until_an_evaluation() -> None:
    epoch = epoch_of([], at_once=False)
    epoch.complete = False
    for second, step in ((1, 10), (2, 20)):
        epoch.add(Iteration(Origin(second, 0, 1_000_000 * second), 1, step))
    epoch.forget_clock()
    for second, step in ((3, 10), (4, 20)):
        epoch.add(Iteration(Origin(second, 0, 1_000_000 * second), 1, step))
    assert epoch.clocked() is None
    epoch.evaluated(None)
    for second, step in ((30, 30), (32, 40)):
        epoch.add(Iteration(Origin(second, 0, 1_000_000 * second), 1, step))
    assert epoch.clocked() == (2.0, 10)


def test_the_sentence_after_an_epoch_takes_its_speed_not_away() -> None:
    stamp = "02/14/2022 10:{:02}:{:02} - INFO - "
    lines = []
    for epoch in range(1, 4):
        lines += [
            stamp.format(2 * epoch, 10 * n)
            + f"Epoch: [{epoch}], step: [{100 * n}], lr: 0.00002, batch_loss: 0.0{n}, avg_loss: 0.1"
            for n in range(1, 6)
        ]
        lines.append(
            stamp.format(2 * epoch, 57) + f"** Epoch [{epoch}] done! Training loss: 0.04 **"
        )
    speed = scored("\n".join([*lines, ""]))["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (10.0, "it/s")


def test_windows_of_lines_without_a_step_leave_the_clock_of_the_others() -> None:
    """Every second line has no step: from step 10 at 1 s to step 70 at 7 s."""
    windows = []
    for second in range(1, 9):
        step = 10 * second if second % 2 else None
        window = Epoch(second, second)
        window.add(Iteration(Origin(second, 9 * second, 1_000_000 * second), None, step, loss=1.0))
        windows.append(window)
    first, *others = windows
    for window in others:
        first.absorb(window)
    assert first.step == 70
    assert first.clocked() == (6.0, 60)
