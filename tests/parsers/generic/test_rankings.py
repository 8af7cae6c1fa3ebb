"""Metrics of ranked results: an overlap in their name is no figure, and no training computes them."""

from __future__ import annotations

import pytest

from tests.support.logs import scored
from tests.support.loops import figures


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("val mAP@0.5: 0.625", {"map50": 0.625}),
        ("val mAP@.5: 0.625 mAP@.5:.95: 0.375", {"map50": 0.625, "map": 0.375}),
        ("val mAP@0.5:0.95 0.375 mAP@0.5 0.625", {"map": 0.375, "map50": 0.625}),
        ("val mAP50: 0.625, mAP50-95: 0.375", {"map50": 0.625, "map": 0.375}),
        ("val/mAP_0.50:0.95=0.375 val/mAP_0.50=0.625", {"map": 0.375, "map50": 0.625}),
        ("val mAP.5:.95 = 0.375", {"map": 0.375}),
        ("val mAP@IoU=0.5: 0.625", {"map50": 0.625}),
        ("val_map_50: 0.625", {"map50": 0.625}),
        ("val MAP@50: 0.625", {"map@50": 0.625}),  # of the first 50 of a ranking
        ("val map@50: 0.625", {"map@50": 0.625}),
        ("val mAP@[0.5:0.95]: 0.375", {}),
        ("val mAP@[IoU=0.50:0.95]: 0.375", {}),
        ("val mAP (IoU=0.5): 0.625", {}),
        ("val mAP75: 0.5", {}),
        ("val Dice 0.75 (IoU=0.5)", {"dice": 0.75, "iou": 0.5}),
    ],
)
def test_an_overlap_belongs_to_the_name(line: str, expected: dict[str, float]) -> None:
    lines = [f"Epoch {epoch} train loss: 0.{epoch}\n{line}" for epoch in (1, 2, 3)]
    tested = figures("\n".join(lines).split("\n")).get("tested", [])
    assert tested == [(epoch, expected) for epoch in (1, 2, 3) if expected]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("loss 0.5 HR@10 0.625 NDCG@10 0.375", {"hr@10": 0.625, "ndcg@10": 0.375}),
        ("| mAP@0.5: 0.625, loss: 0.5", {"map50": 0.625}),
        ("loss 0.5 mAP 0.625 accuracy 0.75", {"map": 0.625}),
        ("loss 0.5 mAP 0.625 val loss 0.75 val mAP 0.5", {"loss": 0.75, "map": 0.5}),
        ("train: loss 0.5 mAP 0.625", {}),
        ("train loss 0.5 mAP 0.625", {}),
        ("step 3 loss 0.5 mAP 0.625", {}),
        ("loss 0.5 mIoU 0.625", {}),
    ],
)
def test_beside_a_loss_of_the_epoch_they_are_an_evaluations(
    line: str, expected: dict[str, float]
) -> None:
    tested = figures([f"Epoch {epoch} {line}" for epoch in (1, 2, 3)]).get("tested", [])
    assert tested == [(epoch, expected) for epoch in (1, 2, 3) if expected]


def test_an_evaluation_before_the_first_epoch_goes_where_that_begins_again() -> None:
    def run(first: float) -> str:
        return "".join(
            f"Epoch {epoch}/9 | mAP@0.5: {first + epoch / 16}, loss: 0.5\n" for epoch in (1, 2, 3)
        )

    text = "Test mAP50: 0.875, mAP50-95: 0.75\n" + run(0.25) + run(0.5)
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("map50", 0.6875, 0.6875)
