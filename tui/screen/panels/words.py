"""Words and roles that several panels share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sixdim.metrics.card.snapshot import Snapshot
from sixdim.metrics.values.card import State, Status
from sixdim.tui.base import figures
from sixdim.tui.screen.widgets.palettes import Role

STATUS_ROLE = {
    Status.WAITING: Role.DIM,
    Status.TRAINING: Role.STRONG,
    Status.CONVERGED: Role.GOOD,
    Status.FINISHED: Role.STRONG,
    Status.INCOMPLETE: Role.WARN,
    Status.FAILED: Role.BAD,
}
STATE_ROLE = {
    State.WAITING: Role.DIM,
    State.RUNNING: Role.TEXT,
    State.SHORT: Role.WARN,
    State.FINAL: Role.GOOD,
    State.UNKNOWN: Role.DIM,
}


def fact(facts: Mapping[str, Any] | None, name: str) -> str:
    """A fact of the card as text; empty where there is none."""
    value = facts.get(name) if facts else None
    return "" if value is None else str(value)


def metric_unit(snapshot: Snapshot) -> str:
    """Unit of the target metric."""
    return snapshot.card.dimensions["accuracy"].unit


def target_text(snapshot: Snapshot) -> str:
    """The target's condition as the card writes it, or the bare threshold."""
    condition = fact(snapshot.card.target, "condition")
    if condition or snapshot.target_value is None:
        return condition
    return figures.metric(snapshot.target_value, metric_unit(snapshot))


def outlook(snapshot: Snapshot, *, short: bool = False) -> str:
    """When the target will be met, as far as the evaluations say."""
    if snapshot.target_value is None:
        return "no target"
    return figures.forecast(snapshot.forecast, short=short) or f"target {target_text(snapshot)}"
