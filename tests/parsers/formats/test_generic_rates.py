"""Rates that are the mean since the epoch began, and those of the last iterations."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate

import pytest

from sixdim.parsers.events import Iteration
from tests.support.logs import only, read, scored

SECONDS = [1.0, 1.5, 4.0, 1.2, 2.3]
"""Of five iterations each, with 16 samples in one."""


def log(rate: Callable[[int, float], float]) -> str:
    """Ten epochs whose lines say how long the epoch goes on; the rate is a function of a line."""
    lines = []
    for epoch in range(1, 11):
        for at, passed in enumerate(accumulate(SECONDS)):
            lines.append(
                f"epoch {epoch} - iter {5 * at + 5}/25 - loss 0.5 - time (sec): {passed:.2f} - "
                f"samples/sec: {rate(at, passed):.2f} - lr: 0.5"
            )
    return "".join(f"{line}\n" for line in lines)


def test_a_rate_that_is_all_work_over_all_time_is_the_mean_of_the_epoch() -> None:
    speed = scored(log(lambda at, passed: 80 * (at + 1) / passed))["dimensions"]["speed"]
    assert speed["value"] == pytest.approx(25 * 16 / sum(SECONDS), rel=1e-3)
    assert "the log's own mean of the epoch" in speed["derived"]


def test_a_rate_of_the_last_iterations_is_none() -> None:
    text = log(lambda at, _: 80 / SECONDS[at])
    assert {e.mean_throughput for e in only(read(text, "generic"), Iteration)} == {None}


@pytest.mark.parametrize(("factor", "same"), [(1.02, True), (1.04, False)])
def test_the_work_of_an_iteration_is_the_same_but_for_rounding(factor: float, same: bool) -> None:
    text = log(lambda at, passed: (factor if at == 2 else 1) * 80 * (at + 1) / passed)
    third = only(read(text, "generic"), Iteration)[2]
    assert (third.mean_throughput is not None) == same


def test_a_bar_without_words_or_end_counts_no_iterations() -> None:
    before = "0it [00:00, ?it/s]\n800it [00:00, 18273.55it/s]\n"
    text = log(lambda at, passed: 80 * (at + 1) / passed)
    assert [e.epoch for e in only(read(before + text, "generic"), Iteration)][:2] == [1, 1]
