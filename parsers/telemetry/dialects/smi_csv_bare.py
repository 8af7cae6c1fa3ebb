"""`--query-gpu=… --format=csv,noheader`: columns are identified as far as units prove them."""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes
from sixdim.parsers.telemetry.dialects.row_order import numbered
from sixdim.parsers.telemetry.dialects.smi_csv import SmiTable, after_dates, split
from sixdim.parsers.telemetry.stamps import time_of
from sixdim.parsers.text.lines import Line

ROUNDING = 2
"""MiB by which the sum of two rounded figures may vary while their true sum is constant."""
EMPTY = 0.05
"""Part of its memory that an idle board holds at most, if no process is on it."""
_PROBE = 2000
"""Rows that are used to identify the columns of a recording without a header."""

_NOT_THEIRS = re.compile(r"\d{1,9}(?:\.\d{1,9})?(?:%|°?C|W|[KMG]i?B)")
"""A figure with its unit attached: the tools print a blank between them."""
_NO_FIGURE = re.compile(r"\[[A-Z][A-Za-z/ ]{1,40}\]|N/A|ERR!|Not Supported", re.IGNORECASE)
"""`[N/A]`, `[Unknown Error]`, `[GPU is lost]`, `[Insufficient Permissions]`."""
_KINDS = (
    ("uuid", re.compile(r"GPU-[0-9a-fA-F-]{8,40}")),
    ("bus", re.compile(r"[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d")),
    ("W", re.compile(r"\d{1,6}(?:\.\d{1,3})? W")),
    ("MiB", re.compile(r"\d{1,9} MiB")),
    ("%", re.compile(r"\d{1,3} %")),
    ("C", re.compile(r"\d{1,3} C")),
    ("number", re.compile(r"\d{1,6}")),
)


def _kind(cell: str) -> str:
    if _NO_FIGURE.fullmatch(cell):
        return "?"
    if time_of(cell) is not None:
        return "time"
    return next((name for name, shape in _KINDS if shape.fullmatch(cell)), "text")


def _kinds(rows: Sequence[Sequence[str]]) -> list[str]:
    """Returns the kind of each column; empty if the rows do not agree."""
    out: list[str] = []
    for column in zip(*rows, strict=True):
        seen = {_kind(cell) for cell in column} - {"?"}
        if len(seen) > 1:
            return []
        out.append(seen.pop() if seen else "?")
    return out


def _matches(head: list[Line]) -> bool:
    """Returns whether all rows have the same kinds of cells, among them a figure with its unit."""
    rows = [split(line.text) for line, _ in after_dates(head[:50], Notes())]
    if not rows or len({len(row) for row in rows}) != 1:
        return False
    if any(_NOT_THEIRS.fullmatch(cell) for row in rows for cell in row):
        return False  # of somebody's script: its watts may be a processor's
    return bool({"W", "MiB"} & set(_kinds(rows)))


def _columns(rows: Sequence[Sequence[str]], notes: Notes) -> list[str]:
    """Returns names for the columns of a recording without a header, found by their units."""
    kinds = _kinds(rows)
    names = [""] * len(kinds)
    for kind, name in (("time", "timestamp"), ("uuid", "uuid"), ("bus", "pci.bus_id")):
        if kind in kinds:
            names[kinds.index(kind)] = name
    for kind, name in (("%", "utilization.gpu"), ("C", "temperature.gpu")):
        if kind in kinds:
            names[kinds.index(kind)] = name
    first = kinds.index("number") if "number" in kinds else -1
    if 0 <= first <= 1 and _counts_devices([row[first] for row in rows]):
        names[first] = "index"
    if "text" in kinds:
        names[kinds.index("text")] = "name"
    watts, sizes, shares = (
        [at for at, kind in enumerate(kinds) if kind == unit] for unit in ("W", "MiB", "%")
    )
    identity = [at for at, name in enumerate(names) if name in ("index", "uuid", "pci.bus_id")]
    devices = [tuple(row[at] for at in identity) for row in rows]
    idle = [bool(shares) and all(row[at] == "0 %" for at in shares) for row in rows]
    for at, name in (_power(rows, watts, devices) | _memory(rows, sizes, idle)).items():
        names[at] = name
    named = ", ".join(f"{at + 1} {name}" for at, name in enumerate(names) if name)
    notes.add(f"no header: columns recognised by their units as {named}")
    return names


