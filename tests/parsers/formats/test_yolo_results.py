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
