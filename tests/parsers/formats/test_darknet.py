"""Darknet, of AlexeyAB and the original."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Evaluation
from tests.support.logs import detected, facts, only, read, scored


@pytest.mark.parametrize(
    "line",
    [
        " {n}: 3.456700, {avg:.6f} avg loss, 0.001000 rate, {s:.6f} seconds, {im} images, 10.2 hours left\n"
        "Loaded: 0.000041 seconds\n",
        "{n}: 3.456700, {avg:.6f} avg, 0.001000 rate, {s:.6f} seconds, {im} images\n",
    ],
)
def test_a_run(line: str) -> None:
    text = "".join(line.format(n=n, avg=4 / n, s=2.0, im=64 * n) for n in range(1, 23))
    assert detected(text) == "darknet"
    assert facts(read(text, "darknet")) == {"global_batch": 64}
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(32, rel=1e-4), "samples/s")


def test_the_wait_for_a_batch_is_a_part_of_its_time() -> None:
    """64 images in 0.5 s of loading and 1.5 s of training."""
    text = "".join(
        "Loaded: 0.500000 seconds - performance bottleneck on CPU or Disk HDD/SSD\n\n"
        f" {n}: 3.456700, 4.000000 avg loss, 0.001000 rate, 1.500000 seconds, {64 * n} images, "
        "10.2 hours left\n"
        for n in range(1, 23)
    )
    assert scored(text)["dimensions"]["speed"]["value"] == 32


@pytest.mark.parametrize(
    "line",
    [
        " mean average precision (mAP@0.50) = 0.765432, or 76.54 % \n",
        " mean_average_precision (mAP@0.5) = 0.765432 \n",
    ],
)
def test_mean_average_precision(line: str) -> None:
    text = "class_id = 0, name = car, ap = 76.00%   \t (TP = 10, FP = 5) \n" + line
    (evaluation,) = only(read(text, "darknet"), Evaluation)
    assert [(m.name, m.value, m.unit) for m in evaluation.metrics] == [
        ("map50", 0.765432, "fraction")
    ]


def test_its_precision_at_half_an_iou_is_the_accuracy() -> None:
    text = " 1136: 0.687, 0.798 avg loss, 0.0026 rate, 0.59 seconds, 54528 images, 0.1 hours left\n"
    text = text * 3 + " mean_average_precision (mAP@0.5) = 0.403355 \n"
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("map50", 0.403355)


@pytest.mark.parametrize(("left", "rate"), [("", 32), (", 0.1 hours left", None)])
def test_a_classifier(left: str, rate: float | None) -> None:
    """With the hours left, the seconds are processor time, which gives no speed."""
    lines = [
        f"{n}, {n / 4:.3f}: 1.123037, 1.376831 avg, 0.032805 rate, 2.000000 seconds, "
        f"{64 * n} images{left}\nLoaded: 0.000046 seconds\n"
        for n in range(1, 23)
    ]
    shares = "\n".join(f"{n}: top 1: {1 / n:.6f}, top 2: {1.5 / n:.6f}" for n in range(2, 5))
    text = "".join(lines) + f" TOP calculation...\n{shares}\n accuracy top2 = 0.375000 \n"
    assert detected(text) == "darknet"
    assert facts(read(text, "darknet")) == {"global_batch": 64}
    card = scored(text)
    speed, accuracy = card["dimensions"]["speed"], card["dimensions"]["accuracy"]
    assert speed["value"] == (rate and pytest.approx(rate, rel=1e-4))
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("acc1", 0.25, 0.25)
    assert card["status"] == "incomplete"
    assert scored(text + "Saving weights to backup//c_final.weights\n")["status"] == "finished"
