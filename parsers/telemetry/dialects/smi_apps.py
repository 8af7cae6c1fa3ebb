"""`--query-compute-apps=… --format=csv`: a row for each process, and the memory it holds."""

import re
from collections.abc import Iterable, Iterator

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes
from sixdim.parsers.telemetry.dialects.named_csv import is_header
from sixdim.parsers.telemetry.dialects.row_order import UNNAMED
from sixdim.parsers.telemetry.dialects.smi_csv import header, split
from sixdim.parsers.telemetry.dialects.smi_fields import MAX_PROCESSES, Devices, mebibytes
from sixdim.parsers.telemetry.draft import Draft
from sixdim.parsers.telemetry.stamps import time_of
from sixdim.parsers.text.lines import Line

MEMORY = ("used_gpu_memory", "used_memory")
DEVICE = ("gpu_uuid", "gpu_bus_id", "gpu_serial")
APART_US = 50_000
"""Microseconds between samples, at least: one sample's rows are printed within milliseconds."""

_NAME = re.compile(r"(?P<name>[a-z_]{1,40})(?: \[(?P<unit>.{1,4})\])?+")


def _header(text: str) -> dict[str, tuple[int, str]]:
    """Returns index and unit of each column; empty if the row is no such header."""
    if "pid" not in text:
        return {}
    found = [_NAME.fullmatch(cell) for cell in split(text)]
    columns = {one["name"]: (at, one["unit"] or "") for at, one in enumerate(found) if one}
    whole = len(columns) == len(found) and "pid" in columns
    return columns if whole and any(name in columns for name in MEMORY) else {}


class _Sample:
    """Collects the processes of one moment, device by device."""

    def __init__(self) -> None:
        self.time_us: int | None = None
        self.held: dict[tuple[int, str], dict[str, float | None]] = {}

    def readings(self) -> Iterator[Reading]:
        for (device, uuid), processes in self.held.items():
            draft = Draft(device, "nvidia-smi", uuid=uuid, time_us=self.time_us)
            draft.put_processes(list(processes.values()), "device")
            yield draft.reading()


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    devices, columns, skipped = Devices(), dict[str, tuple[int, str]](), 0
    sample = _Sample()
    for line in lines:
        if found := _header(line.text):
            columns = found
            continue
        cells = split(line.text)
        if not columns or not line.text:
            continue
        # A process's name may contain commas: the columns after it are counted from the end.
        if len(cells) < len(columns) or (
            len(cells) > len(columns) and "process_name" not in columns
        ):
            skipped += 1
            continue
        row = {name: _cell(cells, at, unit, columns) for name, (at, unit) in columns.items()}
        identity = next((row[name] for name in DEVICE if name in row), "")
        if not identity:
            notes.add(UNNAMED)
        key = (devices.of(identity), row.get("gpu_uuid", ""))
        time_us = time_of(row.get("timestamp", ""))
        if row["pid"] in sample.held.get(key, ()) or _apart(sample.time_us, time_us):
            yield from sample.readings()
            sample = _Sample()
        sample.time_us = sample.time_us if sample.time_us is not None else time_us
        processes = sample.held.setdefault(key, {})
        if len(processes) < MAX_PROCESSES:
            processes[row["pid"]] = mebibytes(next(row[name] for name in MEMORY if name in row))
    yield from sample.readings()
    notes.left_out(skipped)


def _cell(cells: list[str], at: int, unit: str, columns: dict[str, tuple[int, str]]) -> str:
    name_at = columns.get("process_name", (len(columns), ""))[0]
    text = cells[at if at <= name_at else at - len(columns)]
    return f"{text} {unit}" if unit and text.isdigit() else text


def _apart(before_us: int | None, time_us: int | None) -> bool:
    return before_us is not None and time_us is not None and abs(time_us - before_us) > APART_US


def _matches(head: list[Line]) -> bool:
    """Whether a process is listed below such a header, and no header of devices' own figures."""
    below = listed = False
    for line in head:
        if processes := _header(line.text) or header(line.text):
            below = isinstance(processes, dict)
        else:
            listed = listed or (below and any(map(str.isdigit, split(line.text))))
    return listed and not any(is_header(line.text) for line in head)


DIALECT = Dialect("smi --query-compute-apps CSV", _matches, _read)
