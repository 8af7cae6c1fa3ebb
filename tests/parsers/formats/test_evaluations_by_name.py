"""Evaluations on lines of a person's own, among the progress lines of a known trainer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from sixdim.metrics.values.card import dumps
from tests.support.inputs.generated import read
from tests.support.logs import scored

OWN = " * Acc@1 {n}.500 Acc@5 90.000"
"""The evaluation that the trainer itself prints."""


def training(*after: str, epochs: int = 4) -> Iterator[str]:
    """Epochs of pytorch/examples' script, each with some lines after it; `n` counts from 60."""
    for epoch in range(epochs):
        for step in range(0, 50, 10):
            yield (
                f"Epoch: [{epoch}][{step:3d}/50]\tTime  0.250 ( 0.260)\tData  0.010 ( 0.012)\t"
                f"Loss {2.5 - epoch / 4:.4e} (2.6000e+00)\tAcc@1  40.00 ( 41.00)"
            )
        yield from (line.format(n=60 + epoch, epoch=epoch) for line in after)


def accuracy(*after: str) -> dict[str, Any]:
    card = scored("".join(f"{line}\n" for line in training(*after)))
    assert card["run"]["format"] == "ptimagenet"
    found: dict[str, Any] = card["dimensions"]["accuracy"]
    return found


@pytest.mark.parametrize(
    ("line", "value", "unit", "metric"),
    [
        ("Validation Accuracy: {n}.25 %", 63.25, "%", "acc1"),
        ("mAP: 0.{n}25", 0.6325, "", "map"),
        ("Test set: Average loss: 0.5012, Accuracy: {n}00/10000 ({n}%)", 63.0, "%", "acc1"),
        ("epoch {epoch} val_acc=0.{n} val_loss=0.3", 0.63, "", "acc1"),
        ("Eval: mIoU 0.{n} pixel acc 0.91", 0.63, "", "miou"),
    ],
)
def test_an_evaluation_that_the_format_does_not_print_is_read_by_its_names(
    line: str, value: float, unit: str, metric: str
) -> None:
    found = accuracy(line)
    assert (found["value"], found.get("unit", ""), found["metric"]) == (value, unit, metric)
    assert (found["epoch"], found["best"], found["model"]) == (3, value, "by name")


@pytest.mark.parametrize("name", ["WER", "CER"])
def test_error_rates_of_words_and_characters_are_read_where_they_stand_alone(name: str) -> None:
    found = accuracy(f"Validation Summary Epoch: [{{epoch}}]\tAverage {name} {{n}}.250")
    assert (found["metric"], found["value"], found["best"]) == (name.lower(), 63.25, 60.25)
    assert found["lower_is_better"] is True


@pytest.mark.parametrize("lines", [(OWN, "Test accuracy: 12.0 %"), ("Test accuracy: 12.0 %", OWN)])
def test_the_evaluations_of_the_format_itself_come_first(lines: tuple[str, ...]) -> None:
    found = accuracy(*lines)
    assert (found["value"], found["best"]) == (63.5, 63.5)
    assert "model" not in found and "other_models" not in found


@pytest.mark.parametrize(
    "line",
    [
        "Accuracy: {n}.25 %",  # of what is not said
        "Train accuracy: {n}.25 %",
        "Test: batch 10/79 accuracy: {n}.25 %",
        "best val acc so far: {n}.25 %",
        "val_acc threshold: {n}",
        "evaluation took {n} s",
        "val loss: 0.{n}",  # no accuracy beside it
    ],
)
def test_what_may_be_something_else_is_not_read(line: str) -> None:
    found = accuracy(line)
    assert (found["value"], found["reason"]) == (None, "no evaluation was read from the log")


def test_a_target_is_met_by_such_an_evaluation() -> None:
    log = "".join(f"{line}\n" for line in training("Validation Accuracy: {n}.25 %"))
    card = json.loads(dumps(read(log.encode(), target="acc1>62").card()))
    assert card["status"] == "converged"
    assert (card["target"]["epoch"], card["target"]["value"]) == (2, 62.25)
