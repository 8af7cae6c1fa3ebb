"""The default table of `nvidia-smi`, `ixsmi`, `hl-smi`, `cnmon` in a loop: two lines per device."""

import re
from collections.abc import Iterable, Iterator

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes, any_stripped, table_cells
from sixdim.parsers.telemetry.draft import Draft
from sixdim.parsers.telemetry.stamps import time_of
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_TITLE = pattern(r"\|\s++(?P<tool>NVIDIA-SMI|IX-ML:|HL-SMI|CNMON)\s++\S[^|]*+\|")
_TIME = pattern(r"(?:Timestamp\s++)?+(?P<time>[A-Z\d].{10,44})")
_PAIR = pattern(
    r"(?P<used>[\d.]{1,9}(?:\s?[A-Za-z]{1,3})?|N/A)\s*+/\s*+"
    r"(?P<of>[\d.]{1,9}(?:\s?[A-Za-z]{1,3})?|N/A)"
)
_STATES = frozenset({"On", "Off", "N/A"})
_SOURCES = {"NVIDIA-SMI": "nvidia-smi", "IX-ML:": "ixsmi", "HL-SMI": "hl-smi", "CNMON": "cnmon"}


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    source = "nvidia-smi"
    time_us: int | None = None
    untimed = False
    draft: Draft | None = None
    whole: Draft | None = None
    for line in lines:
        text = line.text.strip()
        if whole is not None:
            if table_cells(text)[2:] == ["Enabled"]:
                whole.name += " (MIG on)"
            yield whole.reading()
            whole = None
        if title := _TITLE.fullmatch(text):
            source = _SOURCES[title["tool"]]
            untimed = untimed or time_us is None
            draft = None
        elif cells := table_cells(text):
            if draft is not None and "/" in cells[1]:
                _fill(draft, cells)
                draft, whole = None, draft
            else:
                draft = _begin(cells, source, time_us)
        elif time := _TIME.fullmatch(text):
            stamp = time_of(time["time"])
            time_us = stamp if stamp is not None else time_us
        elif text.startswith("| Processes"):
            time_us = None  # the next table has a time of its own, or none
    if whole is not None:
        yield whole.reading()
    if untimed:
        notes.add("tables without a time above them: their readings carry none")


def _begin(cells: list[str], source: str, time_us: int | None) -> Draft | None:
    """Reads the first line of a device: index and name, then its place on the bus; else None."""
    words = cells[0].split()
    if len(words) < 2 or not words[0].isdecimal() or len(words[0]) > 5 or ":" not in cells[1]:
        return None
    draft = Draft(int(words[0]), source, time_us=time_us)
    if source == "cnmon":  # index, virtual function, name, firmware; the use stands beside it
        draft.name = " ".join(words[2:-1])
        draft.put_text("utilisation", (cells[2].split() or [""])[0])
    else:
        draft.name = " ".join(words[1:-1] if words[-1] in _STATES else words[1:])
    return draft


def _fill(draft: Draft, cells: list[str]) -> None:
    """Reads the second line: temperature, power, memory, utilisation."""
    power, memory = _last_pair(cells[0]), _last_pair(cells[1])
    if power:
        draft.put_text("power_w", power["used"])
        draft.put_text("power_limit_w", power["of"])
    if memory:
        draft.put_text("memory_mib", memory["used"])
        draft.put_text("memory_total_mib", memory["of"])
    words = cells[0].split()
    if len(words) > 1:
        draft.put_text("temperature_c", words[1])
    if draft.source != "cnmon":
        draft.put_text("utilisation", cells[2].split()[0] if cells[2] else "N/A")


def _last_pair(cell: str) -> re.Match[str] | None:
    found = list(_PAIR.finditer(cell))
    return found[-1] if found else None


DIALECT = Dialect("smi table", any_stripped(_TITLE.fullmatch), _read)
