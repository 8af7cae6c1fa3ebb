"""torchtune's bars, whose labels are epoch, step of the run and loss."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation, Iteration
from tests.support.logs import detected, only, read, scored

BAR = "{label}|Loss: {loss}: {share:3}%|███   | {done}/{steps} [00:{time:02}<00:09,  2.00it/s]\r"


def recipe(epochs: int, steps: int, *, checkpoint: str = "") -> str:
    """A run of two steps a second: each step draws its epoch's bar twice."""
    out = f"epochs: {epochs}\n"
    for epoch in range(1, epochs + 1):
        for step in range(1, steps + 1):
            count = (epoch - 1) * steps + step
            share, time = 100 * step // steps, step // 2
            at = {"share": share, "done": step, "steps": steps, "time": time}
            if step > 1:
                out += BAR.format(
                    label=f"{epoch}|{count - 1}", loss=round(9.0 - (count - 1) / 10, 1), **at
                )
            out += BAR.format(label=f"{epoch}|{count}", loss=round(9.0 - count / 10, 1), **at)
        out += checkpoint
        # The bar is closed after the checkpoint, whose time its pace includes.
        closed = BAR.format(
            label=f"{epoch}|{count}", loss=round(9.0 - count / 10, 1), **{**at, "time": 50}
        )
        out += closed.replace("2.00it/s", "1.00s/it") + "\n"
    return out


def test_each_step_is_read_once() -> None:
    text = recipe(2, 4)
    assert detected(text) == "torchtune"
    events = read(text, "torchtune")
    assert [(one.epoch, one.step, one.steps, one.loss) for one in only(events, Iteration)] == [
        (1 + n // 4, 1 + n % 4, 4, round(8.9 - n / 10, 1)) for n in range(8)
    ]
    assert [(end.epoch, end.train_time) for end in only(events, EpochEnd)] == [(1, 2.0), (2, 2.0)]


def test_the_speed_is_without_the_checkpoints() -> None:
    card = scored(recipe(3, 8, checkpoint="Model checkpoint of size 1.00 GiB saved to model.pt\n"))
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(2.0), "it/s")
    assert card["status"] == "finished"
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (3, 3)


def test_a_bar_of_another_program_is_none() -> None:
    assert detected(recipe(2, 8).replace("|Loss: ", " loss ")) != "torchtune"


def test_another_program_s_validation_loss_is_no_sign_of_torchtune() -> None:
    """It is begun a second time, and ends in the middle of the first epoch."""
    begun = "Starting epoch {}/4\n"
    epoch = begun + "Epoch {} train loss: 2.5\nValidation loss: {}\n"
    text = "".join(epoch.format(n, n, 3 - n / 10) for n in range(1, 5)) + begun.format(1)
    assert detected(text) == "generic"
    card = scored(text)
    assert (card["status"], card["run"]["epochs"]) == ("incomplete", 0)
    assert card["dimensions"]["accuracy"]["value"] is None


def test_a_validation_in_the_middle_of_an_epoch() -> None:
    """The bar goes on during the second of the validation: the epoch's 5 s are not of training."""
    text = recipe(2, 8)
    begun, rest = text[: text.index("1|5|")], text[text.index("1|5|") :]
    first, second = rest[: rest.index("2|9|")], rest[rest.index("2|9|") :]
    for time in (2, 3, 4):
        first = first.replace(f"[00:{time:02}<", f"[00:{time + 1:02}<")
    said = "\nINFO:torchtune.utils._logging:Validation loss: 2.3456\n"
    events = read(begun + said + first + said + second, "torchtune")
    found = [(one.epoch, one.step, one.midway) for one in only(events, Evaluation)]
    assert found == [(1, 4, True), (1, 8, False)]
    assert [end.train_time for end in only(events, EpochEnd)] == [None, 4.0]


def test_an_epoch_that_was_resumed_midway_has_no_time() -> None:
    """Thirty of forty steps took the 15 s that the bar shows, and the next epoch 20 s."""
    text = recipe(2, 40)
    text = text[text.index("1|11|") :]
    for time in range(5, 21):
        text = text.replace(f"[00:{time:02}<", f"[00:{time - 5:02}<", 2 * 40)
    opened = " {0:3}%|███   | {1}/40 [00:00<?, ?it/s]\r"
    first, second = text[: text.index("2|41|")], recipe(2, 40)
    second = second[second.index("2|41|") :]
    text = "0|10:" + opened.format(25, 10) + first + "1|40:" + opened.format(0, 0) + second
    times = [end.train_time for end in only(read(text, "torchtune"), EpochEnd)]
    assert times == [None, 20.0]
