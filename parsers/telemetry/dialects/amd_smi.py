"""`amd-smi monitor` (a table with a row for each GPU) and `amd-smi metric` (a tree), in a loop."""

from collections.abc import Iterable, Iterator
from functools import partial

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes, any_line, any_stripped
from sixdim.parsers.telemetry.dialects.tree import read_trees
from sixdim.parsers.telemetry.draft import Draft
from sixdim.parsers.telemetry.stamps import COUNTED, moment_of, time_of
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

COLUMNS = {
    "POWER": "power_w",
    "GPU_T": "temperature_c",
    "GPU_TEMP": "temperature_c",
    "HOTSPOT_TEMP": "temperature_c",
    "GFX%": "utilisation",
    "GFX_UTIL": "utilisation",
    "VRAM_USED": "memory_mib",
    "VRAM_TOTAL": "memory_total_mib",
}
USAGE = "VRAM_USAGE"
ROUNDED = "memory is printed in tenths of a GB: within 51 MiB"
PARTITION = "rows of further partitions of a GPU (XCP above 0) are left out"

_HEADER = pattern(r"(?:TIMESTAMP\s++)?+GPU\s++(?:XCP\s++)?+(?P<rest>[A-Z][A-Z_%0-9 ]{0,300}+)")
_CELL = pattern(
    r"(?:N/A|\d{1,12}+(?:\.\d{1,3}+)?+(?:/\s{0,8}+\d{1,9}+(?:\.\d{1,3}+)?+)?+)"
    r"(?:\s(?:W|°?C|%|[MG]B|[MG]Hz|[MG]b/s))?+(?!\S)|[A-Z][A-Z_]{1,30}+(?!\S)"
)
_USAGE = pattern(r"(?P<used>\d[\d.]*+)/\s*+(?P<of>\d[\d.]*+)\s(?P<unit>[MG])B")


def _columns(text: str) -> list[str]:
    """Returns the columns of a header; empty for any other line."""
    found = _HEADER.fullmatch(text.strip())
    names = text.split()
    return names if found and {*COLUMNS, USAGE} & set(names) else []


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    columns: list[str] = []
    time_us: int | None = None
    skipped = 0
    for line in lines:
        text = line.text.strip()
        if found := _columns(text):
            columns = found
        elif (stamp := time_of(text)) is not None:
            time_us = stamp
        elif text.startswith("PROCESS"):
            columns = []  # the rows of processes follow
        elif columns and text[:1].isdecimal():
            cells = _CELL.findall(text)
            row = dict(zip(columns, cells, strict=False))
            if len(cells) != len(columns) or not row["GPU"].isdecimal():
                skipped += 1
            elif row.get("XCP", "0") in ("0", "N/A"):
                yield _row(row, time_us, notes)
            else:
                notes.add(PARTITION)
    notes.left_out(skipped, "lines that are no row")


def _row(row: dict[str, str], time_us: int | None, notes: Notes) -> Reading:
    draft = Draft(int(row["GPU"][:5]), "amd-smi", time_us=time_us)
    if "TIMESTAMP" in row:
        draft.time_us = moment_of(row["TIMESTAMP"])
        notes.add(COUNTED)
    for column, field in COLUMNS.items():
        if column in row:
            draft.put_text(field, row[column])
    if pair := _USAGE.fullmatch(row.get(USAGE, "")):
        unit = f"{pair['unit']}iB"
        draft.put_text("memory_mib", f"{pair['used']} {unit}")
        draft.put_text("memory_total_mib", f"{pair['of']} {unit}")
        if unit == "GiB":
            notes.add(ROUNDED)
    return draft.reading()


MONITOR = Dialect("amd-smi monitor", any_stripped(_columns), _read)

_GPU = pattern(r"GPU: (?P<index>\d{1,5})\s*+")
_METRIC = pattern(r"\s{4}(?:SOCKET_POWER|USED_VRAM|POWER|MEM_USAGE):.*+")
PATHS = {
    "power/socket_power": "power_w",
    "mem_usage/used_vram": "memory_mib",
    "mem_usage/total_vram": "memory_total_mib",
    "usage/gfx_activity": "utilisation",
    "temperature/hotspot": "temperature_c",
}


def _is_metric(head: list[Line]) -> bool:
    return any_line(_GPU.fullmatch)(head) and any_line(_METRIC.fullmatch)(head)


METRIC = Dialect(
    "amd-smi metric",
    _is_metric,
    partial(read_trees, source="amd-smi", begins=_GPU, paths=PATHS),
)
