"""CycleGAN and pix2pix, in the words of their versions."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Iteration, Scope
from tests.support.logs import detected, facts, only, read, scored

EPOCH = "End of epoch {e} / 4 \t Time Taken: {seconds} sec\n"


@pytest.mark.parametrize("images", ["The number of training images", "#training images"])
@pytest.mark.parametrize(
    "line",
    [
        "(epoch: {e}, iters: 100, time: 0.250, data: 0.002) G_GAN: 2.436 G_L1: 54.115 \n",
        "(epoch: {e}, iters: 100, time: 0.250) G_GAN: 2.436 G_L1: 54.115 \n",
        "[Rank 0] (epoch: {e}, iters: 100, time: 0.250, data: 0.002) , G_GAN: 2.436, G_L1: 54.115\n",
    ],
)
def test_a_run(line: str, images: str) -> None:
    text = f"{images} = 400\n" + "".join(
        line.format(e=e) + EPOCH.format(e=e, seconds=90 + 10 * e) for e in (1, 2)
    )
    assert detected(text) == "cyclegan"
    events = read(text, "cyclegan")
    assert facts(events) == {"samples_per_epoch": 400, "epochs_planned": 4}
    first = only(events, Iteration)[0]
    assert (first.epoch, first.step, first.throughput) == (1, 100, 4.0)
    assert [(m.name, m.value) for m in first.values] == [("G_GAN", 2.436), ("G_L1", 54.115)]
    speed = scored(text)["dimensions"]["speed"]
    assert speed["values"] == [4.0, pytest.approx(400 / 110)]


def test_the_line_of_a_rank_has_the_speed_of_one_device() -> None:
    line = "(epoch: 1, iters: {n}, time: 0.250, data: 0.002) G_GAN: 2.436 \n"
    lines = "".join(line.format(n=n) for n in (100, 200, 300))
    for text, scope in (
        (lines, Scope.JOB),
        (lines.replace("(epoch", "[Rank 0] (epoch"), Scope.DEVICE),
    ):
        found = only(read(text, "cyclegan"), Iteration)
        assert [(i.throughput, i.scope) for i in found] == [(4.0, scope)] * 3


@pytest.mark.parametrize(("wait", "speed"), [("0.010", 5.0), ("0.011", None)])
def test_a_line_has_no_speed_if_loading_took_more_than_a_twentieth(
    wait: str, speed: float | None
) -> None:
    # `time` leaves out the wait for a batch of unknown size: 0.2 s an image, at most 0.01 s of it.
    line = "(epoch: 1, iters: {n}, time: 0.200, data: {wait}) G_GAN: 2.436 \n"
    text = "".join(line.format(n=n, wait=wait) for n in range(100, 500, 100))
    found = only(read(text, "cyclegan"), Iteration)
    assert [i.throughput for i in found] == [speed] * 4


def test_the_waits_of_all_lines_count_together() -> None:
    # After one wait of 1 s: 0.25 s a line are 20 s, of which it is a twentieth, at line 80.
    line = "(epoch: 1, iters: {n}, time: 0.250, data: {wait}) G_GAN: 2.436 \n"
    text = "".join(line.format(n=n, wait="1.000" if n == 1 else "0.000") for n in range(1, 91))
    found = only(read(text, "cyclegan"), Iteration)
    assert [i.throughput for i in found] == [None] * 79 + [4.0] * 11


def test_the_time_of_an_epoch_includes_the_waits() -> None:
    # 400 images in 100 s, of which 60 s are waits
    line = "(epoch: {e}, iters: {n}, time: 0.100, data: 0.150) G_GAN: 2.436 \n"
    text = "#training images = 400\n" + "".join(
        "".join(line.format(e=e, n=n) for n in (100, 200, 300, 400))
        + EPOCH.format(e=e, seconds=100)
        for e in (1, 2)
    )
    assert scored(text)["dimensions"]["speed"]["values"] == [4.0, 4.0]
