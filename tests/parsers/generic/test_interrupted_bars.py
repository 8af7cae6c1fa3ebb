"""Evaluations inside an epoch: its bar goes on after them, with their time in its own."""

from __future__ import annotations

import pytest

from tests.support.logs import scored

EACH, EVALUATION = 0.5, 60.0  # seconds


def drawn(epoch: int, step: int, steps: int, seconds: float, pace: str) -> str:
    clock = f"{int(seconds) // 60:02}:{int(seconds) % 60:02}"
    return (
        f"\rEpoch {epoch}/3: {100 * step // steps:3}%|###   | {step}/{steps} [{clock}<00:09, {pace}"
        ", loss=0.5]"
    )


RESULTS = "Validation - loss: 0.6, accuracy: 0.7{step}"
BARS = "Evaluating:   0%|     | 0/5 [00:00<?, ?it/s]\rEvaluating: 100%|#####| 5/5 [01:00<00:00, 12.00s/it]"


def log(steps: int, evaluated: list[int], *, again: bool = False, evaluation: str = RESULTS) -> str:
    """Three epochs; with `again` the bar is drawn once more directly after an evaluation."""
    text = ""
    for epoch in range(1, 4):
        seconds, pace = 0.0, "2.00it/s"
        for step in range(10, steps + 1, 10):
            seconds += 10 * EACH
            text += drawn(epoch, step, steps, seconds, pace)
            if step in evaluated:
                text += f"\n{evaluation.format(step=step)}\n"
                seconds, pace = seconds + EVALUATION, "1.03s/it"
                text += drawn(epoch, step, steps, seconds, "2.00it/s") if again else ""
        text += f"\nEpoch {epoch}: train_loss=0.5, val_acc=0.9{epoch}\n"
    return text


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize(
    ("steps", "evaluated"),
    [
        (200, []),
        (200, [100]),  # 190 iterations take 95 s
        (300, [100, 150, 290]),
        (200, [200]),  # the bar is full
        (40, [20]),  # 10 iterations after it are too few to cut the seconds of their drawings
    ],
)
def test_the_speed_of_a_bar_leaves_out_evaluations_inside_its_epoch(
    steps: int, evaluated: list[int], again: bool
) -> None:
    speed = scored(log(steps, evaluated, again=again))["dimensions"]["speed"]
    assert (speed["unit"], speed["value"]) == ("it/s", pytest.approx(1 / EACH))


def test_an_evaluation_that_shows_its_bar_alone() -> None:
    speed = scored(log(200, [100], evaluation=BARS))["dimensions"]["speed"]
    assert (speed["unit"], speed["value"]) == ("it/s", pytest.approx(1 / EACH))


@pytest.mark.parametrize("first", ["Training", ""])
def test_the_pace_of_a_bar_of_the_whole_run_is_not_used_while_it_includes_an_evaluation(
    first: str,
) -> None:
    """tqdm counts the latest iteration with 0.3, so that 20 paces after 60 s are too slow."""
    text, seconds, mean = "", 0.0, EACH
    head = f"{first}: " if first else ""
    for step in range(1, 401):
        took = EACH + (EVALUATION if step % 100 == 1 < step else 0.0)
        seconds, mean = seconds + took, 0.3 * took + 0.7 * mean
        pace = f"{1 / mean:.2f}it/s" if mean < 1 else f"{mean:.2f}s/it"
        clock = f"{int(seconds) // 60:02}:{int(seconds) % 60:02}"
        text += f"\r{head}{step // 4:3}%|###   | {step}/400 [{clock}<00:09, {pace}, loss=0.5]"
        if step % 100 == 0:
            text += f"\nStep {step}: val_loss=0.6 val_acc=0.{step // 10 + 10}\n"
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["unit"], speed["value"]) == ("it/s", pytest.approx(1 / EACH, rel=0.02))


@pytest.mark.parametrize(("steps", "seconds"), [(40, 20.0), (400, 200.0)])
def test_what_passes_before_a_full_bar_is_closed_is_no_training(steps: int, seconds: float) -> None:
    """`with tqdm(…) as bar:` around the training and the validation, which prints nothing."""
    text = ""
    for epoch in range(1, 4):
        for step in range(10, steps + 1, 10):
            text += drawn(epoch, step, steps, step * EACH, "2.00it/s")
        pace = (seconds + EVALUATION) / steps
        text += drawn(epoch, steps, steps, seconds + EVALUATION, f"{pace:.2f}s/it")
        text += f"\nEpoch {epoch}: train_loss=0.5, val_acc=0.9{epoch}\n"
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["unit"], speed["value"]) == ("it/s", pytest.approx(1 / EACH))


@pytest.mark.parametrize("shown", [("", ", val_acc=0.8"), (", val_acc=0.7", ", val_acc=0.8")])
def test_the_time_of_an_evaluation_that_a_full_bar_shows_is_left_out(
    shown: tuple[str, str],
) -> None:
    """Only if the earlier drawings did not show it: else it is that of the epoch before."""
    text, evaluated = "", not shown[0]
    for epoch in range(1, 4):
        for step in range(10, 60, 10):
            drawing = drawn(epoch, step, 60, step * EACH, "2.00it/s")
            text += drawing.replace("loss=0.5", f"loss=0.5{shown[0]}")
        seconds = 60 * EACH + EVALUATION * evaluated
        text += drawn(epoch, 60, 60, seconds, "1.50s/it").replace("loss=0.5", f"loss=0.5{shown[1]}")
        text += "\n"
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["unit"], speed["value"]) == ("it/s", pytest.approx(1 / EACH))


def test_the_pace_of_one_iteration_says_nothing_about_the_paces_after_an_evaluation() -> None:
    """50 iterations in 1.5 s and 4.5 s of evaluation: 2.57, 4.11 and 6.37 a second are of both."""
    drawings = ["1/150 [00:04<10:01,  4.03s/it", "51/150 [00:10<00:38,  2.57it/s"]
    drawings += ["101/150 [00:16<00:11,  4.11it/s", "150/150 [00:23<00:00,  6.37it/s"]
    text = "train:   0%|          | 0/150 [00:00<?, ?it/s]\n"
    for at, one in enumerate(drawings):
        text += f"train:  {25 * at}%|##| {one}, loss=0.{9 - at}]\n"
        text += f"dev_loss 0.9{at}  dev_acc 4{at}.63%\n\n" * (at < 3)
    assert scored(text)["dimensions"]["speed"]["value"] is None
