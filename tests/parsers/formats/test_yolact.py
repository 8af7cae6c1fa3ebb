"""YOLACT: instance segmentation, evaluated after an epoch."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Evaluation
from tests.support.logs import detected, only, read, scored


def _epoch(epoch: int, seconds: float, steps: int = 100) -> str:
    lines = [
        f"[{epoch:3d}] {epoch * steps + step:7d} || B: 5.281 | C: 12.375 | M: 5.143 | S: 1.223 "
        f"| T: {24 - epoch:.3f} || ETA: 12 days, 3:12:11 || timer: {seconds:.3f}"
        for step in range(0, steps, 10)
    ]
    table = [
        "",
        "Computing validation mAP (this may take a while)...",
        "Calculating mAP...",
        "       |  all  |  .50  |  .55  |  .95  |",
        "-------+-------+-------+-------+-------+",
        f"   box | 2{epoch % 10}.43 | 48.01 | 45.72 |  0.21 |",
        f"  mask | 2{epoch % 10}.12 | 45.11 | 42.93 |  0.34 |",
        "-------+-------+-------+-------+-------+",
        "",
    ]
    return "\n".join(lines + table) + "\n"


def test_a_run() -> None:
    log = "Begin training!\n\n" + "".join(_epoch(n, 0.5 if n < 5 else 0.25) for n in range(12))
    assert detected(log) == "yolact"
    card = scored(log)
    speed, accuracy = card["dimensions"]["speed"], card["dimensions"]["accuracy"]
    assert (speed["value"], speed["unit"], speed["window"]) == (4.0, "it/s", [6, 7, 8, 9, 10])
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("box", 21.43, 29.43)
    last = only(read(log, "yolact"), Evaluation)[-1]
    assert [(m.name, m.value, m.unit) for m in last.metrics] == [
        ("box", 21.43, "%"),
        ("mask", 21.12, "%"),
    ]


def test_a_resumed_run_begins_inside_an_epoch() -> None:
    log = "Begin training!\n" + _epoch(3, 0.5).partition("\n")[2] + _epoch(4, 0.5)
    speed = scored(log)["dimensions"]["speed"]
    assert speed["value"] == pytest.approx(2.0)
