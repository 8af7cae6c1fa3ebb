"""Builds a reading: figures that cannot be true become None, with the reason."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from sixdim.parsers.reading import Reading
from sixdim.parsers.text.lines import label
from sixdim.parsers.text.patterns import pattern

LOST_CARD_W = 65535.0
"""The power that a driver reports for a card that no longer answers: all 16 bits set."""

MOST = {
    "power_w": 5_000.0,
    "power_limit_w": 5_000.0,
    "memory_mib": 2.0**24,
    "memory_total_mib": 2.0**24,
    "process_mib": 2.0**24,
    "utilisation": 100.0,
    "temperature_c": 250.0,
    "energy_j": 1e13,
}
"""Limits that no board can exceed, now or soon: 5 kW, 16 TiB, 100 %, 250 C, 10 TJ."""

LEAST = {"temperature_c": -100.0}
_ABSURD = "absurd"
OF_ABSURD = "most figures of its column are absurd, as if of another unit"

_POWER = {"": 1.0, "w": 1.0, "mw": 1e-3}
_SIZE = {
    "": 1.0,
    "mib": 1.0,
    "mb": 1.0,
    "gib": 1024.0,
    "kib": 1 / 1024,
    "kb": 1 / 1024,
    "b": 1 / 1024**2,
}
UNITS = {
    "power_w": _POWER,
    "power_limit_w": _POWER,
    "memory_mib": _SIZE,
    "memory_total_mib": _SIZE,
    "process_mib": _SIZE,
    "utilisation": {"": 1.0, "%": 1.0},
    "temperature_c": {"": 1.0, "c": 1.0, "°c": 1.0},
    "energy_j": {"": 1.0, "j": 1.0, "mj": 1e-3},
}
"""Factors to W, MiB, %, C and J. The vendors' MB and KB are binary, as their totals show."""

SHARE_ONLY = "memory is reported in whole percent only"
NO_PROCESS = "no compute process listed: none runs, or only in another container"

_FIGURE = pattern(r"(?P<number>[-+]?+\d{1,20}+(?:\.\d{0,20}+)?+)\s*+(?P<unit>[%°A-Za-z]{0,4}+)")

_ABSENT = frozenset({"n/a", "na", "-", "", "unknown", "none"})


@dataclass(slots=True)
class Draft:
    """Collects the fields of one reading."""

    device: int
    source: str
    host: str = ""
    name: str = ""
    uuid: str = ""
    time_us: int | None = None
    process_scope: str = ""
    throttle: tuple[str, ...] = ()
    values: dict[str, float] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def put(self, name: str, value: float) -> None:
        """Stores a figure, or the reason why it cannot be true."""
        why = implausible(name, value)
        if why:
            self.lack(name, why)
        else:
            self.values[name] = value
            self.missing.pop(name, None)

    def put_text(self, name: str, text: str) -> None:
        """Stores a figure as a tool prints it: `161 W`, `30671  MiB`, `31C`, `N/A`."""
        found = _FIGURE.fullmatch(text.strip())
        scale = UNITS[name].get(found["unit"].lower()) if found else None
        if found is not None and scale is not None:
            self.put(name, float(found["number"]) * scale)
        else:
            self.lack(name, "N/A" if is_absent(text) else label(text, 60))

    def put_scaled(self, name: str, given: Any, scale: float) -> None:
        """Stores a figure without a printed unit, multiplied by `scale`."""
        try:
            self.put(name, float(given) * scale)
        except (TypeError, ValueError):
            self.lack(name, str(given))

    def put_processes(self, mib: Sequence[float | None], scope: str) -> None:
        """Stores the sum of the processes' memory, or the reason why it is unknown.

        Args:
            mib: The MiB of each process; None for one that the driver does not report.
            scope: See `Reading`.
        """
        known = [one for one in mib if one is not None]
        if not mib:
            self.lack("process_mib", NO_PROCESS)
        elif len(known) < len(mib):
            self.lack("process_mib", "the driver does not report the memory of a process")
        else:
            self.put("process_mib", math.fsum(known))
            self.process_scope = scope

    def lack(self, name: str, reason: str) -> None:
        """Stores the reason why a field has no figure."""
        if name not in self.values:
            self.missing[name] = label(reason, 120)

    def reading(self) -> Reading:
        """Returns the finished, immutable reading."""
        values: dict[str, Any] = dict(self.values)
        return Reading(
            device=self.device,
            host=_known_label(self.host),
            source=self.source,
            name=_known_label(self.name),
            uuid=_known_label(self.uuid),
            time_us=self.time_us,
            process_scope=self.process_scope if "process_mib" in values else "",
            throttle=self.throttle,
            missing=tuple(sorted(self.missing.items())),
            **values,
        )


@lru_cache(maxsize=64)
def _known_label(text: str) -> str:
    """As `label`, for names that come again in every sample."""
    return label(text)


def count(text: str) -> int | None:
    """Converts the number of devices or the index of one; None if the text is no number."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None


def is_bare(text: str) -> bool:
    """Returns whether a text is a figure without a unit."""
    return text.replace(".", "", 1).isdigit()


def is_absent(text: str) -> bool:
    """Returns whether a text is one with which the vendors' tools say that there is no figure."""
    return text.strip("[] ").lower() in _ABSENT


def implausible(name: str, value: float) -> str:
    """Returns why a figure cannot be true; empty if it can."""
    if not math.isfinite(value):
        return "not a number"
    if name == "power_w" and value == LOST_CARD_W:
        return "65535 W: the driver's mark of a lost card"
    if name == "power_w" and value == 0:
        return "0 W: a powered board draws more, so the sensor gives no value"
    if value < LEAST.get(name, 0.0):
        return f"negative ({value:g})" if value < 0 else f"too small ({value:g})"
    if value > MOST[name]:
        return f"{_ABSURD} ({value:g})"
    return ""


def without_absurd(readings: Sequence[Reading]) -> Sequence[Reading]:
    """Returns the readings without each quantity whose figures are absurd more often than not.

    Its column is of another unit than its name says, so that its small figures are wrong, too.
    """
    fields = (name for one in readings for name, why in one.missing if why.startswith(_ABSURD))
    for name, absurd in Counter(fields).items():
        if absurd > sum(getattr(one, name) is not None for one in readings):
            readings = [_without(one, name) for one in readings]
    return readings


def _without(reading: Reading, name: str) -> Reading:
    given: dict[str, Any] = {
        name: None,
        "missing": tuple({**dict(reading.missing), name: OF_ABSURD}.items()),
    }
    return reading._replace(**given)
