"""The words in the names of columns: which figure of which device a column of a script holds."""

from typing import NamedTuple

from sixdim.parsers.text.patterns import pattern

_WORD = pattern(r"[A-Za-z]{1,24}|[%°]")

UNITS = {
    **dict.fromkeys(("w", "watt", "watts"), "W"),
    "mw": "mW",
    **dict.fromkeys(("mib", "mb"), "MiB"),
    "gib": "GiB",
    **dict.fromkeys(("kib", "kb"), "KiB"),
    **dict.fromkeys(("b", "bytes"), "B"),
    **dict.fromkeys(("%", "pct", "percent"), "%"),
    **dict.fromkeys(("c", "celsius", "°"), "C"),
    "gb": "GB",
    **dict.fromkeys(("s", "sec", "seconds", "ms", "us", "ns"), "s"),
}
DEVICE = frozenset({"gpu", "vram", "cuda", "nvidia", "nvml", "draw"})
"""The words of a name that say that its figure is a device's; `power_draw` is nvidia-smi's."""
_OF_DEVICE = frozenset({"card", "board", "device"})
HOST = frozenset({"cpu", "ram", "dram", "system", "sys", "host", "disk", "process", "proc"})
_TRAINING = ("loss", "epoch", "step", "iter", "iteration", "acc", "accuracy", "lr", "batch")
OTHER = frozenset((*_TRAINING, "tokens", "model", "prompt", "emissions", "pid"))
"""The words of rows that are no readings: of a training, of a summary, of a process."""
KNOWN = {
    "time": ("timestamp", "time", "datetime", "timestamp utc", "ts", "unix time", "date"),
    "device": (
        "gpu",
        "gpu id",
        "gpu index",
        "gpu idx",
        "device",
        "device id",
        "deviceid",
        "index",
        "id",
    ),
    "uuid": ("uuid", "gpu uuid"),
    "host": ("host", "hostname", "node", "node name"),
    "name": ("name", "gpu name"),
}


class FigureName(NamedTuple):
    """How a column of a figure may be named: with any other word its meaning is in doubt.

    Attributes:
        field: Of a reading.
        needed: One word of each of these sets.
        possible: Further words.
        units: The units that it may have, also none.
    """

    field: str
    needed: tuple[frozenset[str], ...]
    possible: frozenset[str]
    units: tuple[str, ...]

    def is_named(self, words: set[str], unit: str) -> bool:
        """Returns whether a name of these words is the figure's."""
        return (
            unit in self.units
            and all(words & one for one in self.needed)
            and words <= self.possible.union(DEVICE, _OF_DEVICE, *self.needed)
        )


MEMORY = frozenset({"mem", "memory", "vram", "fb"})
_HEAT = frozenset({"temp", "temperature"})
_USE = frozenset({"util", "utilization", "utilisation", "load", "usage"})
_WATTS, _SIZES = ("W", "mW", ""), ("MiB", "GiB", "KiB", "B", "GB", "")
_NOW = frozenset({"current", "enforced", "instant", "instantaneous"})
FIGURES = (
    FigureName("power_limit_w", (frozenset({"power"}), frozenset({"limit", "cap"})), _NOW, _WATTS),
    FigureName(
        "power_w", (frozenset({"power"}),), _NOW | {"usage", "consumption", "socket"}, _WATTS
    ),
    FigureName("memory_total_mib", (MEMORY, frozenset({"total"})), frozenset(), _SIZES),
    FigureName("memory_mib", (MEMORY, frozenset({"used", "usage"})), frozenset(), _SIZES),
    FigureName(
        "temperature_c",
        (_HEAT,),
        _NOW | {"core", "degree", "edge", "hotspot", "junction"},
        ("C", ""),
    ),
    FigureName("utilisation", (_USE,), _NOW | {"core"}, ("%", "")),
)


def words_in(name: str) -> list[str]:
    """Returns the words and unit marks of a column's name in lower case."""
    return [word.lower() for word in _WORD.findall(name.replace("_", " "))]
