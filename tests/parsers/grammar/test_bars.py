"""The mean time of an iteration, as a progress bar has it."""

from __future__ import annotations

import math

import pytest

from sixdim.parsers.events import Iteration
from sixdim.parsers.generic.reader import Generic
from sixdim.parsers.grammar.shapes.bars import mean_of_bar
from sixdim.parsers.text.lines import Line


@pytest.mark.parametrize(
    ("step", "elapsed", "printed", "mean"),
    [
        (30, 1.0, 0.05, 0.05),  # 30 in 1 to 2 s: the pace lies between
        (30, 1.0, 0.03, 1 / 30),  # faster than all of them can have been
        (30, 1.0, 0.08, 2 / 30),
        (30, 1.0, 0.2, None),  # more than twice off: the bar did not count from 0
        (5000, 10.0, 0.5, None),
        (0, 3.0, 1.0, None),
        (40, 20.0, math.nan, 0.5),
        (40, 19.0, math.nan, None),  # up to 5 % off, and no pace that says more
    ],
)
def test_a_pace_within_count_and_time(
    step: int, elapsed: float, printed: float, mean: float | None
) -> None:
    assert mean_of_bar(step, elapsed, printed) == mean


@pytest.mark.parametrize(
    ("printed", "mean"),
    [(0.04, 0.04), (0.02, 1 / 39), (0.09, 3 / 39), (math.nan, None)],
)
def test_between_two_drawings_each_time_is_cut(printed: float, mean: float | None) -> None:
    """39 iterations from a drawing at 1 s to one at 3 s took between 1 and 3 s."""
    assert mean_of_bar(39, 2.0, printed, between=True) == mean
    assert mean_of_bar(40, 20.0, math.nan, between=True) == 0.5


@pytest.mark.parametrize(
    ("text", "mean"),
    [
        ("Epoch 1: 100%|###| 30/30 [00:01<00:00, 20.00it/s, loss=0.4]", 0.05),
        ("Epoch 1: 100%|###| 30/30 [00:01<00:00, 20.00batch/s, loss=0.4]", 0.05),
        ("Epoch 1: 50%|##  | 10/20 [01:40<01:40, 10.05s/it, loss=0.4]", 10.05),
        ("Epoch 1: 50%|##  | 10/20 [1:01:40<1:01:40, 370.10s/it, loss=0.4]", 370.1),
        ("Epoch 1: 50%|##  | 10/20 [1:01:40<?, 370.10s/it, loss=0.4]", 370.1),
        ("Epoch 1:   0%|    | 0/30 [00:00<?, ?it/s, loss=0.4]", None),
        ("Epoch 1 step 3/4 [00:01<00:01, 0.5 s/it] loss 0.5", None),
    ],
)
def test_the_bar_in_a_line(text: str, mean: float | None) -> None:
    means = [
        event.mean_duration
        for reader in [Generic()]
        for number in range(1, 8)  # the later ones are read by what was inferred
        for event in reader.read(Line(number, 0, text)) or ()
        if isinstance(event, Iteration)
    ]
    assert means == [None if mean is None else pytest.approx(mean)] * 7
