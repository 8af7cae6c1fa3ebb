"""`nvidia-smi -q` and `ixsmi -q` in a loop: trees of `Name : value`, a timestamp above each."""

import re
from collections.abc import Iterable, Iterator
from functools import partial

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes, any_line
from sixdim.parsers.telemetry.dialects.command_line import command_line
from sixdim.parsers.telemetry.dialects.smi_fields import Devices
from sixdim.parsers.telemetry.dialects.smi_sample import Sample
from sixdim.parsers.telemetry.dialects.tree import TIME, Tree
from sixdim.parsers.telemetry.stamps import time_of
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_GPU = pattern(r"(?:GPU|Device) (?P<bus>[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d)\s*+")
_LOG = pattern(r"=+\s?(?P<tool>NVSMI|IXSMI|IX-?ML|IXML)\s?LOG\s?=+", re.IGNORECASE)
_ATTACHED = pattern(r"Attached (?:GPU|Device)s\s*+:\s*+(?P<count>\d{1,5})\s*+")


def _read(lines: Iterable[Line], notes: Notes, tool: str = "nvidia-smi") -> Iterator[Reading]:
    devices, sample, source = Devices(), Sample(), tool
    asked: int | None = None
    tree = Tree()
    for line in lines:
        text = line.text
        begins, command = _GPU.fullmatch(text), command_line(text)
        log, time = _LOG.fullmatch(text.strip()), TIME.fullmatch(text)
        if log or time or command or (begins and sample.ends_before(begins["bus"])):
            yield from sample.readings(devices, source, notes, asked)
            sample = Sample(sample.attached)
        if log:
            source = "nvidia-smi" if log["tool"].upper() == "NVSMI" else "ixsmi"
        elif time:
            sample.time_us = time_of(time["time"])
        elif command:
            source, asked = command
        elif begins:
            tree = Tree()
            sample.begin(begins["bus"])
        elif count := _ATTACHED.fullmatch(text):
            sample.attached = int(count["count"])
        elif sample.devices and (found := tree.take(text)):
            path, value = found
            sample.devices[-1].take(path, value)
            if path == "product_name" and "Iluvatar" in value:
                source = "ixsmi"
    yield from sample.readings(devices, source, notes, asked)


DIALECT = Dialect("smi -q text", any_line(_GPU.fullmatch), _read)
IXSMI = Dialect("ixsmi -q text", any_line(_GPU.fullmatch), partial(_read, tool="ixsmi"))
"""The same dialect, for use where the tool is known to be ixsmi."""
