"""MetaX's `mx-smi` log: a tree of `Name : value` under `GPU#0  MXN260  0000:0f:00.0`."""

from functools import partial

from sixdim.parsers.telemetry.dialects.base import Dialect, any_line
from sixdim.parsers.telemetry.dialects.tree import read_trees
from sixdim.parsers.text.patterns import pattern

_GPU = pattern(
    r"GPU#(?P<index>\d{1,5})\s++(?P<name>(?:(?![0-9a-fA-F]{4}:\S{2}:\S{2}\.\d)\S++\s++)++)"
    r"[0-9a-fA-F]{4}:\S{2}:\S{2}\.\d\s*+"
)
PATHS = {
    "memory/vram_used": "memory_mib",
    "memory/vram_total": "memory_total_mib",
    "utilization/gpu": "utilisation",
    "chip_temperature/hotspot": "temperature_c",
    "board_power/total": "power_w",
    "board_power/total_power": "power_w",
    "power/total": "power_w",
}

DIALECT = Dialect(
    "mx-smi log",
    any_line(_GPU.fullmatch),
    partial(read_trees, source="mx-smi", begins=_GPU, paths=PATHS),
)
