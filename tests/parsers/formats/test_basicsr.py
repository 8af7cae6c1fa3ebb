"""BasicSR: iterations of the whole run, means of their time, figures of a validation."""

from __future__ import annotations

from datetime import datetime, timedelta

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


@pytest.mark.parametrize("lines", [6, 10, 22, 23, 60])
@pytest.mark.parametrize("every", [2, 3, 5])
def test_speed_by_the_clock_of_kair_leaves_its_tests_out(every: int, lines: int) -> None:
    # 200 iterations in 100 s are 2 a second; a test takes 65 s
    now, text = datetime(2024, 3, 1, 23, 30), ""
    for n in range(1, lines + 1):
        now += timedelta(seconds=100)
        text += f"{now:%y-%m-%d %H:%M:%S}.000 : <epoch:{n:3d}, iter:{200 * n:8,d}, lr:2.000e-04> "
        text += "G_loss: 1.234e-02 \n"
        if n % every == 0:
            now += timedelta(seconds=65)
            text += f"{now:%y-%m-%d %H:%M:%S}.000 : <epoch:{n:3d}, iter:{200 * n:8,d}, "
            text += "Average PSNR : 31.10dB\n"
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(2.0), "it/s")


@pytest.mark.parametrize(
    "scores",
    [
        "\t # psnr: {p}\n\t # ssim: 0.8{n}00\n",
        "\t # psnr: {p}\t # 000: 20.0000\t # 011: 40.0000\n\t    Best: 31.5000 @ 500 iter\n",
    ],
)
def test_a_validation_without_its_best_value_and_one_of_several_folders(scores: str) -> None:
    text = "".join(
        f"2021-06-20 10:{n:02d}:00,123 INFO: [EDVR_..][epoch: {n:3d}, iter: {500 * n:7,}, "
        "lr:(1.000e-04,)] [eta: 0:10:00, time (data): 0.250 (0.003)] l_pix: 1.23e-02 \n"
        f"2021-06-20 10:{n:02d}:30,123 INFO: Validation REDS4\n"
        + scores.format(n=n, p=f"31.{10 + n}00")
        for n in range(1, 9)
    )
    found = only(read(text, "basicsr"), Evaluation)
    psnr = {e.step: e.metrics[0].value for e in found if e.metrics[0].name == "psnr"}
    assert psnr == pytest.approx({500 * n: 31.1 + n / 100 for n in range(1, 9)})
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("psnr", 31.18)
    # Only lines directly after the heading are those of a validation.
    assert not only(read(text.replace("Validation", "Data set"), "basicsr"), Evaluation)


def test_the_average_of_kair() -> None:
    text = "".join(
        f"22-02-02 10:0{n}:00.123 - INFO: <epoch:  0, iter:     {n}00, lr:2.000e-04> G_loss: 1e-2 \n"
        f"22-02-02 10:0{n}:30.123 - INFO: <epoch:  0, iter:     {n}00, Average PSNR : 31.{n}5dB\n\n"
        for n in range(1, 5)
    )
    found = only(read(text, "basicsr"), Evaluation)
    psnr = {e.step: e.metrics[0].value for e in found}
    assert psnr == pytest.approx({100 * n: 31.05 + n / 10 for n in range(1, 5)})
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("psnr", 31.45)


def test_the_average_of_kairs_video_restoration() -> None:
    text = "".join(
        f"22-02-02 10:0{n}:00.123 : <epoch:  0, iter:     {n}00, lr:2.000e-04> G_loss: 1.5e-02 \n"
        f"22-02-02 10:0{n}:30.123 : <epoch:  0, iter:     {n}00 Average PSNR: 31.{n}5 dB; "
        f"SSIM: 0.9{n}10; PSNR_Y: 33.{n}0 dB; SSIM_Y: 0.9{n}50\n"
        for n in range(1, 5)
    )
    card = scored(text)
    assert card["dimensions"]["accuracy"]["value"] == 31.45
    assert "cut_line" not in {one["kind"] for one in card["warnings"]}
    last = only(read(text, "basicsr"), Evaluation)[-1]
    assert [(m.name, m.value) for m in last.metrics][1:] == [
        ("SSIM", 0.941),
        ("PSNR_Y", 33.4),
        ("SSIM_Y", 0.945),
    ]


def test_a_commented_setting_is_no_score() -> None:
    text = "# MODEL:\n#   WEIGHT: 0.5  # of eight\n#   IMS_PER_BATCH: 8  # for one device\n"
    assert detected(text) != "basicsr"


def test_two_words_of_any_text_are_no_log_of_it() -> None:
    assert not detected("gr adients\nValidation Error\ntoken izer\n" * 3)
