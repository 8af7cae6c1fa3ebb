"""Which progress lines show what an iteration holds, by their rate and the log's clock."""

from __future__ import annotations

import pytest

from sixdim.metrics.fold.checks.clocks import ClockedPairs, Moment


def _samples(first: Moment, second: Moment) -> list[float]:
    pairs = ClockedPairs()
    pairs.add(first, 64.0)
    pairs.add(second, 64.0)
    return [*pairs.samples]


@pytest.mark.parametrize(("step", "samples"), [(9, []), (10, []), (11, [96.0]), (12, [48.0])])
def test_a_pair_has_the_later_step_second(step: int, samples: list[float]) -> None:
    assert _samples((1, 0, 10, 1), (1, 1_500_000, step, 2)) == samples


@pytest.mark.parametrize(
    ("apart_us", "counts"),
    [(20_000, False), (20_001, True), (20_000_000, False), (21_000_000, True)],
)
def test_lines_are_far_enough_apart_for_the_clock(apart_us: int, counts: bool) -> None:
    """A clock that has whole seconds is exact enough after more than 20 of them."""
    assert bool(_samples((1, 0, 10, 1), (1, apart_us, 11, 2))) == counts


def test_lines_of_two_epochs_are_no_pair() -> None:
    assert _samples((1, 0, 10, 1), (2, 1_500_000, 11, 2)) == []


def test_512_lines_are_compared() -> None:
    pairs = ClockedPairs()
    for n in range(512):
        assert pairs.left == 512 - n
        pairs.add((1, n * 100_001, n, n + 1), 64.0)
    assert (pairs.left, len(pairs.samples), pairs.lines) == (0, 511, (1, 512))
