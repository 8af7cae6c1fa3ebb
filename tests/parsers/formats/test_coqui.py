"""Coqui's Trainer: blocks of figures below the line of a step or of an evaluation."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation, Iteration
from tests.support.logs import detected, only, read, scored

HEAD = " > Training Environment:\n | > Current device: 0\n | > Num. of GPUs: 2\n | > Precision: float32\n"
STEP = """
\x1b[1m   --> {time}STEP: {step}/40 -- GLOBAL_STEP: {total}\x1b[0m
     | > {loss}: 0.9{epoch}  (0.8)
     | > current_lr: 0.1
     | > step_time: 0.50  (0.20)
     | > loader_time: 0.10  (0.05)

"""
TESTED = """
\x1b[1m > EVALUATION \x1b[0m

  \x1b[1m--> EVAL PERFORMANCE\x1b[0m
     | > avg_loader_time:\x1b[91m 0.25 \x1b[0m(+0.1)
     | > avg_{loss}:\x1b[92m 0.6{epoch} \x1b[0m(-0.01)

 > BEST MODEL : run/best_model_{total}.pth
"""


def trained(*, loss: str = "loss", time: str = "", middle: str = "", of: int = 4) -> str:
    out = HEAD
    for epoch in range(4):
        out += f"\n\x1b[4m\x1b[1m > EPOCH: {epoch}/{of}\x1b[0m\n --> run\n"
        out += "\n\x1b[1m > TRAINING (2024-05-01 10:00:00) \x1b[0m\n"
        for step in (20, 40):
            total = 40 * epoch + step
            out += STEP.format(epoch=epoch, step=step, total=total, loss=loss, time=time)
        out += middle + TESTED.format(epoch=epoch, total=40 * epoch + 40, loss=loss)
    return out


@pytest.mark.parametrize("time", ["", "TIME: 2024-05-01 10:00:20 -- "])
def test_steps_and_evaluations(time: str) -> None:
    text = trained(time=time)
    assert detected(text) == "coqui"
    card = scored(text)
    run, speed, accuracy = card["run"], card["dimensions"]["speed"], card["dimensions"]["accuracy"]
    assert (run["epochs"], run["epochs_planned"], run["devices"]) == (4, 4, 2)
    # A step takes 0.20 s and waits 0.05 s for its data, on average: 4 steps a second.
    assert (speed["value"], speed["unit"]) == (pytest.approx(4), "it/s")
    assert (accuracy["metric"], accuracy["value"]) == ("loss", 0.63)
    assert not [one for one in card["warnings"] if one["kind"] == "broken_number"]
    first = only(read(text, "coqui"), Iteration)[0]
    assert (first.epoch, first.step, first.steps, first.loss) == (0, 20, 40, 0.9)
    assert first.duration == pytest.approx(0.6)


def test_later_versions_print_the_last_label_instead_of_the_number_of_epochs() -> None:
    text = trained(of=3)
    card = scored(text)
    assert (card["run"]["epochs_planned"], card["run"]["epochs"]) == (4, 4)
    assert card["status"] == "finished"
    assert "more_than_planned" not in {one["kind"] for one in card["warnings"]}
    in_the_last_epoch = scored(text[: text.rindex("STEP: 40/40")])
    assert (in_the_last_epoch["run"]["epochs"], in_the_last_epoch["status"]) == (3, "incomplete")


def test_losses_of_several_optimizers_are_no_result() -> None:
    events = read(trained(loss="loss_1"), "coqui")
    assert not only(events, Evaluation)
    assert {one.name for end in only(events, EpochEnd) for one in end.values} == {"avg_loss_1"}


def test_the_time_of_an_epoch() -> None:
    """Older versions print the time of the training pass in front of the evaluation."""
    line = "\n   --> TRAIN PERFORMACE -- EPOCH TIME: 8.5 sec -- GLOBAL_STEP: 40\n     | > avg_loss: 0.7\n\n"
    ends = only(read(trained(middle=line), "coqui"), EpochEnd)
    assert [(one.epoch, one.train_time) for one in ends] == [(e, 8.5) for e in range(4)]


def test_means_of_the_training_below_the_heading_of_an_evaluation_are_no_result() -> None:
    """With `run_eval` off, the trainer prints the means of the training below that heading."""
    events = read(trained().replace("\x1b[1m > EVALUATION \x1b[0m\n", ""), "coqui")
    assert not only(events, Evaluation)
    assert [end.values[0].value for end in only(events, EpochEnd)] == [0.6, 0.61, 0.62, 0.63]


def test_an_evaluation_inside_an_epoch_is_no_wait_for_data() -> None:
    # 0.25 s a step, until an evaluation of 40 s raises the mean of 40 steps by 1 s.
    late = STEP.replace("loader_time: 0.10  (0.05)", "loader_time: 40.0  (1.05)")
    evaluation = "\n\x1b[1m > EVALUATION \x1b[0m\n\n   --> STEP: 0\n     | > loss: 0.7  (0.7)\n\n"
    out = HEAD
    for epoch in range(2):
        out += f"\n > EPOCH: {epoch}/2\n --> run\n"
        for step, shape, before in ((20, STEP, ""), (40, late, evaluation)):
            total = 40 * epoch + step
            out += before + shape.format(epoch=epoch, step=step, total=total, loss="loss", time="")
        out += TESTED.format(epoch=epoch, total=40 * epoch + 40, loss="loss")
    speed = scored(out)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(4), "it/s")
