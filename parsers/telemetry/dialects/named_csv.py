"""CSV of users' scripts and of Paddle's launcher, whose column names tell quantity and unit.

The names are read word by word: `gpu_power_w`, `vram_used_mb`, `GPU Util (%)`, `memory_used`. A
column counts only if its name leaves no doubt whose figure it is.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes, any_line, noted_moment
from sixdim.parsers.telemetry.dialects.column_names import (
    DEVICE,
    FIGURES,
    HOST,
    KNOWN,
    MEMORY,
    OTHER,
    UNITS,
    words_in,
)
from sixdim.parsers.telemetry.dialects.rocm_text import csv_header
from sixdim.parsers.telemetry.dialects.row_order import UNNAMED, numbered
from sixdim.parsers.telemetry.dialects.smi_csv import header as smi_header
from sixdim.parsers.telemetry.dialects.smi_fields import Devices
from sixdim.parsers.telemetry.draft import Draft, is_bare
from sixdim.parsers.text.lines import Line, label
from sixdim.parsers.text.patterns import pattern

_NAME = pattern(r'"?[A-Za-z_][\w .%/()\[\]°\ufffd-]{0,60}"?')
_NUMBERED = pattern(r"(?i:gpu|card|cuda|device)[ _.:#-]?(?P<index>\d{1,3})(?!\d)")
"""The device in the name of a column: `gpu1_power_w`, `GPU 1 power (W)`."""
_INDEX = pattern(r"(?:gpu|card|cuda|device|npu)?[ :#_]?(?P<index>\d{1,4})")
DELIMITERS = (",", ";", "\t")
_MOST_COLUMNS = 400

GIGABYTES = "in GB, of 10^9 or of 2^30 bytes"
UNIT_UNKNOWN = "a fraction in a column that names no unit"
SHARE_OR_SIZE = "MiB or percent: the column names no unit"

_UNITLESS = {"power_w": "W", "power_limit_w": "W", "memory_mib": "MiB", "memory_total_mib": "MiB"}


class _Columns:
    """The columns of a header that are read, by field, the units and all words of the header."""

    def __init__(self, cells: Sequence[str], delimiter: str) -> None:
        self.delimiter = delimiter
        self.width = len(cells)
        self.units: dict[int, str] = {}
        self._doubtful: set[int] = set()
        self.at: dict[str, int] = {}
        self.numbered: dict[str, dict[str, int]] = {}
        words = [words_in(cell) for cell in cells]
        self.words = set[str]().union(*words)
        self._of_others = bool(OTHER & self.words)
        self._beside_host = bool(HOST & self.words)
        self._named = bool(DEVICE & self.words)
        for at, one in enumerate(words):
            self.units[at] = next((UNITS[word] for word in one if word in UNITS), "")
            name = " ".join(word for word in one if word not in UNITS)
            if field := self._field(name, self.units[at]):
                if field == "memory_mib" and not self.units[at] and "used" not in one:
                    self._doubtful.add(at)  # a usage may be a share
                number = _NUMBERED.search(cells[at])
                own = self.numbered.setdefault(number["index"], {}) if number else self.at
                own.setdefault(field, at)

    @property
    def holds(self) -> bool:
        """Whether these are readings of devices: watts or MiB, and nothing else."""
        fields = set(self.at).union(*self.numbered.values())
        return not self._of_others and bool({"power_w", "memory_mib"} & fields)

    def _field(self, name: str, unit: str) -> str:
        """Returns the field that a column holds; empty where that is in doubt."""
        for field, names in KNOWN.items():
            if name in names:
                return field
        words = set(name.split())
        if not words & DEVICE and (self._beside_host or not self._named):
            return ""
        return next((one.field for one in FIGURES if one.is_named(words, unit)), "")

    def readings(self, cells: Sequence[str], devices: Devices, notes: Notes) -> Iterator[Reading]:
        """Yields the reading of a row, or those of the devices that columns are named after."""
        given = {field: cells[at] for field, at in self.at.items() if field in KNOWN}
        alone = len(self.numbered) < 2
        for index, own in self.numbered.items() or (("", self.at),):
            known = given | ({"device": index} if index else {})
            draft = Draft(self._device(known, devices, notes), "recorded")
            draft.time_us = noted_moment(known.get("time", ""), notes)
            draft.host, draft.name = known.get("host", ""), known.get("name", "")
            draft.uuid = known.get("uuid", "")
            for field, at in (self.at | own if alone else own).items():
                if field not in KNOWN:
                    self._put(draft, field, cells[at], at)
            yield draft.reading()

    def _put(self, draft: Draft, field: str, text: str, at: int) -> None:
        unit = self.units[at]
        if not is_bare(text):
            draft.put_text(field, text)  # it has a unit of its own, or is no figure
        elif unit == "GB":
            draft.lack(field, GIGABYTES)
        elif at in self._doubtful:
            draft.lack(field, SHARE_OR_SIZE)
        elif not unit and "." in text and field in ("memory_mib", "memory_total_mib"):
            draft.lack(field, UNIT_UNKNOWN)
        else:
            draft.put_text(field, f"{text} {unit or _UNITLESS.get(field, '')}")

    def _device(self, given: dict[str, str], devices: Devices, notes: Notes) -> int:
        text = given.get("device", "")
        if not text and "uuid" not in given:
            notes.add(UNNAMED)
        found = _INDEX.fullmatch(text.lower())
        identity = f"{given.get('host', '')}/{text or given.get('uuid', '')}"
        return devices.of(identity, found["index"] if found else "")


def _columns(text: str) -> _Columns | None:
    """Returns the columns of a header, or of a line that looks like one; None for a row."""
    text = text.lstrip("\ufeff")
    delimiter = max(DELIMITERS, key=text.count)
    cells = [cell.strip() for cell in text.split(delimiter)]
    named = cells[1:] if not cells[0] else cells  # pandas leaves the name of its index empty
    if not 2 <= len(named) <= _MOST_COLUMNS or not all(map(_NAME.fullmatch, named)):
        return None
    return _Columns(cells, delimiter)


def _split(text: str, delimiter: str) -> list[str]:
    """Returns the cells of a row; in quotes, a cell may hold delimiters, as lists of amd-smi do."""
    if '"' not in text:
        return [cell.strip() for cell in text.split(delimiter)]
    try:
        rows = list(csv.reader([text], delimiter=delimiter, skipinitialspace=True))
    except csv.Error:  # a cell of more than 128 KiB
        return []
    return [cell.strip(' "') for row in rows for cell in row]


def is_header(text: str) -> bool:
    """Returns whether a line is such a header, and none of nvidia-smi's or rocm-smi's own."""
    found = _columns(text)
    if found is None or not found.holds:
        return False
    return smi_header(text) is None and not csv_header(text)


def doubtful(text: str) -> str:
    """Returns why a header of a power or a memory is none of a device's readings; else empty."""
    found = _columns(text)
    if found is None or not found.words & (MEMORY | {"power", "watts"}):
        return ""
    return f"its columns do not say that they are readings of a GPU: {label(text.strip(), 80)}"


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    return numbered(((reading, False) for reading in _rows(lines, notes)), notes)


def _rows(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    columns: _Columns | None = None
    devices = Devices()
    skipped = 0
    for line in lines:
        if (found := _columns(line.text)) is not None:
            columns = found if found.holds else None
        elif columns is not None:
            cells = _split(line.text, columns.delimiter)
            if len(cells) == columns.width:
                yield from columns.readings(cells, devices, notes)
            else:
                skipped += 1
    notes.left_out(skipped)


DIALECT = Dialect("CSV with named columns", any_line(is_header), _read)
