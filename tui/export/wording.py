"""Names and formats of the figures in exports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sixdim.metrics.values.card import Card
from sixdim.tui.base import figures

if TYPE_CHECKING:
    from sixdim.metrics.card.snapshot import Snapshot
    from sixdim.metrics.tables.gate import Check


def title(name: str) -> str:
    """Returns the title of a figure: `End to end`."""
    return name.replace("_", " ").capitalize()


def number(name: str, value: float | None, unit: str) -> str:
    """Returns a figure without its unit: `4938.9`, `77.36`, `5:05:30`, `n/a`."""
    if unit == "s":
        return figures.duration(value)
    return figures.of_dimension(name, value, unit)


def quantity(name: str, value: float | None, unit: str) -> str:
    """Returns a figure with its unit: `4938.9 img/s`."""
    text = number(name, value, unit)
    return text if value is None or unit in ("", "s", "fraction") else f"{text} {unit}"


def outcome(check: Check) -> str:
    """Returns the figure of a requirement: `got 4500.1 img/s`, with the reason if there is one."""
    got = quantity(check.figure, check.value, check.unit)
    return f"got {got}" + (f": {check.reason}" if check.reason else "")


def times(ratio: float | None) -> str:
    """Returns a ratio as text: `×1.034`; `n/a` for None."""
    return figures.UNKNOWN if ratio is None else f"×{figures.fixed(ratio, 3)}"


def about(card: Card) -> str:
    """Returns a run in a few words: `torchvision · resnet50 · amp · 8 devices`."""
    run = card.run
    parts = [run["format"] or "format unknown"]
    parts += [run[key] for key in ("model", "precision") if run.get(key)]
    if run.get("devices"):
        parts.append(f"{run['devices']} device{'' if run['devices'] == 1 else 's'}")
    return " · ".join(parts)


def letter(position: int) -> str:
    """Returns a short name for one of several runs: A, B, … Z, then its number."""
    return chr(ord("A") + position) if position < 26 else str(position + 1)


def epoch_unit_and_scope(snapshot: Snapshot) -> tuple[str, str]:
    """Returns the unit and the scope of the throughput of an epoch.

    The scope is that of the speed, unless the speed is not computed from epochs.
    """
    speed, run = snapshot.card.dimensions["speed"], snapshot.card.run
    other = "rule" in speed.details or "stated" in speed.details
    scope = run["scope"] if other else speed.details.get("scope", "unknown")
    return snapshot.unit or "samples/s", str(scope)
