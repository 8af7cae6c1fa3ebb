"""What a protocol's figure is multiplied by: named facts of the run, or plain numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sixdim.metrics.fold.runs.facts import Facts
    from sixdim.metrics.values.protocol import Protocol

_FACTORS = {
    "devices": ("number of devices", "--devices N"),
    "nodes": ("number of nodes", "--nodes N"),
    "cards": ("number of devices in a node", "--devices N --nodes N"),
    "batch": ("batch size of a device", "--batch N"),
    "global_batch": ("batch size of the job", "--global-batch N, or --devices N --batch N"),
}
"""Each named factor in words, and the flags that give it."""
NAMES = tuple(_FACTORS)


class Scale(NamedTuple):
    """A factor, or why there is none.

    Attributes:
        factor: None where a fact is missing.
        text: `8 devices x 1000`; empty for a factor of 1.
        reason: Which fact is missing, and the flag that gives it.
    """

    factor: float | None
    text: str = ""
    reason: str = ""


def scale_of(protocol: Protocol, facts: Facts) -> Scale:
    """Resolves the factors of a protocol for one run."""
    factor = 1.0
    words = []
    for part in protocol.scale:
        if not isinstance(part, str):
            factor *= part
            words.append(f"{part:g}")
            continue
        value = fact(part, facts)
        if value is None:
            what, flags = _FACTORS[part]
            return Scale(None, reason=f"the {what} is unknown: {flags}")
        factor *= value
        words.append(f"{value} {part.replace('_', ' ')}")
    return Scale(factor, " x ".join(words))


def fact(name: str, facts: Facts) -> int | None:
    """Returns one factor; a missing one is computed from the others if possible."""
    devices, nodes = facts.count("devices"), facts.count("nodes")
    batch, whole = facts.count("batch_per_device"), facts.count("global_batch")
    if name in ("batch", "global_batch") and facts.batch_varies():
        return None
    known = {"devices": devices, "nodes": nodes, "batch": batch, "global_batch": whole}.get(name)
    if known is not None:
        return known
    if name == "cards" and devices and nodes and devices % nodes == 0:
        return devices // nodes
    if name == "batch" and devices and whole and whole % devices == 0:
        return whole // devices
    if name == "global_batch" and devices is not None and batch is not None:
        return devices * batch
    return None
