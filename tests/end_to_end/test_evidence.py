"""The lines that a card names as evidence print the figures that rest on them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import sixdim
from sixdim import sample_logs

NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+(?:[eE][-+]?\d+)?")
SAMPLES = [sample_logs.path(name) for name in sample_logs.NAMES if name.endswith(".log")]
LARGEST = 120_000
"""Bytes of a real log that is read here."""


def printed(lines: list[str], numbers: Iterable[int]) -> set[float]:
    """Returns the numbers on the lines, and their signs' opposites."""
    found = (one for n in numbers for one in NUMBER.findall(lines[n - 1]))
    values = {float(one.replace(",", "")) for one in found}
    return values | {-one for one in values}


def holds(numbers: set[float], value: float) -> bool:
    """Returns whether a value is one of the numbers, or a hundredth of one or hundred times one."""
    return any(
        abs(one * by - value) <= 1e-9 * abs(value) for one in numbers for by in (1, 100, 0.01)
    )


def claims(card: dict[str, Any]) -> Iterator[tuple[str, float, list[int]]]:
    """Yields each printed figure: its name, its value, the lines that should print it."""
    evidence = {name: one["lines"] for name, one in card["evidence"].items()}
    good, speed = card["dimensions"]["accuracy"], card["dimensions"]["speed"]
    if good["value"] is not None:
        yield "accuracy", good["value"], evidence["accuracy"]
    if speed["value"] is not None and "derived" not in speed and "stated" not in speed:
        for value in speed["values"]:
            yield "speed", value, evidence["speed"]
    for name in ("epochs_planned", "samples_per_epoch", "batch_per_device"):
        source = re.fullmatch(r"log line (\d+)", card["run"]["sources"].get(name, ""))
        if source is not None:
            yield name, card["run"][name], [int(source[1])]


def wrong(path: Path) -> list[str]:
    """Returns the figures of a log that their lines do not print."""
    try:
        data = sixdim.score(path).to_dict()
    except sixdim.SixdimError:
        return []
    lines = path.read_bytes().decode("utf-8", "replace").split("\n")
    # A line of signs alone closes a table or an object, whose lines above have the figure.
    return [
        f"{path.name}: {name} {value} in lines {numbers}"
        for name, value, numbers in claims(data)
        if not holds(printed(lines, numbers), value)
        and any(NUMBER.search(lines[n - 1]) for n in numbers)
    ]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_samples(path: Path) -> None:
    assert not wrong(path)


def test_real_logs() -> None:
    root = os.environ.get("SIXDIM_CORPUS")
    if not root:
        pytest.skip("SIXDIM_CORPUS is not set")
    logs = [p for p in sorted((Path(root) / "corpus").rglob("*.log")) if p.stat().st_size < LARGEST]
    assert logs
    assert [one for path in logs for one in wrong(path)] == []
