"""Counts of correct samples, which each epoch of a textbook's network prints."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.support.logs import scored

CORRECT = [9129, 9295, 9348, 9339, 9380]


def _card(counts: Sequence[int], said: str = "Epoch {}: {} / 10000") -> dict[str, object]:
    card = scored("".join(said.format(n, count) + "\n" for n, count in enumerate(counts)))
    accuracy = card["dimensions"]["accuracy"]
    return {**accuracy, "epochs": card["run"]["epochs"]}


@pytest.mark.parametrize("said", ["Epoch {}: {} / 10000", "Epoch {} : {} / 10000"])
def test_each_epochs_count_of_correct_samples_is_its_accuracy(said: str) -> None:
    card = _card(CORRECT, said)
    assert (card["value"], card["best"], card["epochs"]) == (0.938, 0.938, 5)
    assert _card(CORRECT[:4], said)["best"] == 0.9348


@pytest.mark.parametrize(
    "counts",
    [CORRECT[:2], [2000, 4000, 6000, 8000, 10000], [1, 2, 3, 4], [9129, 9295, 10348, 9339]],
)
def test_other_counts_of_epochs_are_none(counts: list[int]) -> None:
    assert _card(counts)["value"] is None


def test_counts_that_rise_inside_an_epoch_are_no_result() -> None:
    lines = [f"Epoch {n}: {count} / 10000\n" for n in (0, 1, 2) for count in (640, 5120, 9600)]
    assert scored("".join(lines))["dimensions"]["accuracy"]["value"] is None