def _counts_devices(cells: Sequence[str]) -> bool:
    """Returns whether a column of numbers runs 0, 1, … through the devices, again and again."""
    if not all(cell.isdecimal() for cell in cells):
        return False
    most = max(int(cell) for cell in cells) + 1
    return all(int(cell) == at % most for at, cell in enumerate(cells)) and most < 1024


def _power(
    rows: Sequence[Sequence[str]], places: Sequence[int], devices: Sequence[tuple[str, ...]]
) -> dict[int, str]:
    """Returns which columns of watts are the power and its limit: the power of a device moves."""
    moving = [
        at
        for at in places
        if len({(device, row[at]) for device, row in zip(devices, rows, strict=True)})
        > len(set(devices))
    ]
    fixed = [at for at in places if at not in moving]
    if not moving and len(places) > 1:  # a single sample: what is drawn is below the limit
        first, second = places[:2]
        known = (row for row in rows if _all_known(row, (first, second)))
        if any(_figure(row[first]) > _figure(row[second]) for row in known):
            return {}
        moving, fixed = fixed[:1], fixed[1:]
    limits = dict.fromkeys(fixed[:1], "power.limit") if moving else {}
    return limits | dict.fromkeys((moving or places)[:1], "power.draw")


def _memory(
    rows: Sequence[Sequence[str]], places: Sequence[int], idle: Sequence[bool]
) -> dict[int, str]:
    """Returns which MiB columns are used and total memory, if the figures prove it."""
    if len(places) == 1:
        return {places[0]: "memory.used"}
    known = [(row, rest) for row, rest in zip(rows, idle, strict=True) if _all_known(row, places)]
    values = [[_figure(row[at]) for row, _ in known] for at in places]
    idle = [rest for _, rest in known]
    if len(places) == 3:
        for total, one, two in ((0, 1, 2), (1, 0, 2), (2, 0, 1)):
            triples = zip(values[total], values[one], values[two], strict=True)
            # Total less the driver's own reserve is used and free, in any order.
            if all(0.9 * t <= a + b <= t for t, a, b in triples):
                first = _used_first(values[one], values[two], idle)
                used = {} if first is None else {places[one if first else two]: "memory.used"}
                return {places[total]: "memory.total"} | used
    if len(places) != 2:
        return {}
    sums = [a + b for a, b in zip(*values, strict=True)]
    moving = all(len(set(column)) > 1 for column in values)
    if moving and max(sums) - min(sums) <= ROUNDING:  # used and free: their sum is constant
        return {places[_used_first(values[0], values[1], idle) is False]: "memory.used"}
    for most, part in ((0, 1), (1, 0)):
        pairs = [*zip(values[most], values[part], strict=True)]
        if len(set(values[most])) == 1 and all(a >= b for a, b in pairs):
            left = [a - b for a, b in pairs]
            is_used = _used_first(values[part], left, idle) is not False
            return {places[most]: "memory.total"} | (
                {places[part]: "memory.used"} if is_used else {}
            )
    return {}


def _used_first(one: Sequence[float], two: Sequence[float], idle: Sequence[bool]) -> bool | None:
    """Returns whether the first of used and free memory is the used one.

    None where nothing shows it.
    A board that does nothing may hold little, but has not little left.
    """
    columns = zip(one, two, idle, strict=True)
    at_rest = [(a, b) for a, b, rest in columns if rest]
    first, second = (any(pair[at] <= EMPTY * sum(pair) for pair in at_rest) for at in (0, 1))
    return first if first != second else None


def _all_known(row: Sequence[str], places: Sequence[int]) -> bool:
    return not any(_NO_FIGURE.fullmatch(row[at]) for at in places)


def _figure(cell: str) -> float:
    """Returns the number of a cell with a unit."""
    return float(cell.partition(" ")[0])


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    return numbered(_rows(lines, notes), notes)


def _rows(lines: Iterable[Line], notes: Notes) -> Iterator[tuple[Reading, bool]]:
    rest = ((split(line.text), time_us) for line, time_us in after_dates(lines, notes))
    first = [*itertools.islice(rest, _PROBE)]
    width = len(first[0][0])
    probe = [cells for cells, _ in first if len(cells) == width]
    names = _columns(probe, notes) if _kinds(probe) else _columns(probe[:50], notes)
    table = SmiTable(names, [""] * width)
    skipped = 0
    for cells, time_us in itertools.chain(first, rest):
        if len(cells) == width:
            yield table.reading(cells, notes, time_us), time_us is not None
        else:
            skipped += 1
    notes.left_out(skipped)


DIALECT = Dialect("smi --query-gpu CSV without header", _matches, _read)
