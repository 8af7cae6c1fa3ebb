"""Iterations that evaluate besides stand for themselves alone, printed or not."""

from __future__ import annotations

import pytest

from sixdim.metrics.fold.epochs.windows import Pauses
from sixdim.parsers.events import Iteration, Origin
from tests.support.both_ways import assert_alike
from tests.support.logs import scored

TOKENS = 16_384


def nanogpt(slow: float, *, every: int = 10, at: tuple[int, ...] | None = None) -> str:
    """A log without its evaluations' lines: 0.5 s an iteration, at some steps more.

    Args:
        slow: Seconds of the iterations that evaluate.
        every: Iterations from line to line.
        at: Their steps; by default each 250th.
    """
    lines = [f"tokens per iteration will be: {TOKENS:,}"]
    for step in range(0, 6001, every):
        seconds = slow if (step in at if at is not None else step % 250 == 0) else 0.5
        lines.append(f"iter {step}: loss {9 - step / 1000:.4f}, time {1000 * seconds:.2f}ms")
    return "\n".join(lines) + "\n"


def speed(text: str) -> tuple[float, float | None]:
    figure = scored(text)["dimensions"]["speed"]
    return figure["value"], figure.get("with_evaluations")


def test_nanogpt_without_its_step_lines() -> None:
    """One of 250 iterations takes 35 s: 124.5 + 35 s for 250."""
    found, whole = speed(nanogpt(35.0))
    assert found == pytest.approx(TOKENS / 0.5, rel=1e-9)
    assert whole == pytest.approx(TOKENS * 250 / (249 * 0.5 + 35), rel=0.02)


def test_rates_of_ones_own_loop() -> None:
    lines = [
        f"step {step}/3000 | loss {6 - step / 1000:.4f} | {12_000 if step % 500 else 300} tok/s"
        for step in range(0, 3001, 20)
    ]
    assert speed("\n".join(lines) + "\n")[0] == pytest.approx(12_000)


@pytest.mark.parametrize(("seconds", "left_out"), [(5.0, False), (5.01, True)])
def test_only_more_than_ten_times_the_line_before_is_a_pause(
    seconds: float, left_out: bool
) -> None:
    found, _ = speed(nanogpt(seconds))
    assert (found == pytest.approx(TOKENS / 0.5)) is left_out


@pytest.mark.parametrize(
    ("before", "usual", "evaluates"), [(18, 0.5, True), (19, 0.5, False), (18, 0.0, False)]
)
def test_an_iteration_that_evaluates_follows_others_that_took_some_time(
    before: int, usual: float, evaluates: bool
) -> None:
    """Steps 10 and 20 take 35 s; between the line before and step 20 one step is not printed."""

    def line(step: int, seconds: float) -> Iteration:
        return Iteration(Origin(step, 90 * step), None, step, duration=seconds)

    pauses = Pauses()
    assert not pauses.regular(line(8, 0.5), line(10, 35.0))
    assert pauses.regular(line(before, usual), line(20, 35.0)) is evaluates


def test_slow_iterations_at_no_regular_steps_count_as_the_others() -> None:
    """Of the five windows of 32 lines two have one; trimming drops one of these."""
    irregular = (30, 440, 1010, 2200, 3600, 4010, 4870)
    with_one = TOKENS * 32 / (31 * 0.5 + 35)
    expected = (2 * TOKENS / 0.5 + with_one) / 3
    assert speed(nanogpt(35.0, at=irregular))[0] == pytest.approx(expected)


def test_where_each_iteration_is_printed_a_slow_one_counts() -> None:
    """It stands for no other, and its time passed."""
    found, _ = speed(nanogpt(35.0, every=1))
    assert found == pytest.approx(TOKENS * 250 / (249 * 0.5 + 35), rel=0.03)


def test_columns_give_the_same() -> None:
    assert assert_alike(nanogpt(35.0, every=5).encode(), 6000) > 0
