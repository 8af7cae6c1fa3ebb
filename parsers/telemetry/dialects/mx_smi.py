"""MetaX's `mx-smi` log: a tree of `Name : value` under `GPU#0  MXN260  0000:0f:00.0`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sixdim.parsers.events import Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes
from sixdim.parsers.telemetry.dialects.tree import Tree
from sixdim.parsers.telemetry.draft import Draft
from sixdim.parsers.telemetry.stamps import time_of
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_GPU = pattern(
    r"GPU#(?P<index>\d{1,5})\s++(?P<name>(?:(?![0-9a-fA-F]{4}:\S{2}:\S{2}\.\d)\S++\s++)++)"
    r"[0-9a-fA-F]{4}:\S{2}:\S{2}\.\d\s*+"
)
_TIME = pattern(r"Timestamp\s*+:\s*+(?P<time>\S.*+)")
PATHS = {
    "memory/vram_used": "memory_mib",
    "memory/vram_total": "memory_total_mib",
    "utilization/gpu": "utilisation",
    "chip_temperature/hotspot": "temperature_c",
    "board_power/total": "power_w",
    "board_power/total_power": "power_w",
    "power/total": "power_w",
}


def _speaks(head: list[Line]) -> bool:
    return any(_GPU.fullmatch(line.text) for line in head)


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    draft: Draft | None = None
    tree = Tree()
    time_us: int | None = None
    for line in lines:
        begins, time = _GPU.fullmatch(line.text), _TIME.fullmatch(line.text)
        if (begins or time) and draft is not None:
            yield draft.reading()
            draft = None
        if time:
            time_us = time_of(time["time"])
        elif begins:
            draft = Draft(
                int(begins["index"]), "mx-smi", name=begins["name"].strip(), time_us=time_us
            )
            draft.lack("power_w", "not in this log")
            tree = Tree()
        elif draft is not None and (found := tree.take(line.text)):
            path, value = found
            if path in PATHS:
                draft.put_text(PATHS[path], value)
    if draft is not None:
        yield draft.reading()


DIALECT = Dialect("mx-smi log", _speaks, _read)
