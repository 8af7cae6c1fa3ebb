"""YOLOv6's bars and evaluations."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Iteration
from tests.support.logs import detected, only, read, scored

HEADERS = {
    "     Epoch  iou_loss  dfl_loss  cls_loss": "0.9{e}         0    0.5756",
    "     Epoch        lr  iou_loss  dfl_loss  cls_loss": "0.00062  0.9{e}   0    0.5756",
}


def training(header: str, pace: str = " 2.00it/s]") -> str:
    out = "Training start...\n"
    for e in range(4):
        out += f"\n{header}\n"
        for step in (1, 60, 100):
            row = f"      {e}/9  {HEADERS[header].format(e=e)}: {step:3}%|████   | {step}/100 "
            out += f"\r{row}[00:{step // 2:02}<00:{50 - step // 2:02},{pace}"
        out += "\n"
    out += "Inferring model in val datasets.: 100%|█████| 11/11 [00:01<00:00,  9.37it/s]\n"
    return out + "Epoch: 3 | mAP@0.5: 0.51 | mAP@0.50:0.95: 0.32\n"


@pytest.mark.parametrize("header", HEADERS)
def test_bars_and_an_evaluation(header: str) -> None:
    text = training(header)
    assert detected(text) == "yolov6"
    card = scored(text)
    speed, accuracy = card["dimensions"]["speed"], card["dimensions"]["accuracy"]
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (4, 10)
    assert (speed["value"], speed["unit"]) == (2, "it/s")
    assert (accuracy["metric"], accuracy["value"], accuracy["epoch"]) == ("map", 0.32, 3)
    events = read(text, "yolov6")
    assert [(i.epoch, i.step, i.steps) for i in only(events, Iteration)][:4] == [
        *((0, step, 100) for step in (1, 60, 100)),
        (1, 1, 100),
    ]
    last = only(events, EpochEnd)[-1]
    assert (last.epoch, last.train_time) == (3, 50)
    assert ("iou_loss", 0.93) in [one[:2] for one in last.values]


@pytest.mark.parametrize("rest", ["", " 2.00it/]"])
def test_bars_that_a_narrow_terminal_cuts_off(rest: str) -> None:
    text = training(next(iter(HEADERS)), rest)
    assert scored(text)["dimensions"]["speed"]["value"] == 2


def test_bars_that_a_notebook_does_not_draw() -> None:
    text = training(next(iter(HEADERS))).replace("|████   |", "")
    card = scored(text)
    assert (card["run"]["format"], card["run"]["epochs"]) == ("yolov6", 4)
    assert card["dimensions"]["speed"]["value"] == 2
