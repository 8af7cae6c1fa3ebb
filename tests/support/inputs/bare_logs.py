"""What the cards of short logs say that no launcher, container or logger has wrapped."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from itertools import islice
from typing import Any

from benchmarks import formats as benchmark
from sixdim.metrics.values.card import dumps
from tests.support.inputs.generated import read

LINES = 40
LOOP = [
    "Using device: cuda",
    "Training for 9 epochs",
    *(
        text
        for epoch in range(1, 10)
        for text in (
            f"epoch {epoch}/9, batch 100/391, loss: {2 / epoch:.4f}, {900 + epoch}.5 samples/sec",
            f"epoch {epoch}/9, batch 200/391, loss: {1 / epoch:.4f}, {910 + epoch}.5 samples/sec",
            f"epoch {epoch}/9 took {30 + epoch}.5s",
            f"validation: loss {2.5 / epoch:.4f}, accuracy {60 + epoch}.25%",
        )
    ),
    "Best accuracy: 69.25% at epoch 9",
    "Training finished",
]


def figures(lines: Iterable[str]) -> dict[str, Any]:
    """What a card says, its clock and the numbers of the lines left out."""
    session = read("".join(line + "\n" for line in lines).encode())
    card = json.loads(dumps(session.card()))
    run, dimensions = card["run"], card["dimensions"]
    speed, accuracy, end = dimensions["speed"], dimensions["accuracy"], card["run_end"]
    printed = end.get("clock") in ("printed total", "log timestamps", "summed epoch durations")
    return {
        "format": run["format"],
        "status": card["status"],
        "speed": [speed.get(k) for k in ("value", "unit", "scope", "window", "values")],
        "accuracy": [accuracy.get(k) for k in ("value", "unit", "metric", "epoch", "best")],
        "epochs": [run.get("epochs"), run.get("epochs_planned")],
        "run": [run.get(k) for k in ("model", "devices", "batch_per_device", "precision")],
        "end to end": [card["end_to_end"].get("value"), end["run_time_s"] if printed else None],
        "warnings": [warning["kind"] for warning in card["warnings"]],
    }


@cache
def bare(name: str) -> tuple[list[str], dict[str, Any]]:
    text = "\n".join(islice(benchmark.lines(benchmark.LOGS[name], 8), LINES))
    return text.split("\n"), figures(text.split("\n"))


def differences(expected: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """What both give differently; a clock may give an end to end that the bare log has not."""
    pairs = {key: (expected[key], found[key]) for key in expected if expected[key] != found[key]}
    if expected["end to end"][1] is None:
        pairs.pop("end to end", None)
    return pairs
