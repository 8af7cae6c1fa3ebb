"""`nvidia-smi -q` and `ixsmi -q` in a loop: trees of `Name : value`, a timestamp above each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sixdim.parsers.events import Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes
from sixdim.parsers.telemetry.dialects.smi_fields import (
    Devices,
    Processes,
    smi_draft,
    take_board_power,
)
from sixdim.parsers.telemetry.dialects.tree import Tree
from sixdim.parsers.telemetry.draft import Draft
from sixdim.parsers.telemetry.stamps import time_of
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_GPU = pattern(r"(?:GPU|Device) (?P<bus>[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d)\s*+")
_LOG = pattern(r"=+\s?(?P<tool>NVSMI|IXSMI|IX-?ML|IXML)\s?LOG\s?=+", re.IGNORECASE)
_TIME = pattern(r"Timestamp\s*+:\s*+(?P<time>\S.*+)")
_MOST_FIELDS = 4096


def _speaks(head: list[Line]) -> bool:
    return any(_GPU.fullmatch(line.text) for line in head)


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    devices = Devices()
    owners: dict[str, int] = {}
    source, bus, time_us = "nvidia-smi", "", None
    tree, fields, processes = Tree(), dict[str, str](), Processes()

    def reading() -> Iterator[Reading]:
        if not bus:
            return
        reported = fields.get("minor_number", "") if source == "ixsmi" else ""
        draft = Draft(devices.of(bus, reported), source, time_us=time_us)
        smi_draft(fields, draft, notes)
        take_board_power(fields, draft, owners, notes)
        if draft.values or draft.missing:
            processes.fill(draft)
            yield draft.reading()

    for line in lines:
        text = line.text
        begins = _GPU.fullmatch(text)
        log, time = _LOG.fullmatch(text.strip()), _TIME.fullmatch(text)
        if begins or log or time:
            yield from reading()
            bus, fields, tree, processes = "", {}, Tree(), Processes()
        if log:
            source = "nvidia-smi" if log["tool"].upper() == "NVSMI" else "ixsmi"
        elif time:
            time_us, owners = time_of(time["time"]), {}
        elif begins:
            bus = begins["bus"]
        elif bus and (found := tree.take(text)):
            path, value = found
            if processes.take(path, value) or len(fields) >= _MOST_FIELDS:
                continue
            fields.setdefault(path, value)
            if path == "product_name" and "Iluvatar" in value:
                source = "ixsmi"
    yield from reading()


DIALECT = Dialect("smi -q text", _speaks, _read)
