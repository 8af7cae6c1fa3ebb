"""neuraloperator: an epoch's time, and the samples of an epoch in the header."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation
from tests.support.logs import detected, only, read, scored

HEADER = "Training on 320 samples\nTesting on [80] samples         on resolutions [16].\n"


def log(epochs: int, every: int = 1) -> str:
    out = HEADER
    for epoch in range(0, epochs, every):
        out += f"[{epoch}] time=2.50, avg_loss=0.{90 - epoch}, train_err=14.{90 - epoch}\n"
        out += f"Eval: 16_h1=0.{80 - epoch}, 16_l2=0.{70 - epoch}\n"
    return out


def test_an_epoch_has_its_time_and_its_evaluation() -> None:
    text = log(12)
    assert detected(text) == "neuraloperator"
    events = read(text, "neuraloperator")
    first = only(events, EpochEnd)[0]
    assert (first.epoch, first.train_time) == (0, 2.5)
    assert {m.name: m.value for m in first.values} == {"loss": 0.9, "train_err": 14.9}
    last = only(events, Evaluation)[-1]
    assert (last.epoch, [(m.name, m.value) for m in last.metrics]) == (
        11,
        [("16_h1", 0.69), ("16_l2", 0.59)],
    )
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"], speed["window"]) == (128, "samples/s", [6, 7, 8, 9, 10])
    assert scored(text)["run"]["epochs"] == 12


@pytest.mark.parametrize("every", [2, 5])
def test_epochs_without_a_line_are_not_read(every: int) -> None:
    labels = [e.epoch for e in only(read(log(11, every), "neuraloperator"), EpochEnd)]
    assert labels == list(range(0, 11, every))


def test_an_evaluation_before_any_epoch_is_of_none() -> None:
    text = HEADER + "Eval: 16_h1=0.9\nEval: nothing\n"
    assert only(read(text, "neuraloperator"), Evaluation) == []


def test_version_0_3_has_the_evaluation_in_the_line_of_the_epoch() -> None:
    rows = (
        f"[{e}] time=3.40, avg_loss=0.4461, train_err=0.2479, 16_h1=0.2{e}74, 16_l2=0.1{e}, "
        "avg_lasso=0.01000\n"
        for e in range(9)
    )
    text = HEADER + "".join(rows)
    assert detected(text) == "neuraloperator"
    last = only(read(text, "neuraloperator"), Evaluation)[-1]
    assert (last.epoch, [(m.name, m.value) for m in last.metrics]) == (
        8,
        [("16_h1", 0.2874), ("16_l2", 0.18)],
    )
