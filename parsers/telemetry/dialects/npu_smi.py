"""Ascend's `npu-smi info` table in a loop, `info watch`, and `-t power` and `-t usages` lists."""

from collections.abc import Iterable, Iterator

from sixdim.parsers.reading import BOARD_AT, Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes, any_stripped, table_cells
from sixdim.parsers.telemetry.dialects.smi_fields import Devices
from sixdim.parsers.telemetry.draft import SHARE_ONLY, Draft
from sixdim.parsers.telemetry.stamps import time_of
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_TITLE = pattern(r"\|\s*+npu-smi\s[^|]*+\|")
_PAIR = pattern(r"(?P<used>\d{1,9})\s*+/\s*+(?P<of>\d{1,9})")


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    devices = Devices()
    time_us: int | None = None
    above: list[str] = []
    processes = False
    owners: dict[str, int] = {}
    for line in lines:
        text = line.text.strip()
        if _TITLE.fullmatch(text):
            processes, above, owners = False, [], {}
        cells = table_cells(text)
        if not cells:
            stamp = time_of(text)
            time_us = stamp if stamp is not None else time_us
        elif cells[0].startswith("NPU"):
            processes, above = cells[1].startswith("Process"), []
        elif processes or not cells[0][:1].isdecimal():
            above = []
        elif not above:
            above = cells
        else:
            yield _chip(above, cells, devices, owners, time_us)
            above = []


def _chip(
    first: list[str],
    second: list[str],
    devices: Devices,
    owners: dict[str, int],
    time_us: int | None,
) -> Reading:
    """Reads the two lines of a chip: board, health and power; then chip, use and memory.

    A board of two chips prints its power at the first. `owners` maps each board of the sample to
    the device that carries its power.
    """
    board, *name = first[0].split()
    chip, *device = second[0].split()
    draft = Draft(
        devices.of(f"{board}/{chip}", device[0] if device else board if chip == "0" else ""),
        "npu-smi",
        name=" ".join(name),
        time_us=time_us,
    )
    power, temperature = [*first[2].split(), "", ""][:2]
    draft.put_text("power_w", power)
    _note_owner(draft, power, board, owners)
    draft.put_text("temperature_c", temperature)
    draft.put_text("utilisation", (second[2].split() or [""])[0])
    pairs = list(_PAIR.finditer(second[2]))
    if pairs:  # boards with HBM print it last, after the memory of the board's processor
        draft.put_text("memory_mib", pairs[-1]["used"])
        draft.put_text("memory_total_mib", pairs[-1]["of"])
    return draft.reading()


def _note_owner(draft: Draft, power: str, board: str, owners: dict[str, int]) -> None:
    """Notes which chip has the power of a board, or that it is another one than this."""
    if "power_w" in draft.values:
        owners.setdefault(board, draft.device)
    elif power == "-" and board in owners:
        draft.missing["power_w"] = f"{BOARD_AT}{owners[board]}"


DIALECT = Dialect("npu-smi table", any_stripped(_TITLE.fullmatch), _read)

_LISTED = pattern(r"\s*+(?P<name>[A-Z][\w ]{1,40}(?:\(\S{1,5}\))?+)\s*+:\s*+(?P<value>\S.*+)")
_FIGURES = {
    "Power Dissipation(W)": "power_w",
    "Real-time Power(W)": "power_w",
    "Aicore Usage Rate(%)": "utilisation",
    "HBM Capacity(MB)": "memory_total_mib",
    "DDR Capacity(MB)": "memory_total_mib",
    "Temperature(C)": "temperature_c",
    "NPU Temperature (C)": "temperature_c",
}
_SHARES = ("HBM Usage Rate(%)", "DDR Usage Rate(%)")


def _pairs(lines: Iterable[Line]) -> Iterator[tuple[str, str]]:
    for line in lines:
        if found := _LISTED.fullmatch(line.text.rstrip()):
            yield found["name"].strip(), found["value"]


def _is_list(head: list[Line]) -> bool:
    names = {name for name, _ in _pairs(head)}
    return "NPU ID" in names and bool(names & set(_FIGURES))


def _read_list(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    """Yields a reading per chip, whose figures end with its `Chip ID` or `Chip Name`."""
    board = 0
    fields: dict[str, str] = {}
    devices = Devices()
    for name, value in _pairs(lines):
        if name == "NPU ID":
            board = int(value) if value.isdecimal() and len(value) < 6 else 0
            fields = {}
        elif name in ("Chip ID", "Chip Name"):
            if fields:
                yield _listed(board, name, value, fields, devices, notes)
            fields = {}
        elif name in _FIGURES or name in _SHARES:
            fields[name] = value
    if fields:
        yield _listed(board, "", "", fields, devices, notes)


def _listed(
    board: int, label_of: str, value: str, fields: dict[str, str], devices: Devices, notes: Notes
) -> Reading:
    chip = int(value) if label_of == "Chip ID" and value.isdecimal() and len(value) < 3 else 0
    if chip:
        notes.add("a board's further chips are numbered on from its NPU ID")
    if value == "MCU":
        notes.add("power is reported by the board's controller: for all its chips together")
    draft = Draft(_index(devices, board, chip), "npu-smi")
    for name, text in fields.items():
        if name in _FIGURES:
            draft.put_text(_FIGURES[name], text)
        else:
            draft.lack("memory_mib", SHARE_ONLY)
    return draft.reading()


def _index(devices: Devices, board: int, chip: int) -> int:
    """Returns the index of a chip: its board's ID, and the next free ones for further chips."""
    known = devices.known(f"{board}/{chip}")
    return devices.new(f"{board}/{chip}", str(board + chip)) if known is None else known


LISTS = Dialect("npu-smi list", _is_list, _read_list)

_WATCHED = {"Pwr(W)": "power_w", "Temp(C)": "temperature_c", "AI Core(%)": "utilisation"}
_COLUMN = pattern(r"[A-Z][A-Za-z ]{1,30}\([^()\s]{1,5}\)")


def _watch_columns(text: str) -> list[str]:
    """Returns the columns of the header of `info watch`; empty for any other line."""
    names = _COLUMN.findall(text) if text.startswith("NpuID(Idx)") else []
    return [name.strip() for name in names] if {*_WATCHED} & {*names} else []


def _read_watch(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    columns: list[str] = []
    devices = Devices()
    owners: dict[str, int] = {}
    skipped = 0
    for line in lines:
        cells = line.text.split()
        if found := _watch_columns(line.text.strip()):
            columns = found
        elif columns and len(cells) == len(columns):
            row = dict(zip(columns, cells, strict=True))
            board, chip = row["NpuID(Idx)"], row.get("ChipId(Idx)", "0")
            if board.isdecimal() and chip.isdecimal() and len(board) < 6 and len(chip) < 3:
                yield _watched(row, _index(devices, int(board), int(chip)), board, owners)
        elif cells:
            skipped += 1
    notes.left_out(skipped, "lines that are no row")


def _watched(row: dict[str, str], device: int, board: str, owners: dict[str, int]) -> Reading:
    draft = Draft(device, "npu-smi")
    for column, field in _WATCHED.items():
        if column in row:
            draft.put_text(field, row[column])
    _note_owner(draft, row.get("Pwr(W)", ""), board, owners)
    draft.lack("memory_mib", SHARE_ONLY)
    return draft.reading()


WATCH = Dialect("npu-smi watch", any_stripped(_watch_columns), _read_watch)
