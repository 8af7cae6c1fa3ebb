"""The settings of a card as plain values, from flags, a settings file or a test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from sixdim.metrics.values.card import Card, State
from sixdim.metrics.values.convergence import Target
from sixdim.metrics.values.protocol import DEEPSPARK, Protocol

if TYPE_CHECKING:
    from sixdim.parsers.events import Fact


class Reference(NamedTuple):
    """The figures of a run with which others are compared.

    Attributes:
        name: Base name of the log or card, or its path.
        speed: Its speed, exact; None where unknown.
        unit: Unit of `speed`.
        scope: `job` or `per device`.
        devices: Devices it ran on, where known.
        nodes: Nodes it ran on, where known.
        state: State of its speed.
        accuracy: Its accuracy; None where unknown.
        converged: Whether it met its target.
        goal: The condition of that target, and the unit of the accuracy.
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
    converged: bool = False
    goal: tuple[str, str] = ("", "")
    lines: tuple[int, ...] = ()
    sha256: str = ""

    def same_run(self) -> tuple[object, ...] | None:
        """Returns what is equal for two names of one run; None where that is unknown.

        A file may hold several runs, so the hash of its bytes does not suffice.
        """
        if not self.sha256 or self.accuracy is None:
            return None
        return self.sha256, self.speed, self.accuracy

    @classmethod
    def of(cls, name: str, card: Card) -> Reference:
        """Returns the run of a card."""
        speed, accuracy = card.dimensions["speed"], card.dimensions["accuracy"]
        return cls(
            name=name,
            speed=speed.value,
            unit=speed.unit,
            scope=str(speed.details.get("scope") or card.run["scope"]),
            devices=_count(card.run.get("devices")),
            nodes=_count(card.run.get("nodes")),
            state=speed.state,
            accuracy=accuracy.value,
            converged=card.frozen,
            goal=(str((card.target or {}).get("condition", "")), accuracy.unit),
            lines=speed.evidence.lines,
            sha256=card.provenance["sha256"],
        )


def _count(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        return None
    return int(value)


class Settings(NamedTuple):
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
    given: Mapping[str, Fact] = {}
    named: Mapping[str, Fact] = {}
    baseline: Reference | None = None
    scaled: Reference | None = None
    by_node: bool = False
    repeats: tuple[Reference, ...] = ()
    telemetry_devices: tuple[int | str, ...] | None = None
    flops_per_sample: float | None = None
    peak_flops: float | None = None


DEFAULT = Settings()
