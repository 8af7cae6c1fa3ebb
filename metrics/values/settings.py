"""The settings of a card as plain values, from flags, a settings file or a test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from sixdim.metrics.values.card import READABLE, State
from sixdim.metrics.values.convergence import Target
from sixdim.metrics.values.protocol import DEEPSPARK, Protocol

if TYPE_CHECKING:
    from sixdim.parsers.events import Fact

_MOST_NAME = 80


class Reference(NamedTuple):
    """Another run to compare with, as read from its card.

    Attributes:
        name: Base name of the log or card.
        speed: Its speed, exact; None where unknown.
        unit: Unit of `speed`.
        scope: `job` or `per device`.
        devices: Devices it ran on, where known.
        nodes: Nodes it ran on, where known.
        state: State of its speed.
        accuracy: Its accuracy; None where unknown.
        metric: Metric of `accuracy`.
        converged: Whether it met its target.
        lines: Evidence of its speed.
        sha256: Hash of its log's bytes; empty where unknown.
    """

    name: str
    speed: float | None = None
    unit: str = ""
    scope: str = ""
    devices: int | None = None
    nodes: int | None = None
    state: State = State.UNKNOWN
    accuracy: float | None = None
    metric: str = ""
    converged: bool = False
    lines: tuple[int, ...] = ()
    sha256: str = ""

    @classmethod
    def from_card(cls, name: str, card: Mapping[str, Any]) -> Reference:
        """Reads what a comparison needs from a card's JSON.

        Raises:
            KeyError, TypeError, ValueError: It is not a card.
        """
        if card["schema"] not in READABLE:
            raise ValueError(f"its schema is none of {', '.join(READABLE)}")
        speed, accuracy = card["dimensions"]["speed"], card["dimensions"]["accuracy"]
        run = card["run"]
        evidence = card.get("evidence", {}).get("speed", {}).get("lines", [])
        return cls(
            name=name,
            speed=_number(speed["value"]),
            unit=str(speed.get("unit", ""))[:_MOST_NAME],
            scope=str(speed.get("scope") or run.get("scope", ""))[:_MOST_NAME],
            devices=_count(run.get("devices")),
            nodes=_count(run.get("nodes")),
            state=State(speed["state"]),
            accuracy=_number(accuracy["value"]),
            metric=str(accuracy.get("metric", ""))[:_MOST_NAME],
            converged=card["status"] == "converged",
            lines=tuple(_line(line) for line in evidence),
            sha256=str(card.get("provenance", {}).get("sha256", ""))[:_MOST_NAME],
        )


def _number(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{value!r} is not a number")
    return float(value)


def _line(value: object) -> int:
    number = _count(value)
    if number is None:
        raise ValueError(f"{value!r} is not a line number")
    return number


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything besides the log and the readings that changes a card.

    Attributes:
        target: `--target`; wins over the log's own.
        protocol: How the throughput is computed.
        from_header: Count times from the run's header instead of its first iteration.
        start_line: Text of the line from which to count times instead, `*` for any; the first in
            a run counts.
        window: Epoch labels (first, last) of the speed window, over the protocol's own.
        run: Which run of the file, from 1; the last by default.
        given: Facts from flags: they win over the log.
        named: Facts from the file's name and folder: the log wins over them.
        baseline: The single-device or single-node run of linearity.
        scaled: The many-device run of linearity where it is not this one.
        by_node: Linearity over nodes instead of devices.
        repeats: Further complete runs for stability.
        telemetry_devices: Devices (indices or UUIDs) whose power and memory count; all by default.
        flops_per_sample: FLOPs the model needs to train on one sample (or token).
        peak_flops: FLOP/s of one device at its peak.
    """

    target: Target | None = None
    protocol: Protocol = DEEPSPARK
    from_header: bool = False
    start_line: str = ""
    window: tuple[int, int] | None = None
    run: int | None = None
    given: Mapping[str, Fact] = field(default_factory=dict)
    named: Mapping[str, Fact] = field(default_factory=dict)
    baseline: Reference | None = None
    scaled: Reference | None = None
    by_node: bool = False
    repeats: tuple[Reference, ...] = ()
    telemetry_devices: tuple[int | str, ...] | None = None
    flops_per_sample: float | None = None
    peak_flops: float | None = None
