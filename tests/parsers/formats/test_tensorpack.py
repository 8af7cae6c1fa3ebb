"""Tensorpack's lines of an epoch and of its figures."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd
from tests.support.logs import detected, only, read, scored


def training(took: str, *figures: str, first: int = 1) -> str:
    out = ""
    for e in range(first, first + 4):
        at = f"[0119 15:{e:02}:00 @"
        out += f"{at}base.py:273] Start Epoch {e} ...\n"
        out += "100%|####################|400/400[00:16<00:00,25.1it/s]\n"
        out += f"{at}base.py:283] Epoch {e} (global_step {400 * e}) finished, time:{took}\n"
        out += f"{at}misc.py:109] Estimated Time Left: 20 days 23 hours 27 minutes\n"
        out += f"{at}saver.py:82] Model saved to train_log/model-{400 * e}.\n"
        out += "".join(f"{at}monitor.py:474] {one.format(e=e)}\n" for one in figures)
    return out + "[0119 15:09:00 @base.py:289] Training has finished!\n"


SCORES = ("train_error: 0.05", "validation_accuracy: 0.9{e}", "validation_cost: 0.3")


@pytest.mark.parametrize(
    ("took", "seconds"),
    [
        ("16 seconds.", 16),
        ("12.5 seconds.", 12.5),
        ("15.74 sec.", 15.74),
        ("1 minute 40 seconds.", 100),
        ("2 hours 1 second.", 7201),
        ("1 day 1 hour 1 minute 1 second.", 90061),
    ],
)
def test_the_time_of_an_epoch(took: str, seconds: float) -> None:
    text = training(took, *SCORES)
    assert detected(text) == "tensorpack"
    ends = [one for one in only(read(text, "tensorpack"), EpochEnd) if one.train_time]
    assert [(one.epoch, one.train_time) for one in ends] == [(e, seconds) for e in range(1, 5)]
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(400 / seconds), "it/s")


def test_its_evaluation_and_its_end() -> None:
    card = scored(training("16 seconds.", *SCORES))
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["epoch"]) == ("accuracy", 0.94, 4)
    assert (card["status"], card["run"]["epochs"]) == ("finished", 4)
    assert not [one for one in card["warnings"] if one["kind"] == "broken_number"]


def test_the_throughput_that_is_printed() -> None:
    text = training("16 seconds.", "QueueInput/queue_size: 50", "Throughput (samples/sec): 800.5")
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"], speed["scope"]) == (800.5, "samples/s", "job")


def test_the_steps_of_the_first_epoch_of_a_resumed_training_are_unknown() -> None:
    ends = only(read(training("16 seconds.", first=7), "tensorpack"), EpochEnd)
    timed = [one.iteration_time for one in ends if one.train_time]
    assert timed == [None, 0.04, 0.04, 0.04]


def test_the_steps_of_a_training_that_goes_on_from_a_checkpoint_and_counts_epochs_anew() -> None:
    begins = "[0119 15:00:00 @steps.py:127] Start training with global_step=1000\n"
    text = training("16 seconds.")
    for epoch in range(4, 0, -1):
        text = text.replace(f"global_step {400 * epoch}", f"global_step {1000 + 400 * epoch}")
    ends = only(read(begins + text, "tensorpack"), EpochEnd)
    assert [one.iteration_time for one in ends if one.train_time] == [0.04, 0.04, 0.04, 0.04]


def test_a_training_that_a_callback_stops_is_over() -> None:
    text = training("16 seconds.", *SCORES)
    stopped = text.replace("Training has finished!", "Training was stopped by exception .")
    assert scored(stopped)["status"] == "finished"
    assert scored(text.rpartition("[0119")[0])["status"] == "incomplete"
