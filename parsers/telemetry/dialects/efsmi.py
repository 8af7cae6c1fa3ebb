"""Enflame's `efsmi -q`: a tree of `Name : value` under `DEV ID 0`."""

from functools import partial

from sixdim.parsers.telemetry.dialects.base import Dialect, any_line
from sixdim.parsers.telemetry.dialects.tree import read_trees
from sixdim.parsers.text.patterns import pattern

_DEVICE = pattern(r"DEV ID (?P<index>\d{1,5})\s*+")
PATHS = {
    "device_mem_info/used_size": "memory_mib",
    "device_mem_info/total_size": "memory_total_mib",
    "device_usage_info/gcu_usage": "utilisation",
    "temperature_info/gcu_temp": "temperature_c",
    "power_info/cur_power": "power_w",
    "power_info/power_consumption": "power_w",
    "power_info/power_capability": "power_limit_w",
}

DIALECT = Dialect(
    "efsmi log",
    any_line(_DEVICE.fullmatch),
    partial(read_trees, source="efsmi", begins=_DEVICE, paths=PATHS),
)
