"""Words and roles that several panels share."""

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
    """Returns a fact of the card as text; empty if there is none."""
    value = facts.get(name) if facts else None
    return "" if value is None else str(value)


def metric_unit(snapshot: Snapshot) -> str:
    """Returns the unit of the target metric."""
    return snapshot.card.dimensions["accuracy"].unit


def target_text(snapshot: Snapshot) -> str:
    """Returns the target's condition as the card has it, or the threshold alone."""
    condition = fact(snapshot.card.target, "condition")
    if condition or snapshot.target_value is None:
        return condition
    return figures.metric(snapshot.target_value, metric_unit(snapshot))


def outlook(snapshot: Snapshot, *, short: bool = False) -> str:
    """Returns when the target will be met, by the evaluations so far."""
    if snapshot.target_value is None:
        return "no target"
    return figures.forecast(snapshot.forecast, short=short) or f"target {target_text(snapshot)}"
