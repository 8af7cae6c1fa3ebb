"""Logs whose lines have the mean since the program began, instead of that since the line before."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sixdim.metrics.fold.sums.since_start import SinceStart
from tests.support.logs import scored


def _speed(text: str) -> dict[str, object]:
    speed: dict[str, object] = scored(text)["dimensions"]["speed"]
    return speed


def _tensorflow(batch: int, seconds: Callable[[int], float], *, first: int = 10) -> str:
    """A log of tf_cnn_benchmarks of 100 steps; `seconds` is the time of each, counted from 1."""
    text = "TensorFlow:  2.3\nModel:       resnet50\nStep\tImg/sec\ttotal_loss\n"
    for step in range(first, 101, 10):
        mean = sum(map(seconds, range(1, step + 1))) / step
        text += f"{step}\timages/sec: {batch / mean:.1f} +/- 0.1 (jitter = 0.2)\t7.5\n"
    return text


def _slow_first_half(step: int) -> float:
    return 2.0 if step <= 50 else 1.0


def test_a_slow_beginning_does_not_count_to_the_end() -> None:
    """All but the first of ten lines: 40 steps of 2 s and 50 of 1 s. Their means are 1.6 s."""
    card = scored(_tensorflow(1000, _slow_first_half))
    speed = card["dimensions"]["speed"]
    assert card["evidence"]["speed"]["lines"] == [4, 13]
    assert speed["value"] == pytest.approx(90_000 / 130, rel=2e-4)
    assert speed["derived"] == "rate between two lines, by the log's means since the start"
    assert speed["reason"] == (
        "the log has no epochs: over 90 iterations, by the means on lines 4 and 13, exact to 0.01 %"
    )


def test_a_log_without_its_head_counts_from_the_first_step_too() -> None:
    """Of seven lines from step 40 on, those after the first: 10 steps of 2 s, 50 of 1 s."""
    text = _tensorflow(1000, _slow_first_half, first=40).partition("total_loss\n")[2]
    assert _speed(text)["value"] == pytest.approx(60_000 / 70, rel=2e-4)


def test_means_of_too_few_digits_count_as_before_and_are_called_so() -> None:
    """Rates of 5.0 to 6.7 are rounded to 1 %: what is between two of them is less certain."""
    speed = _speed(_tensorflow(10, _slow_first_half))
    assert str(speed["derived"]).endswith("weighted by iterations, of means since the start")
    assert speed["value"] == pytest.approx(
        9 / (4 / 5.0 + 1 / 5.5 + 1 / 5.8 + 1 / 6.2 + 1 / 6.4 + 1 / 6.7), rel=0.01
    )


@pytest.mark.parametrize(("iterations", "exact"), [(19_900, False), (20_100, True)])
def test_rounding_may_change_a_speed_by_half_a_percent(iterations: int, *, exact: bool) -> None:
    """Means of 1.00 s of 100 and 1.01 s of n iterations, each 0.005 s off at most.

    The seconds between them are 1.01 n - 100, off by 0.005 (n + 100): half a percent at 20,000.
    """
    window = SinceStart(0)
    window.add(100, None, 1.0, 1)
    following = SinceStart(earlier=window)
    following.add(iterations, None, 1.01, 2)
    passed = following.passed()
    assert (passed is not None) is exact
    if passed is not None:
        assert (passed.iterations, passed.first_line, passed.last_line) == (20_000, 1, 2)
        assert passed.seconds == pytest.approx(1.01 * 20_100 - 100)


@pytest.mark.parametrize("rate", [False, True])
def test_the_first_mean_is_that_of_all_iterations_since_the_start(rate: bool) -> None:
    """Steps 21 to 70: 50 of 1.001 s are 50.05 s, and at 1.001 img/s 49.95 s."""
    window = SinceStart(20)
    window.add(20, None, 1.001, 1)  # none of the iterations that count
    window.add(70, 1.001 if rate else None, None if rate else 1.001, 2)
    passed = window.passed()
    assert passed is not None
    assert (passed.iterations, passed.first_line, passed.last_line) == (50, 0, 2)
    assert passed.seconds == pytest.approx(50 / 1.001 if rate else 50.05, rel=1e-12)
    # Three decimals: each of the 50 may be half a thousandth off.
    assert passed.uncertain == pytest.approx(0.0005 / 1.001, rel=1e-9)


def test_means_of_a_program_that_began_again_add_to_those_before() -> None:
    """50 iterations of 1.001 s, and after a restart at step 50 another 30 of 2.002 s."""
    window = SinceStart(0)
    window.add(50, None, 1.001, 1)
    window.restart(50)
    window.add(80, None, 2.002, 2)
    passed = window.passed()
    assert passed is not None and (passed.iterations, passed.last_line) == (80, 2)
    assert passed.seconds == pytest.approx(50 * 1.001 + 30 * 2.002)


def test_a_step_that_falls_begins_again_at_a_start_that_is_unknown() -> None:
    """50 iterations of 1.001 s; the mean of step 45 may count from any: 50 of 2.002 s follow it."""
    window = SinceStart(20)
    window.add(70, None, 1.001, 1)
    window.add(45, None, 5.0, 2)
    window.add(95, None, 2.002, 3)
    window.add(97, None, None, 4)
    window.add(None, None, 3.0, 5)
    window.add(99, None, 0.0, 6)  # no iteration takes 0 s
    passed = window.passed()
    assert passed is not None and (passed.iterations, passed.last_line) == (100, 3)
    assert passed.seconds == pytest.approx(50 * 1.001 + 50 * 2.002)


def _detectron2(begin: int, end: int, seconds: Callable[[int], float], *, start: str) -> str:
    """One program of detectron2, which trains iterations `begin` to `end` - 1."""
    text, times = start.format(begin=begin), []
    for iteration in range(begin, end):
        if iteration - begin >= 2:
            times.append(seconds(iteration))
        if (iteration + 1) % 20 == 0:
            mean = sum(times) / len(times)
            text += (
                f"[04/01 15:04:20 d2.utils.events]:  eta: 0:39:53  iter: {iteration}  "
                f"total_loss: 2.054  time: {mean:.4f}  last_time: {seconds(iteration):.4f}  "
                "data_time: 1.2356  lr: 0.00039962  max_mem: 2723M\n"
            )
    return text


_START = "[04/01 15:04:00 d2.engine.train_loop]: Starting training from iteration {begin}\n"
_WORLD = "[04/01 15:04:00 detectron2]: Rank of current process: 0. World size: 1\n"


def test_the_latest_times_are_single_iterations_and_the_means_are_of_all() -> None:
    """Every 20th iteration takes a tenth, all others 0.5 s: 19.2 / 40 s for one of 40 lines."""
    text = _detectron2(0, 800, lambda i: 0.02 if i % 20 == 19 else 0.5, start=_START)
    assert _speed(text)["value"] == pytest.approx(20 / (19 * 0.5 + 0.02), rel=1e-3)


@pytest.mark.parametrize("start", [_START, _WORLD])
def test_the_means_of_a_resumed_program_begin_again(start: str) -> None:
    """It is three times as slow from iteration 400 on, and is resumed at 480.

    The windows of two lines 11 to 15 of 22 are iterations 440 to 639.
    """
    text = _detectron2(0, 480, lambda i: 0.2 if i < 400 else 0.6, start=start)
    text += _detectron2(480, 880, lambda _: 0.6, start=start)
    speed = _speed(text)
    assert speed["value"] == pytest.approx(1 / 0.6, rel=2e-3)


def test_a_log_that_begins_later_does_not_show_what_its_means_count_from() -> None:
    """The program may have begun at any iteration, so each mean is taken as that of its lines."""
    lines = _detectron2(0, 1600, lambda i: 0.5 if i < 1000 else 0.25, start="").splitlines()
    early, late = "\n".join(lines[49:]), "\n".join(lines[50:])
    assert _speed(early)["value"] == pytest.approx(4.0, rel=3e-3)
    assert str(_speed(late)["derived"]).startswith("1 / mean iteration time, lines weighted")
