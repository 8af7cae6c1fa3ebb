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
        "(epoch: {e}, iters: 100, time: 0.250, data: 0.271) G_GAN: 2.436 G_L1: 54.115 \n",
        "(epoch: {e}, iters: 100, time: 0.250) G_GAN: 2.436 G_L1: 54.115 \n",
        "[Rank 0] (epoch: {e}, iters: 100, time: 0.250, data: 0.271) , G_GAN: 2.436, G_L1: 54.115\n",
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
    line = "(epoch: 1, iters: {n}, time: 0.250, data: 0.271) G_GAN: 2.436 \n"
    lines = "".join(line.format(n=n) for n in (100, 200, 300))
    for text, scope in (
        (lines, Scope.JOB),
        (lines.replace("(epoch", "[Rank 0] (epoch"), Scope.DEVICE),
    ):
        found = only(read(text, "cyclegan"), Iteration)
        assert [(i.throughput, i.scope) for i in found] == [(4.0, scope)] * 3
