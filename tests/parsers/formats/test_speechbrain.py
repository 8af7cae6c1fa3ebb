"""SpeechBrain: figures of epochs and of the tests after them, and the bars of the training."""

from __future__ import annotations

from tests.support.logs import detected, scored

BEGIN = "speechbrain.core - Beginning experiment!\n"
LOGGER = "speechbrain.utils.train_logger - "


def _bar(step: int, elapsed: str, left: str, pace: str, loss: str) -> str:
    return f"{step * 25:3}%|##  | {step}/4 [{elapsed}<{left}, {pace}, train_loss={loss}]\n"


def _epoch(number: int, valid: str) -> str:
    """Four iterations of 2 s, an evaluation of two, and the line with the figures of the epoch."""
    bars = _bar(2, "00:04", "00:04", "2.00s/it", "1.5") + _bar(4, "00:08", "00:00", "2.00s/it", "1")
    tested = "100%|####| 2/2 [00:01<00:00,  2.00it/s]\n"
    head = f"epoch: {number}, lr: 1.00e-03, steps: {4 * number}, optimizer: AdamW"
    return f"{bars}{tested}{LOGGER}{head} - train loss: 1.00 - {valid}\n"


def _valid(per: str) -> str:
    return f"valid loss: 2.5e-01, valid PER: {per}"


GOING = "speechbrain.utils.epoch_loop - Going into epoch {}\n"
TRAINED = (
    BEGIN
    + GOING.format(1)
    + _epoch(1, _valid("31.39"))
    + GOING.format(2)
    + _epoch(2, _valid("29.26"))
    + GOING.format(3)
    + _epoch(3, _valid("30.22"))
)
TESTED = LOGGER + "Epoch loaded: 2 - test loss: 1.24, test PER: 32.31\n"


def test_an_error_rate_of_phonemes_is_the_accuracy_and_the_test_ends_the_run() -> None:
    log = TRAINED + TESTED
    assert detected(log) == "speechbrain"
    card = scored(log)
    accuracy, speed = card["dimensions"]["accuracy"], card["dimensions"]["speed"]
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("per", 30.22, 29.26)
    assert accuracy["lower_is_better"]
    assert (card["status"], card["run"]["epochs"]) == ("finished", 3)
    assert (speed["value"], speed["unit"]) == (0.5, "it/s")


def test_without_a_test_the_end_is_not_known() -> None:
    assert scored(TRAINED)["status"] == "incomplete"


def test_a_log_file_has_a_clock_instead_of_the_bars() -> None:
    clock = "2024-05-01 10:0{}:00,000 - speechbrain.{} - INFO - "
    log = clock.format(0, "core") + "Beginning experiment!\n"
    for number, wer in ((1, "1.01e+02"), (2, "50.5")):
        head = f"epoch: {number} - train loss: 7.47 - valid loss: 5.40, valid WER: {wer}\n"
        log += clock.format(number, "utils.train_logger") + head
    card = scored(log)
    assert card["run"]["format"] == "speechbrain"
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("wer", 50.5, 50.5)


def test_bars_of_an_epoch_that_no_line_has_named_are_not_those_of_the_first() -> None:
    """An experiment that goes on prints the epoch only after its first bars."""
    card = scored(BEGIN + _epoch(19, _valid("3.00")) + _epoch(20, _valid("2.36")) + TESTED)
    assert card["run"]["epochs"] == 2
    assert card["dimensions"]["accuracy"]["epoch"] == 20
