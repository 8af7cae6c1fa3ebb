"""OpenPCDet: lines of training, the bars of older versions, and evaluations after the training."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Evaluation, Iteration
from tests.support.logs import detected, only, read, scored

_STARS = "*" * 22


def trained(epoch: int, step: int, mean: float, second: int) -> str:
    clock = f"2024-08-16 15:{epoch:02}:{second:02},313"
    return (
        f"{clock}   INFO  Train:    {epoch}/3 ( {33 * epoch}%) [ {step:3}/40 ( {5 * step // 2}%)]  "
        f"Loss: 1829. (1.83e+03)  LR: 3.333e-05  Time cost: 00:19/10:43:33 [01:44/214:31:19]  "
        f"Acc_iter {40 * epoch - 39 + step}           Data time: 2.93(2.93)  "
        f"Forward time: 0.79(0.81)  Batch time: 0.72({mean})  \n"
    )


HEADER = (
    "2024-08-16 15:00:31,519   INFO  Training in distributed mode : total_batch_size: 16\n"
    "2024-08-16 15:00:31,519   INFO  batch_size       2\n"
    f"2024-08-16 15:00:57,941   INFO  {_STARS}Start training kitti_models/pointpillar(default){_STARS}\n"
)
EPOCHS = "".join(
    trained(epoch, step, mean, second)
    for epoch, last in ((1, 0.5), (2, 0.25), (3, 0.4))
    for step, mean, second in ((0, 2.0, 5), (20, 0.75, 20), (39, last, 40))
)
END = f"2024-08-16 15:04:00,153   INFO  {_STARS}End training kitti_models/pointpillar(default){_STARS}\n"
OVER = f"2024-08-16 15:09:00,153   INFO  {_STARS}End evaluation kitti_models/pointpillar(default){_STARS}\n"


def evaluated(epoch: int, figures: str) -> str:
    stars = "*" * 15
    return (
        f"2024-08-16 15:05:00,000   INFO  {stars} EPOCH {epoch} EVALUATION {stars}**\n"
        f"{figures}2024-08-16 15:06:00,000   INFO  {stars}*Evaluation done.{stars}**\n"
    )


def test_the_mean_of_each_epoch_and_the_evaluation_of_the_last() -> None:
    """The epochs evaluated after the training are the last ones; the latest is the result."""
    nuscenes = evaluated(2, "mAP:\t 0.3924\nNDS:\t 0.4890\n") + evaluated(
        3, "mAP:\t 0.3865\nNDS:\t 0.4893\n"
    )
    assert detected(HEADER + EPOCHS) == "openpcdet"
    card = scored(HEADER + EPOCHS + END + nuscenes + OVER)
    assert (card["status"], card["run"]["epochs"], card["run"]["global_batch"]) == (
        "finished",
        3,
        16,
    )
    speed = card["dimensions"]["speed"]
    # The highest and the lowest of 32, 64 and 40 samples a second are left out.
    assert (speed["value"], speed["unit"]) == (pytest.approx(16 / 0.4), "samples/s")
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["epoch"], accuracy["best"]) == (0.3865, 3, 0.3924)


def test_a_log_that_ends_with_the_training_has_its_last_epoch() -> None:
    assert scored(HEADER + EPOCHS + END)["run"]["epochs"] == 3
    assert scored(HEADER + EPOCHS + trained(4, 0, 2.0, 5))["run"]["epochs"] == 3


def test_a_line_after_a_bar() -> None:
    bar = "train:   0%|          | 0/40 [00:00<?, ?it/s]\x1b[A"
    found = only(read(HEADER + bar + trained(1, 20, 0.75, 20), "openpcdet"), Iteration)
    assert [(e.epoch, e.step, e.mean_duration) for e in found] == [(1, 20, 0.75)]


def test_the_bars_of_older_versions() -> None:
    """The bar of the epochs says how many are over; epochs count from 1, as in the lines."""
    bars = []
    for epoch, pace in enumerate((0.5, 0.25)):
        outer = f"epochs:  {50 * epoch}%|██  | {epoch}/2 [00:{20 * epoch:02}<00:20, 20.00s/it, loss=2.31, lr=0.0003]"
        bars += [outer]
        for step in (0, 10, 40):
            took = int(step * pace)
            text = f"{pace:.2f}s/it" if step else "?it/s"
            bars += [
                f"train: {5 * step // 2}%|██  | {step}/40 [00:{took:02}<00:10,  {text}, total_it={40 * epoch + step}]\x1b[A",
                outer,
            ]
    bars.append("epochs:  100%|████| 2/2 [00:40<00:00, 20.00s/it, loss=1.31, lr=0.0003]")
    card = scored(HEADER.partition("\n")[2] + "\r".join(bars) + "\n")
    assert card["run"]["format"] == "openpcdet"
    assert card["run"]["epochs"] == 2
    speed = card["dimensions"]["speed"]
    assert speed["value"] == pytest.approx((2 + 4) / 2)
    assert speed["unit"] == "it/s"


def test_kittis_moderate_objects_over_40_positions() -> None:
    table = """Car AP@0.70, 0.70, 0.70:
