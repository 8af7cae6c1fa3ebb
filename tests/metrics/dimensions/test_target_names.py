"""Targets in the log's own words."""

from __future__ import annotations

import pytest

from sixdim.metrics.values.convergence import own_name, parse_target
from tests.support.inputs.torchvision_log import epoch, read


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("val.top1", ("loss", "acc1"), "acc1"),
        ("test acc", ("acc1", "acc5"), "acc1"),
        ("eval_accuracy", ("accuracy",), "accuracy"),
        ("accuracy", ("val_acc", "val_loss"), "val_acc"),
        ("val_acc", ("val_acc", "test_acc"), "val_acc"),
        ("val.acc", ("val_acc", "test_acc"), "val_acc"),
        ("valid_1's auc", ("valid_1's auc", "valid_1's l2"), "valid_1's auc"),
        # Not one metric alone, or none: the name stays, and the card says what the log has.
        ("acc", ("val_acc", "test_acc"), "acc"),
        ("top5", ("acc1",), "top5"),
        ("map", ("map50",), "map"),
        ("train acc", ("acc1",), "train acc"),
        ("val", ("val_acc",), "val"),
    ],
)
def test_which_metric_a_name_means(name: str, known: tuple[str, ...], meant: str) -> None:
    assert own_name(name, known) == meant


def test_a_run_freezes_by_the_logs_own_name() -> None:
    log = "".join(epoch(i, 100.0 + i, 70.0 + i) for i in range(12))
    card = read(log, target=parse_target("val.top1>=75", "--target"))
    assert (card["status"], card["target"]["epoch"]) == ("converged", 5)
    assert card["target"]["condition"] == "val.top1>=75"
    assert card["dimensions"]["accuracy"]["metric"] == "acc1"
    above = read(log, target=parse_target("val.top1>=81.5", "--target"))
    assert above["status"] == "incomplete"


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan")])
@pytest.mark.parametrize("condition", ["acc1>75.9", "acc1>=75.9", "acc1=75.9", "loss<1", "loss<=1"])
def test_a_value_that_is_no_number_meets_no_target(condition: str, value: float) -> None:
    (one,) = parse_target(condition, "--target").conditions
    assert not one.met(value, higher_is_better=True)
    assert not one.met(value, higher_is_better=False)
