"""The speed of torchvision's own references, whose `img/s` leaves out the wait for the data.

Each log is a training of 40 iterations an epoch, 4 images each.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.inputs.torchvision_log import read

HEADER = "Not using distributed mode\nNamespace(batch_size=4, epochs=2, model='resnet18')\n"


def _line(epoch: int, step: int, rate: float, time: float, data: str = "  data: 0.3000") -> str:
    return (
        f"Epoch: [{epoch}]  [{step:2}/40]  eta: 0:00:09  lr: 0.1  img/s: {rate}  "
        f"loss: 2.3000 (2.3000)  acc1: 12.5000 (14.0000)  time: {time:.4f}{data}\n"
    )


def _epoch(label: int, total: str, data: str = "  data: 0.3000") -> str:
    lines = ((0, 8.0, 0.8), (20, 60.0, 0.45), (39, 10.0, 0.45))
    text = "".join(_line(label, *figures, data) for figures in lines)
    return text + f"Epoch: [{label}] Total time: {total}\nTest:  Acc@1 15.000 Acc@5 60.000\n"


def _speed(text: str) -> dict[str, Any]:
    speed: dict[str, Any] = read(text + "Training time 0:01:05\n")["dimensions"]["speed"]
    return speed


@pytest.mark.parametrize(
    ("total", "value"),
    [
        ("0:00:20", 8.0),  # 160 images in 20 s
        ("0:00:25", 6.4),
        ("0:00:25 (0.6400 s / it)", 6.25),  # 4 images in 0.64 s
        # Whole seconds of less say too little. The lines come to 0.8 s and 39 times 0.45 s, 18.35 s.
        ("0:00:18", 160 / 18.35),
        ("0:00:17", 160 / 17.75),  # less than 18 s, or they would be 18
        ("0:00:19", 160 / 19),  # 18.5 s at least
    ],
)
def test_the_wait_for_the_data_is_a_part_of_an_iteration(total: str, value: float) -> None:
    """8 img/s in the first iteration, which computed for 0.8 - 0.3 s: a batch of 4."""
    text = _epoch(0, total) + _epoch(1, total)
    assert _speed(text)["value"] == pytest.approx(value)
    assert _speed(text)["unit"] == "img/s"
    assert _speed(text)["scope"] == "unknown"
    assert _speed(HEADER + text)["value"] == pytest.approx(value)


def test_a_batch_that_the_log_states_makes_it_the_speed_of_the_job() -> None:
    text = HEADER.replace("Not using distributed mode", "| distributed init (rank 3): env://")
    speed = _speed(text + _epoch(0, "0:00:25") + _epoch(1, "0:00:25"))
    assert (speed["value"], speed["unit"], speed["scope"]) == (4 * 6.4, "samples/s", "job")


def test_a_run_that_stopped_in_its_first_epoch() -> None:
    text = _epoch(0, "").partition("Epoch: [0] Total")[0]
    assert _speed(text)["value"] == pytest.approx(160 / 18.35)


def test_each_training_of_a_log_has_its_own_batch() -> None:
    doubled = _epoch(0, "0:00:25").replace("img/s: 8.0", "img/s: 16.0")
    first = "Start training\n" + _epoch(0, "0:00:25") + "Training time 0:01:05\n"
    assert _speed(first + "Start training\n" + doubled)["value"] == 12.8


@pytest.mark.parametrize(("time", "value"), [(0.0050, 4.0), (0.0049, 800.0)])
def test_a_batch_is_inferred_where_the_times_are_fine_enough(time: float, value: float) -> None:
    """800 img/s for 5 ms: a batch of 4, and an iteration of 1 s with the wait for the data."""
    text = _line(0, 0, 800.0, time, "  data: 0.0000")
    text += "".join(_line(0, step, 800.0, 1.0) for step in range(1, 40))
    text += "Epoch: [0] Total time: 0:00:40\n"
    assert _speed(text)["value"] == pytest.approx(value)


@pytest.mark.parametrize(("rate", "inferred"), [(8.02, True), (8.06, False)])
def test_a_rate_that_no_whole_batch_gives_is_not_of_that_iteration(
    rate: float, inferred: bool
) -> None:
    """0.5 s at 8.02 img/s are 4.01 images, 0.3 % more than 4; at 8.06 they are 0.7 % more."""
    text = _epoch(0, "0:00:25").replace("img/s: 8.0 ", f"img/s: {rate} ")
    assert ("samples of an iteration" in _speed(text)["derived"]) is inferred


def test_without_the_wait_for_the_data_the_rates_are_all_there_is() -> None:
    text = _epoch(0, "0:00:25", data="")
    assert _speed(text)["derived"].startswith("work / time of the progress lines")


def _short_epoch(label: int, steps: int, total: str) -> str:
    """The first iteration takes 2 s, each other one 0.1 s; `time` is the mean of the last 20."""
    times = [2.0, *[0.1] * (steps - 1)]
    text = ""
    for step in sorted({*range(0, steps, 10), steps - 1}):
        latest = times[max(0, step - 19) : step + 1]
        time = sum(latest) / len(latest)
        text += _line(label, step, 40.0, time, "  data: 0.0000").replace("/40]", f"/{steps}]")
    # 4 images in the 0.1 s of the first iteration without its wait
    text = text.replace("time: 2.0000  data: 0.0000", "time: 2.0000  data: 1.9000", 1)
    return text + f"Epoch: [{label}] Total time: {total}\n"


@pytest.mark.parametrize(
    ("steps", "total", "value"),
    [
        (20, "0:00:03", 4 * 20 / 3.9),  # 2 s and 19 times 0.1 s: all iterations are in that mean
        (21, "0:00:04", 4 * 21 / 4.75),  # 4.0 s: the last mean lacks the first iteration
        (20, "0:00:04", 4 * 20 / 4.75),  # not of the 3.9 s: the mean is another one
    ],
)
def test_the_last_mean_of_few_iterations_is_that_of_the_epoch(
    steps: int, total: str, value: float
) -> None:
    text = "".join(_short_epoch(label, steps, total) for label in range(12))
    speed = _speed(text)
    assert speed["value"] == pytest.approx(value)
    whole = value == pytest.approx(4 * 20 / 3.9)
    assert speed["state"] == ("final" if whole else "short")
    assert speed.get("reason", "").endswith("" if whole else "uncertain by 25 %")


@pytest.mark.parametrize("rate", ["img/s: 40.0  ", ""])
def test_smoothed_times_are_limited_by_the_whole_seconds_of_the_epoch(rate: str) -> None:
    """The lines come to 10 s for an epoch of 5 to 6 s: 30 iterations at 5.2 a second or more."""
    text = "".join(_short_epoch(label, 30, "0:00:05") for label in range(12))
    speed = _speed(text.replace("img/s: 40.0  ", rate))
    assert speed["value"] == pytest.approx((4 if rate else 1) * 30 / 5.75)
    assert speed["state"] == "short"
    assert speed["reason"].endswith("5 s and more: the speed is uncertain by 20 %")


@pytest.mark.parametrize(
    ("steps", "value"),
    [
        ((0,), None),  # 4 s for the first iteration, which starts the workers
        # And 20 of 0.5 s each: 84 images in 14 s.
        ((0, 20), 6.0),
    ],
)
def test_the_first_iteration_alone_is_not_the_speed_of_an_unfinished_epoch(
    steps: tuple[int, ...], value: float | None
) -> None:
    text = "".join(
        f"Epoch: [0]  [{step:3}/900]  eta: 0:09:00  lr: 0.1  loss: 2.3000 (2.3000)  "
        f"time: {0.5 if step else 4.0:.4f}  data: 0.1000\n"
        for step in steps
    )
    speed = read(HEADER + text + "KeyboardInterrupt\n")["dimensions"]["speed"]
    assert speed["value"] == (None if value is None else pytest.approx(value))
