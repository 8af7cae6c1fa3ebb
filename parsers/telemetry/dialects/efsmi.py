"""Enflame's `efsmi -q`: a tree of `Name : value` under `DEV ID 0`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sixdim.parsers.events import Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes
from sixdim.parsers.telemetry.dialects.tree import Tree
from sixdim.parsers.telemetry.draft import Draft
from sixdim.parsers.text.lines import Line
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


def _speaks(head: list[Line]) -> bool:
    return any(_DEVICE.fullmatch(line.text) for line in head)


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    draft: Draft | None = None
    tree = Tree()
    for line in lines:
        if begins := _DEVICE.fullmatch(line.text):
            if draft is not None:
                yield draft.reading()
            draft, tree = Draft(int(begins["index"]), "efsmi"), Tree()
            draft.lack("power_w", "not in this log")
        elif draft is not None and (found := tree.take(line.text)) and found[0] in PATHS:
            draft.put_text(PATHS[found[0]], found[1])
    if draft is not None:
        yield draft.reading()


DIALECT = Dialect("efsmi log", _speaks, _read)
