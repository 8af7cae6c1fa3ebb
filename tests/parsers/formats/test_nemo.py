"""NeMo: bars and consoles."""

from __future__ import annotations

from tests.support.corpus import text
from tests.support.logs import facts, iterations, scored, scores_by_step


def test_nemo() -> None:
    head = "Training epoch 0, iteration {}/9 | lr: 0.0003 | consumed_samples: 64 | "
    tail = "global_batch_size: 32 | global_step: 1 | reduced_train_loss: {} | "
    timed = "train_step_timing in s: 0.5 | val_loss: 4.106"
    name, events = text(
        head.format(0) + tail.format(11.02).removesuffix(" | "),
        head.format(1) + tail.format(9.5) + timed,
        head.format(2) + tail.format(9.25) + timed,
    )
    assert name == "nemo"
    assert facts(events) == {"global_batch": 32}
    assert [(e.epoch, e.step, e.steps, e.loss, e.duration) for e in iterations(events)] == [
        (0, 0, 10, 11.02, None),
        (0, 1, 10, 9.5, 0.5),
        (0, 2, 10, 9.25, 0.5),
    ]
    assert scores_by_step(events) == [(1, {"loss": 4.106})]


def test_a_validation_in_the_middle_of_an_epoch_does_not_end_it() -> None:
    line = (
        "Training epoch 0, iteration {}/9 | lr: 0.0003 | global_batch_size: 8 | "
        "reduced_train_loss: 9.5 | train_step_timing in s: 0.5 | val_loss: {}\n"
    )
    log = "".join(line.format(step, 4.5) for step in range(3, 7))
    assert scored(log)["run"]["epochs"] == 0
    # The one after the last iteration does.
    whole = scored(log + "".join(line.format(step, 4.0) for step in (9,)))
    assert whole["run"]["epochs"] == 1
    assert whole["dimensions"]["accuracy"]["value"] == 4.0


def test_the_first_mean_lacks_the_time_of_an_iteration() -> None:
    # Ten iterations of 0.5 s: the first line has the sum of nine over ten.
    line = (
        "Training epoch 0, iteration {}/29 | lr: 0.0003 | global_batch_size: 8 | "
        "reduced_train_loss: 9.5 | train_step_timing in s: {}\n"
    )
    log = "".join(line.format(step, time) for step, time in ((9, 0.45), (19, 0.5), (29, 0.5)))
    speed = scored(log)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (16, "samples/s")


def test_no_one_batch_fits_the_times_if_it_grows() -> None:
    """15 iterations of 8 samples take 0.5 s each, 15 of 16 samples 1 s: no batch / mean time."""
    line = (
        "Training epoch 0, iteration {}/29 | lr: 0.0003 | global_batch_size: {} | "
        "reduced_train_loss: 9.5 | train_step_timing in s: {}\n"
    )
    log = "".join(line.format(s, *((8, 0.5) if s < 15 else (16, 1.0))) for s in range(30))
    speed = scored(log)["dimensions"]["speed"]
    assert (speed["unit"], speed["value"]) == ("it/s", 30 / 22.5)
