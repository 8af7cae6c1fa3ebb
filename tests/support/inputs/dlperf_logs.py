"""Logs in DLPerf's layout, made for a given speed: what the scaling tests read."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

MINDSPORE_STEPS = 210
SINK = 10


def mindspore(path: Path, speed: float, nodes: int, cards: int, batch: int) -> None:
    """`epoch: E step: S, loss is L` and its time, from every rank, ten steps to an epoch."""
    devices = nodes * cards
    milliseconds = devices * batch / speed * SINK * 1000
    lines = []
    for epoch in range(1, MINDSPORE_STEPS // SINK + 1):
        warming = 7 if epoch * SINK <= 100 else 1
        for _rank in range(devices):
            lines.append(f"epoch: {epoch} step: {SINK}, loss is 6.9087753")
            each = milliseconds * warming
            lines.append(f"epoch time: {each:5.3f} ms, per step time: {each / SINK:5.3f} ms")
    _write(path, lines)


def ngc_pytorch(path: Path, speed: float, nodes: int, cards: int, batch: int) -> None:
    """DLLogger lines of 150 iterations at a steady pace, the first ones ten times slower."""
    total = nodes * cards * batch
    start, passed = datetime(2021, 1, 5, 23, 59, 40), 0.0
    lines = []
    for step in range(1, 151):
        seconds = total / speed * (10 if step <= 20 else 1)
        passed += seconds
        clock = (start + timedelta(seconds=passed)).strftime("%Y-%m-%d %H:%M:%S.%f")
        lines.append(
            f"DLL {clock} - Epoch: 0 Iteration: {step}  train.loss : 7.0 None "
            f"train.total_ips : {total / seconds:.2f} images/s"
        )
        lines.append(f"DLL {clock} - Epoch: 0 Iteration: {step}  train.lr : 0.1 None")
    _write(path, lines)


def _write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