bbox AP:91.1500, 88.5913, 87.5987
3d   AP:86.5702, 75.3829, 71.8974
Car AP_R40@0.70, 0.70, 0.70:
bbox AP:95.8720, 90.4315, 89.2386
3d   AP:86.8974, 75.5490, 73.3063
Car AP_R40@0.70, 0.50, 0.50:
3d   AP:96.3493, 92.2302, 91.0851
"""
    (found,) = only(read(HEADER + evaluated(80, table), "openpcdet"), Evaluation)
    assert [(m.name, m.value, m.unit) for m in found.metrics] == [
        ("Car_3d/moderate_R40", 75.549, "%")
    ]
    assert found.epoch == 80


@pytest.mark.parametrize("made", ["0.6", "MTR"])
def test_the_lines_of_version_0_6_and_of_mtr(made: str) -> None:
    """Their epochs begin at 0; 20 iterations of 0.8 s and 20 of 0.4 s have a mean of 0.6 s."""
    text = HEADER
    for epoch in range(3):
        for step, last, mean in ((0, 0.8, 0.8), (19, 0.8, 0.8), (39, 0.4, 0.6)):
            pace = f"iter_cost={mean:.2f}s, " if made == "MTR" else ""
            times = f"d_time=0.01(0.02), f_time=0.20(0.20), b_time={last:.2f}({mean:.2f}), "
            text += (
                f"2024-08-16 15:0{epoch}:{step},313   INFO  epoch: {epoch}/3, "
                f"acc_iter={40 * epoch + step + 1}, cur_iter={step}/40, batch_size=2, {pace}"
                "time_cost(epoch): 00:10/00:10, time_cost(all): 00:10/01:00, rpn_loss=9.5, "
                f"loss=2.25, {times if made == '0.6' else ''}lr=0.001\n"
            )
    assert detected(text) == "openpcdet"
    records = only(read(text + END, "openpcdet"), Iteration)
    assert [(i.epoch, i.step, i.steps, i.loss) for i in records[-2:]] == [
        (2, 19, 40, 2.25),
        (2, 39, 40, 2.25),
    ]
    card = scored(text + END + OVER)
    assert (card["status"], card["run"]["epochs"], card["run"]["epochs_planned"]) == (
        "finished",
        3,
        3,
    )
    speed = card["dimensions"]["speed"]  # the batch of 16 is in the header
    assert (speed["value"], speed["unit"]) == (pytest.approx(16 / 0.6), "samples/s")


def test_a_mean_of_two_decimals_is_taken_from_the_time_of_the_epoch() -> None:
    """4,000 iterations of 0.054 s take 216 s; 0.05 s would be 20 it/s."""
    line = (
        "2024-08-16 15:{e:02}:00,313   INFO  Train:    {e}/3 ( 33%) [3999/4000 (100%)]  "
        "Loss: 1.8 (1.8)  LR: 3.333e-05  Time cost: 03:36/00:00 [10:48/00:00]  Acc_iter 4000  "
        "Data time: 0.00(0.00)  Forward time: 0.05(0.05)  Batch time: 0.05(0.05)  \n"
    )
    speed = scored("".join(line.format(e=e) for e in (1, 2, 3)))["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(1 / 0.054), "it/s")
