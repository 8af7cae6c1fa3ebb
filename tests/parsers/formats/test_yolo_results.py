"""results.txt of YOLOv7 and early YOLOv5, written with their own format strings."""

from __future__ import annotations

from sixdim.parsers.events import EpochEnd, Evaluation
from tests.support.logs import detected, facts, only, read, scored

TRAINED = (0.07, 0.02, 0.03, 0.12, 100, 640)


def rows(count: int) -> str:
    out = ""
    for epoch in range(count):
        results = (0.5, 0.4, 0.45, 0.3 + epoch / 100, 0.06, 0.02, 0.01)
        out += "%10s" * 2 % (f"{epoch}/299", "10.9G")
        out += "%10.4g" * 6 % TRAINED + "%10.4g" * 7 % results + "\n"
    return out


def test_rows() -> None:
    text = rows(3)
    assert detected(text) == "yolo-results"
    events = read(text, "yolo-results")
    assert facts(events) == {"epochs_planned": 300}
    assert [e.epoch for e in only(events, EpochEnd)] == [0, 1, 2]
    assert [e.metrics[3].value for e in only(events, Evaluation)] == [0.3, 0.31, 0.32]
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["epoch"]) == ("map", 0.32, 2)


def test_rows_without_an_evaluation() -> None:
    """With `--notest` every figure of the evaluation is 0."""
    row = "%10s" * 2 % ("0/299", "10.9G") + "%10.4g" * 13 % (*TRAINED, *(0,) * 7) + "\n"
    events = read(row + rows(2).splitlines(keepends=True)[1], "yolo-results")
    assert [e.epoch for e in only(events, EpochEnd)] == [0, 1]
    assert [e.metrics[3].value for e in only(events, Evaluation)] == [0.31]


def test_rows_of_faces() -> None:
    """YOLOv5-face prints a loss of the landmarks, too."""
    figures = (0.056, 0.055, 0, 0.017, 0.128, 75, 640, 0.42, 0.77, 0.74, 0.33, 0.049, 0.061, 0)
    text = "".join(
        "%10s" * 2 % (f"{epoch}/29", "1.75G") + "%10.4g" * 14 % figures + "\n" for epoch in range(3)
    )
    assert detected(text) == "yolo-results"
    events = read(text, "yolo-results")
    assert facts(events) == {"epochs_planned": 30}
    (scores, *_) = only(events, Evaluation)
    assert [m.value for m in scores.metrics] == [0.42, 0.77, 0.74, 0.33, 0.049, 0.061, 0]
    (epoch, *_) = only(events, EpochEnd)
    assert [(m.name, m.value) for m in epoch.values] == [
        ("box_loss", 0.056),
        ("obj_loss", 0.055),
        ("cls_loss", 0),
        ("landmarks_loss", 0.017),
        ("total_loss", 0.128),
    ]


def test_rows_of_poses() -> None:
    """YOLOv7's poses have a loss of the points and one of their visibility."""
    row = (
        "     0/99     1.59G   0.012   0.0031         0    0.0049   0.0012     0.021         1"
        "       640    0.9375    0.9125    0.9375    0.7625   0.0118   0.0018         0\n"
    )
    events = read(row, "yolo-results")
    (end,) = only(events, EpochEnd)
    assert {m.name: m.value for m in end.values} == {
        "box_loss": 0.012,
        "obj_loss": 0.0031,
        "cls_loss": 0,
        "keypoints_loss": 0.0049,
        "visibility_loss": 0.0012,
        "total_loss": 0.021,
    }
    (evaluation,) = only(events, Evaluation)
    assert [(m.name, m.value) for m in evaluation.metrics][:4] == [
        ("precision", 0.9375),
        ("recall", 0.9125),
        ("map50", 0.9375),
        ("map", 0.7625),
    ]
