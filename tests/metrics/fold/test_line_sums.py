"""What progress lines add up to: each counts for the iterations since the one before it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sixdim.metrics.fold.sums.line_sums import LineSums
from tests.support.inputs.generated import totals


def sums(*lines: tuple[int | None, float | None, float | None]) -> LineSums:
    """Of lines as (step, rate, time)."""
    made = LineSums()
    add(made, *lines)
    return made


def add(to: LineSums, *lines: tuple[int | None, float | None, float | None]) -> None:
    for step, rate, time in lines:
        to.buffer.append((step, rate, time))


@pytest.mark.parametrize(
    ("steps", "weights"),
    [
        ((0, 10, 20), (1, 10, 10)),  # the slow iteration 0 counts once
        ((1, 6, 11), (1, 5, 5)),
        ((50, 100, 150), (50, 50, 50)),  # the first line stands for 50, too
        ((5000, 5010, 5020), (10, 10, 10)),  # resumed at 5000: not for 5000
        ((10, 20, 50, 60), (10, 10, 30, 10)),  # lines 30 and 40 are missing
        ((10, 10, 20, 20), (1, 1, 10, 10)),  # a second rank prints each step, too
        ((None, None, None), (1, 1, 1)),
    ],
)
def test_a_line_stands_for_the_iterations_since_the_one_before(
    steps: tuple[int | None, ...], weights: tuple[int, ...]
) -> None:
    times = [2.0 + i for i in range(len(steps))]
    mean = math.fsum(w * t for w, t in zip(weights, times, strict=True)) / sum(weights)
    assert sums(*((s, None, t) for s, t in zip(steps, times, strict=True))).seconds() == mean


def test_rates_without_times_are_a_weighted_harmonic_mean() -> None:
    """60 iterations at 30 and 60 at 60 a second take 3 s: 40 a second, and not 45."""
    assert sums((60, 30.0, None), (120, 60.0, None)).rate() == 40.0


def test_rates_with_times_are_work_over_time() -> None:
    """10 iterations of 2 s with 100 samples and 10 of 1 s with 80 samples: 1800 in 30 s."""
    assert sums((10, 50.0, 2.0), (20, 80.0, 1.0)).rate() == 60.0


def test_a_line_without_a_time_counts_with_the_work_of_the_others() -> None:
    """Twice 10 iterations of 100 samples: in 20 s, and at 25 samples a second in 40 s."""
    assert sums((10, 50.0, 2.0), (20, 25.0, None)).rate() == pytest.approx(2000 / 60, rel=1e-15)


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
def test_what_is_no_positive_number_counts_for_nothing(bad: float) -> None:
    assert sums((10, 8.0, None), (20, bad, None), (30, 8.0, None)).rate() == 8.0
    assert sums((10, None, 0.5), (20, None, bad), (30, None, 0.5)).seconds() == 0.5


def test_the_iteration_of_an_evaluation_is_left_out_and_stated() -> None:
    """Iteration 250 evaluates for 35 s: one of 250, and not one of the 25 lines."""
    made = sums(*((step, None, 0.25) for step in range(10, 250, 10)))
    made.evaluated(250)
    add(made, (250, None, 35.0), (260, None, 0.25))
    assert made.seconds() == 0.25
    assert totals(made) == (250 * 0.25, 250, 35.0, 1, 9)


@pytest.mark.parametrize(("time", "left_out"), [(2.0, 0), (2.1, 50)])
def test_the_line_after_an_evaluation_is_left_out_above_twice_the_time(
    time: float, left_out: int
) -> None:
    """The mean of 50 iterations has the evaluation in it; up to twice the time it is training."""
    made = sums((50, None, 1.0), (100, None, 1.0))
    made.evaluated(None)
    add(made, (150, None, time), (200, None, 1.0))
    assert made.read().evaluations == left_out
    assert made.seconds() == (1.0 if left_out else 250 / 200)


def test_of_several_evaluations_in_one_place_the_first_counts() -> None:
    """The line of steps 101 to 150 is slow: it stands for 50 iterations, and for none of 150."""
    made = sums((50, None, 1.0), (100, None, 1.0))
    made.evaluated(None)
    made.evaluated(150)
    add(made, (150, None, 9.0), (200, None, 1.0))
    assert totals(made) == (150.0, 150, 450.0, 50, 0)


def test_a_first_line_after_an_evaluation_stands_for_as_many_iterations_as_the_next() -> None:
    made = LineSums()
    made.evaluated(None)
    add(made, (100, None, 2.0))
    made.flush(gap=10)
    assert totals(made) == (20.0, 10, 0.0, 0, 0)


def test_of_two_lines_of_the_first_step_each_counts_once() -> None:
    """1 / 8 s and 1 / 2 s for a unit of work: 2 in 0.625 s."""
    assert sums((10, 8.0, None), (10, 2.0, None)).rate() == 3.2


def test_a_slow_line_without_an_evaluation_counts() -> None:
    assert sums((50, None, 1.0), (100, None, 5.0)).seconds() == 3.0


_LINE = st.tuples(
    st.one_of(st.none(), st.integers(0, 400)),
    st.one_of(st.none(), st.floats(1.0, 1e6), st.just(math.nan)),
    st.one_of(st.none(), st.floats(1e-4, 1e4), st.just(0.0)),
    st.sampled_from((0, 0, 0, 1, 2)),
)


@given(st.lists(_LINE, min_size=1, max_size=40), st.sets(st.integers(0, 40)))
def test_looking_in_between_changes_nothing(
    lines: list[tuple[int | None, float | None, float | None, int]], looks: set[int]
) -> None:
    """A live card reads the sums at any moment; the last one is that of a finished read."""
    quiet, watched = LineSums(), LineSums()
    for place, (step, rate, time, evaluation) in enumerate(lines):
        for made in (quiet, watched):
            if evaluation:
                made.evaluated(step if evaluation == 1 else None)
            add(made, (step, rate, time))
        if place in looks:
            watched.rate()
            totals(watched)
    for made in (quiet, watched):
        made.flush(over=True)
    assert totals(watched) == totals(quiet)
    assert watched.rate() == quiet.rate()
    assert watched.gap() == quiet.gap()


@given(
    st.lists(
        st.tuples(
            st.none() | st.integers(0, 40),
            st.none() | st.floats(1.0, 1e3),
            st.none() | st.floats(1e-3, 1.0) | st.sampled_from((9e299, 1e300)),
        ),
        min_size=2,
        max_size=30,
    )
)
def test_lines_that_come_one_by_one_add_up_to_the_same(
    lines: list[tuple[int | None, float | None, float | None]],
) -> None:
    """The first two come together: until then nobody knows what the first stands for."""
    together, apart = sums(*lines), sums(*lines[:2])
    apart.flush()
    for line in lines[2:]:
        add(apart, line)
        apart.flush()
    together.flush()
    assert (apart.weight, apart.step) == (together.weight, together.step)
    assert totals(apart) == totals(together)
    assert apart.rate() == together.rate()
