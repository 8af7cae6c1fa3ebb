"""Figures that another figure of the card contradicts are n/a, and the limits of these checks."""

from __future__ import annotations

import pytest

from sixdim.metrics.dimensions.accuracy import accuracy
from sixdim.metrics.fold.runs.log_fold import LogFold
from sixdim.metrics.values.convergence import parse_target
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import EndOfInput, EpochEnd, Evaluation, Iteration, Metric, Origin
from tests.support.inputs.torchvision_log import epoch, kinds
from tests.support.inputs.torchvision_log import read as card_of


@pytest.mark.parametrize(("epochs", "stated"), [(1, 1), (2, 2), (3, None)])
def test_more_epochs_than_planned(epochs: int, stated: int | None) -> None:
    """A log whose lines name three of two epochs counts some under two labels."""
    log = "".join(epoch(label, 90.0, 70.0) for label in range(epochs)) + "Training time 0:00:20\n"
    card = card_of(log, given={"epochs_planned": 2, "samples_per_epoch": 100})
    assert (card["run"]["epochs"], card["run_end"]["epochs"]) == (stated, stated)
    assert card["run"]["epochs_planned"] == 2
    assert ("more_than_planned" in kinds(card)) == (stated is None)
    assert card["end_to_end"]["epochs"] == stated
    assert card["end_to_end"]["value"] == (None if stated is None else 100 * epochs / 20)


@pytest.mark.parametrize(("steps", "stated"), [(1, 0.9), (2, None)])
def test_an_evaluation_before_the_training(steps: int, stated: float | None) -> None:
    """It is of the model that the training began with, and the reason says so.

    A single line after it may be a figure of the whole training.
    """
    fold = LogFold()
    fold.apply(Evaluation(Origin(1, 0), (Metric("acc1", 0.9, "fraction"),)))
    for line in range(2, 2 + steps):
        fold.apply(Iteration(Origin(line, 9 * line), None, line))
    fold.apply(EndOfInput(Origin(9, 90)))
    found = accuracy(fold.chosen())
    assert found.value == stated
    assert ("only before the training" in found.reason) == (stated is None)


@pytest.mark.parametrize(("ended", "warns"), [(2, False), (0, True)])
def test_the_end_of_the_epoch_that_met_the_target_is_no_second_pass(
    ended: int, warns: bool
) -> None:
    """MLPerf's runs evaluate an epoch and then say that it is over; any other epoch is new."""
    fold = LogFold(Settings(target=parse_target("acc1>0.5", "--target")))
    fold.apply(EpochEnd(Origin(1, 0), 0))
    fold.apply(EpochEnd(Origin(2, 9), 1))
    fold.apply(Evaluation(Origin(3, 18), (Metric("acc1", 0.9, "fraction"),), 2))
    fold.apply(EpochEnd(Origin(4, 27), ended))
    assert ("after_freeze" in fold.chosen().problems.counts) == warns
