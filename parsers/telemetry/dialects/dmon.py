"""`nvidia-smi dmon`, `ixsmi dmon`: a row of numbers per device, under a repeated header."""

import re
from collections.abc import Iterable, Iterator

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes, any_line
from sixdim.parsers.telemetry.draft import Draft
from sixdim.parsers.telemetry.stamps import time_of
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.partial_clocks import TimeOfDay
from sixdim.parsers.text.patterns import pattern

COLUMNS = {
    "pwr": "power_w",
    "gtemp": "temperature_c",
    "temp": "temperature_c",
    "sm": "utilisation",
    "fb": "memory_mib",
}
_HEADER = pattern(r"#\s*+(?:Date\s++)?+(?:Time\s++)?+gpu\s(?P<rest>.*+)", re.IGNORECASE)
_TIME = pattern(r"(?P<h>\d\d):(?P<m>\d\d):(?P<s>\d\d)")
CLOCK_ONLY = "rows have no date: the log's clock says of which day they are (dmon -o DT has dates)"


def _columns(text: str) -> list[str] | None:
    """Returns the header's columns in lower case; None for any other line, and for `pmon`."""
    plain = text.replace(",", " ").strip()
    if not _HEADER.fullmatch(plain):
        return None
    names = plain.lstrip("#").lower().split()
    return None if "pid" in names else names


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    columns: list[str] = []
    skipped, clock = 0, TimeOfDay()
    for line in lines:
        if line.text.lstrip().startswith("#"):
            columns = _columns(line.text) or columns
            continue
        cells = line.text.replace(",", " ").split()  # of `--format csv`, too
        row = dict(zip(columns, cells, strict=False))
        if len(cells) != len(columns) or not row.get("gpu", "").isdecimal():
            skipped += 1
            continue
        draft = Draft(int(row["gpu"][:6]), "nvidia-smi")
        if "date" in row:
            draft.time_us = time_of(f"{row['date']} {row['time']}")
        elif found := _TIME.fullmatch(row.get("time", "")):
            draft.time_us = clock.time_us(found)
            notes.add(CLOCK_ONLY)
        for name, field in COLUMNS.items():
            if name in row:
                draft.put_text(field, row[name])
        yield draft.reading()
    notes.left_out(skipped, "lines that are no row")


DIALECT = Dialect("smi dmon", any_line(_columns), _read)
