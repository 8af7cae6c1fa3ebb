"""BasicSR: iterations of the whole run, means of their time, figures of a validation."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Evaluation, Iteration
from tests.support.logs import detected, only, read, scored


def test_a_run() -> None:
    text = "".join(
        f"2021-06-20 10:{n:02d}:00,123 INFO: [EDSR_..][epoch: {n // 4:3d}, iter: {500 * n:7,}, "
        "lr:(1.000e-04,)] [eta: 2 days, 10:00:00, time (data): 0.250 (0.003)] l_pix: 1.23e-02 \n"
        f"2021-06-20 10:{n:02d}:30,123 INFO: Validation Set5\n"
        f"\t # psnr: 31.{10 + n}00\tBest: 31.5000 @ 1000 iter\n"
        f"\t # ssim: 0.{80 + n}00\tBest: 0.9500 @ 1000 iter\n\n"
        for n in range(1, 9)
    )
    text += "2021-06-20 11:00:00,123 INFO: End of training. Time consumed: 1:00:00\n"
    assert detected(text) == "basicsr"
    found = only(read(text, "basicsr"), Evaluation)
    assert [(e.step, e.metrics[0].name) for e in found][:3] == [
        (500, "psnr"),
        (500, "ssim"),
        (1000, "psnr"),
    ]
    card = scored(text)
    assert card["status"] == "finished"
    assert card["dimensions"]["speed"]["value"] == pytest.approx(4)
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("psnr", 31.18, 31.18)


@pytest.mark.parametrize(
    "head", ["[{}, lr:(2.000e-04,)] l_pix: 1e-02", "<{}, lr:2.0e-04> G_loss: 1e-2"]
)
def test_a_run_of_its_forerunners(head: str) -> None:
    text = "".join(
        f"21-06-20 10:{n:02d}:00.123 - INFO: "
        + head.format(f"epoch: {n // 4:2d}, iter: {120 * n:7,}")
        + f" \n21-06-20 10:{n:02d}:30.123 - INFO: # Validation # PSNR: 3.{n:02d}00e+01\n"
        for n in range(1, 22)
    )
    assert detected(text) == "basicsr"
    assert [e.step for e in only(read(text, "basicsr"), Iteration)] == [
        120 * n for n in range(1, 22)
    ]
    card = scored(text)
    assert card["run_end"]["run_time_s"] == 20 * 60 + 30
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("psnr", 32.1, 32.1)
