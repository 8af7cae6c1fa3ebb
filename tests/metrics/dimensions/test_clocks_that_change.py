"""The run time and the speed of logs whose clock changes its kind, leaps or is missing on lines."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from sixdim.metrics.dimensions.times import (
    ENDS_EARLY,
    LEAPT,
    NO_START,
    TIMESTAMPS,
    TWO_KINDS,
    Time,
)
from sixdim.metrics.values.card import Card
from tests.support.inputs.generated import read

BEGIN = datetime(2024, 10, 27, 1, 30)


def dated(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} INFO "


def yearless(at: datetime) -> str:
    return f"{at:%b %d %H:%M:%S} INFO "


def unset(at: datetime) -> str:
    """Of a machine whose clock has not been set yet: a day after its epoch."""
    return f"1970-01-02 {at:%H:%M:%S} INFO "


def missing(at: datetime) -> str:
    return ""


def ten_days_later(at: datetime) -> str:
    return dated(at + timedelta(days=10))


def card(text: str) -> Card:
    return read(text.encode()).card()


def log(
    epochs: int,
    first: Callable[[datetime], str],
    then: Callable[[datetime], str],
    timed: int,
    lines: int = 40,
) -> str:
    """Progress lines of ten steps and 30 s each; those after so many have the other clock."""
    each, out = lines // epochs, []
    for n in range(1, lines + 1):
        epoch, line = divmod(n - 1, each)
        clock = (first if n <= timed else then)(BEGIN + timedelta(seconds=30 * n))
        name = f"epoch {epoch + 1}/{epochs} " if epochs > 1 else ""
        out.append(f"{clock}{name}step {10 * (line + 1)}/{10 * each} loss {1 / n:.3f}\n")
    return "".join(out)


@pytest.mark.parametrize("epochs", [1, 2])
@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        (dated, dated, [Time(1170.0, TIMESTAMPS)]),
        (yearless, dated, [TWO_KINDS]),
        (dated, yearless, [TWO_KINDS, NO_START]),
        (unset, dated, [TWO_KINDS]),
        (dated, ten_days_later, [LEAPT]),
        (dated, missing, [ENDS_EARLY]),
    ],
)
def test_time_between_clocks_that_cannot_be_compared_is_neither_a_run_time_nor_in_a_speed(
    first: Callable[[datetime], str],
    then: Callable[[datetime], str],
    expected: list[Time],
    epochs: int,
) -> None:
    """Ten steps take 30 s, in the epoch in which the clock changes and in the other one."""
    found = card(log(epochs, first, then, 15))
    assert found.run_end is not None
    assert Time(found.run_end["run_time_s"], str(found.run_end["clock"])) in expected
    speed = found.dimensions["speed"].value
    assert speed == pytest.approx(1 / 3) if (epochs, then) != (1, missing) else speed is None


@pytest.mark.parametrize("lines", [40, 400])
@pytest.mark.parametrize(("share", "known"), [(0.05, True), (0.075, False)])
def test_a_twentieth_of_the_progress_lines_may_follow_the_last_clock(
    share: float, known: bool, lines: int
) -> None:
    """Of the lines of one epoch, or of epochs of two lines."""
    timed = lines - round(share * lines)
    end = card(log(1 if lines == 40 else lines // 2, dated, missing, timed, lines)).run_end
    assert end is not None
    assert (end["run_time_s"], end["clock"]) == (
        (30.0 * (timed - 1), TIMESTAMPS) if known else ENDS_EARLY
    )


def test_lines_without_a_clock_between_lines_with_one_leave_the_figures_as_they_are() -> None:
    lines = log(2, dated, dated, 40).splitlines(keepends=True)
    bare = [line.partition("INFO ")[2] if n % 3 else line for n, line in enumerate(lines)]
    found = card("".join(bare))
    assert found.dimensions["speed"].value == pytest.approx(1 / 3)
    assert found.run_end is not None
    assert (found.run_end["run_time_s"], found.run_end["clock"]) == (1170.0, TIMESTAMPS)
