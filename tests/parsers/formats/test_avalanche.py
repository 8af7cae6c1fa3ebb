"""Avalanche: experiences trained one after the other, with and without bars."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation, Iteration
from tests.support.logs import detected, only, read, scored

TESTED = (
    "\tLoss_Stream/eval_phase/test_stream/{task} = 0.52{n}\n"
    "\tTop1_Acc_Stream/eval_phase/test_stream/{task} = 0.7{n}\n"
)


def bar(step: int, rate: float = 8.0) -> str:
    bar = f" {5 * step}%|████      | {step}/20 [00:0{int(step / rate)}<00:09, {rate:5.2f}it/s]\r"
    return 2 * bar  # each is drawn again


def log(experiences: int, epochs: int, *, bars: bool = False, tasks: int = 1) -> str:
    out = ""
    for experience in range(experiences):
        out += "-- >> Start of training phase << --\n"
        if not bars:
            out += (
                f"-- Starting training on experience {experience} (Task 0) from train stream --\n"
            )
        for epoch in range(epochs):
            if bars:
                out += "0it [00:00, ?it/s]\r" + "".join(bar(step) for step in (5, 10, 20)) + "\n"
            out += f"Epoch {epoch} ended.\n"
            out += f"\tLoss_Epoch/train_phase/train_stream/Task000 = 0.{9 - epoch}5\n"
            out += f"\tTop1_Acc_Epoch/train_phase/train_stream/Task000 = 0.5{epoch}\n"
        out += "-- >> End of training phase << --\n-- >> Start of eval phase << --\n"
        out += "-- Starting eval on experience 0 (Task 0) from test stream --\n"
        out += "".join(bar(step, 40.0) for step in (5, 20)) + "\n" if bars else ""
        out += "> Eval on experience 0 (Task 0) from test stream ended.\n"
        out += "\tTop1_Acc_Exp/eval_phase/test_stream/Task000/Exp000 = 0.1\n"
        out += "-- >> End of eval phase << --\n"
        for task in range(tasks):
            out += TESTED.format(task=f"Task00{task}", n=experience + task)
    return out


def test_epochs_are_counted_on_over_the_experiences() -> None:
    text = log(2, 3)
    assert detected(text) == "avalanche"
    ends = [e for e in only(read(text, "avalanche"), EpochEnd) if e.values]
    figures = [(e.epoch, e.values[0].name, e.values[0].value) for e in ends]
    assert figures[0] == (0, "loss", 0.95)
    assert figures[-1] == (5, "acc1", 0.52)
    card = scored(text)
    assert card["run"]["epochs"] == 6
    assert card["dimensions"]["speed"]["value"] is None
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["epoch"]) == ("acc1", 0.71, 5)


def test_the_training_s_bars_give_the_speed() -> None:
    """20 steps at 8 a second; those of the evaluations are faster, and count nothing."""
    text = log(3, 4, bars=True)
    assert detected(text) == "avalanche"
    steps = only(read(text, "avalanche"), Iteration)
    assert [(i.epoch, i.step) for i in steps] == [(e, s) for e in range(12) for s in (5, 10, 20)]
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"], speed["window"]) == (8, "it/s", [6, 7, 8, 9, 10])


@pytest.mark.parametrize(
    ("tasks", "names"), [(1, ["acc1"]), (2, ["task000/top1_acc", "task001/top1_acc"])]
)
def test_an_evaluation_has_the_figures_of_a_stream(tasks: int, names: list[str]) -> None:
    text = log(1, 2, tasks=tasks)
    (found,) = only(read(text, "avalanche"), Evaluation)
    figures = {m.name: (m.value, m.unit) for m in found.metrics if "loss" not in m.name}
    assert (found.epoch, found.data) == (1, "test")
    assert figures == {name: (0.7 + n / 100, "fraction") for n, name in enumerate(names)}
    assert scored(text)["dimensions"]["accuracy"]["metric"] == names[0]


def test_a_timed_epoch_and_a_stream_that_was_trained_on() -> None:
    text = log(1, 2) + "\tTime_Epoch/train_phase/train_stream/Task000 = 2.5\n"
    assert only(read(text, "avalanche"), EpochEnd)[-1].train_time == 2.5
    trained = log(1, 2).replace("test_stream", "train_stream")
    assert only(read(trained, "avalanche"), Evaluation) == []


def test_a_training_is_not_over_after_its_first_experience() -> None:
    said = "-- >> End of training phase << --\n"
    text = log(3, 4, bars=True).replace(said, said + "Training completed\n")
    assert scored(text)["status"] == "incomplete"
