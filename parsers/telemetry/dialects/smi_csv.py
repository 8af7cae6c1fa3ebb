"""`--query-gpu=… --format=csv` of nvidia-smi and ixsmi, `hl-smi -Q … -f csv`: with a header."""

from collections.abc import Iterable, Iterator, Sequence

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes, any_line, noted_moment
from sixdim.parsers.telemetry.dialects.row_order import UNNAMED, numbered
from sixdim.parsers.telemetry.dialects.smi_fields import Devices
from sixdim.parsers.telemetry.draft import Draft, count, is_absent, is_bare
from sixdim.parsers.telemetry.metric_names import words_of
from sixdim.parsers.telemetry.stamps import moment_of, zone_note
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

COLUMNS = {
    "power_w": ("power.draw", "gpu.power.draw", "power.draw.average", "power.draw.instant"),
    "power_limit_w": (
        "enforced.power.limit",
        "power.limit",
        "gpu.current.power.limit",
        "gpu.power.limit",
    ),
    "memory_mib": ("memory.used",),
    "memory_total_mib": ("memory.total",),
    "utilisation": ("utilization.gpu", "utilization.aip"),
    "temperature_c": ("temperature.gpu", "temperature.aip"),
}
"""The vendors' names; the first one with a figure counts, so a device's sample is one reading."""

DEFAULT_UNITS = {"power_w": "W", "power_limit_w": "W", "memory_mib": "MiB"}
THROTTLE = ("clocks_event_reasons.active", "clocks_throttle_reasons.active")
"""NVML's bits, in hexadecimal digits."""
INDEX = ("gpu", "gpu_id", "gpu_index", "index")
"""Names of the device's index; a script's own column in front tells apart what `index` may not."""
TIMES = ("timestamp", "time", "datetime", "date")
HOSTS = ("hostname", "host", "node")
"""Names of a column that a script puts in front of the tool's own."""
_OWN = {"gpu.power.draw": "ixsmi", "utilization.aip": "hl-smi", "temperature.aip": "hl-smi"}
"""Names of one tool alone."""
IDENTITY = ("uuid", "gpu_uuid", "pci.bus_id", "gpu_bus_id", "serial", "gpu_serial")

_BITS = pattern(r"0x[0-9a-fA-F]{1,16}")
_HEADER = pattern(r"\s*+(?P<name>[A-Za-z_][\w.]{1,80})(?: \[(?P<unit>.{1,4})\])?+")
_FIGURES = frozenset(name for names in COLUMNS.values() for name in names)


class SmiTable:
    """Makes readings from the rows of a recording, by its columns."""

    def __init__(
        self, names: Sequence[str], units: Sequence[str], devices: Devices | None = None
    ) -> None:
        self.width = len(names)
        self._names = {name: at for at, name in reversed(list(enumerate(names)))}
        self._picked = [
            (field, found)
            for field, wanted in COLUMNS.items()
            if (
                found := [
                    (self._names[name], units[self._names[name]] or DEFAULT_UNITS.get(field, ""))
                    for name in wanted
                    if name in self._names
                ]
            )
        ]
        self._index = [self._names[name] for name in INDEX if name in self._names]
        self._identity, self._time = self._place(*IDENTITY), self._place(*TIMES)
        self._name, self._uuid = self._place("name", "gpu_name"), self._place("uuid", "gpu_uuid")
        self._host, self._throttle = self._place(*HOSTS), self._place(*THROTTLE)
        self._devices = devices if devices is not None else Devices()
        self._with_units: set[str] = set()
        own = (tool for name, tool in _OWN.items() if name in self._names)
        self._source = next(own, "nvidia-smi")

    def reading(self, cells: Sequence[str], notes: Notes, time_us: int | None = None) -> Reading:
        """Returns one row as a reading, made at `time_us` if no column says when."""
        draft = Draft(self._device(cells, notes), self._source)
        draft.name = cells[self._name] if self._name >= 0 else ""
        if "iluvatar" in draft.name.lower():
            draft.source = "ixsmi"
        draft.uuid = cells[self._uuid] if self._uuid >= 0 else ""
        draft.host = cells[self._host] if self._host >= 0 else ""
        time = cells[self._time] if self._time >= 0 else ""
        draft.time_us = noted_moment(time, notes) if time else time_us
        if self._throttle >= 0 and _BITS.fullmatch(bits := cells[self._throttle]):
            draft.throttle = words_of(int(bits, 16))
        for field, columns in self._picked:
            known = (one for one in columns if not is_absent(cells[one[0]]))
            at, unit = next(known, columns[0]) if len(columns) > 1 else columns[0]
            text = cells[at]
            if not is_bare(text):
                draft.put_text(field, text)
                if field in draft.values:
                    self._with_units.add(field)
            elif field in self._with_units:
                draft.lack(field, f"{text} without its unit: cut off")
            else:
                draft.put_text(field, f"{text} {unit}")
        return draft.reading()

    def _device(self, cells: Sequence[str], notes: Notes) -> int:
        index = next((cells[at] for at in self._index if count(cells[at]) is not None), "")
        identity = cells[self._identity] if self._identity >= 0 else ""
        if not index and not identity:
            notes.add(UNNAMED)
        return self._devices.of(identity, index)

    def _place(self, *names: str) -> int:
        """Returns the column of the first of these names that there is; -1 if there is none."""
        return next((self._names[name] for name in names if name in self._names), -1)


def split(text: str) -> list[str]:
    """Returns the cells of one row."""
    return [cell.strip() for cell in text.split(",")]


def header(text: str, devices: Devices | None = None) -> SmiTable | None:
    """Returns the table of a header; None if the row is no header, or names no figure.

    A repeated header does not change the indices of `devices` known from earlier rows.
    """
    if "," not in text and "[" not in text and text.strip() not in _FIGURES:
        return None
    cells = text.split(",")
    if len(cells) > 400 or not _HEADER.fullmatch(cells[0].rstrip()):
        return None
    found = [one for cell in cells if (one := _HEADER.fullmatch(cell.rstrip()))]
    names = [one["name"] for one in found]
    if len(found) < len(cells) or not _FIGURES & set(names):
        return None
    return SmiTable(names, [one["unit"] or "" for one in found], devices)


def after_dates(lines: Iterable[Line], notes: Notes) -> Iterator[tuple[Line, int | None]]:
    """Yields each line with the time on the last line that holds nothing else, of `date`."""
    time_us: int | None = None
    for line in lines:
        found = moment_of(line.text.strip())
        if found is None:
            yield line, time_us
            continue
        time_us = found
        if note := zone_note(line.text):
            notes.add(note)


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    return numbered(_rows(lines, notes), notes)


def _rows(lines: Iterable[Line], notes: Notes) -> Iterator[tuple[Reading, bool]]:
    table: SmiTable | None = None
    devices = Devices()
    skipped = 0
    for line, time_us in after_dates(lines, notes):
        if (found := header(line.text, devices)) is not None:
            table = found
            continue
        if table is None:
            continue
        cells = split(line.text)
        if len(cells) == table.width:
            yield table.reading(cells, notes, time_us), time_us is not None
        else:
            skipped += 1
    notes.left_out(skipped)


DIALECT = Dialect("smi --query-gpu CSV", any_line(header), _read)
