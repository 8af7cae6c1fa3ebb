"""Gives each field of `-q`, from text or XML, one name, and makes readings from them.

Both shapes are the same tree. A path has the names in lower case with underscores, joined by
slashes: `FB Memory Usage` > `Used` and `<fb_memory_usage><used>` have the same path.
"""

from collections.abc import Mapping

from sixdim.parsers.reading import BOARD_AT
from sixdim.parsers.telemetry.dialects.base import Notes
from sixdim.parsers.telemetry.draft import Draft, count, is_absent, is_bare
from sixdim.parsers.text.lines import label
from sixdim.parsers.text.patterns import pattern

POWER = (
    "power_readings/power_draw",
    "gpu_power_readings/power_draw",
    "power_readings/gpu_power_draw",
    "gpu_power_readings/average_power_draw",
    "gpu_power_readings/instantaneous_power_draw",
    "gpu_power_readings/instant_power_draw",
    "power_readings/average_power_draw",
    "power_readings/instantaneous_power_draw",
)
"""First wins: `Power Draw` of older drivers is what newer ones call `Average`, so recordings of
both stay comparable, and one sample of a device is one reading."""

BOARD_POWER = "power_readings/board_power_draw"

FIELDS = {
    "power_limit_w": (
        "power_readings/enforced_power_limit",
        "gpu_power_readings/current_power_limit",
        "power_readings/current_gpu_power_limit",
        "power_readings/current_power_limit",
        "power_readings/power_limit",
    ),
    "memory_mib": ("fb_memory_usage/used", "memory_usage/used"),
    "memory_total_mib": ("fb_memory_usage/total", "memory_usage/total"),
    "utilisation": ("utilization/gpu_util", "utilization/gpu"),
    "temperature_c": ("temperature/gpu_temp", "temperature/gpu_current_temp", "temperature/gpu"),
}

NAMES = ("product_name",)
UUIDS = ("uuid", "gpu_uuid")
MAX_PROCESSES = 4096
BOARDS = ("serial", "serial_number", "board_id")

_REASONS = {
    "applications_clocks_setting": "application clocks",
    "sw_power_cap": "power cap",
    "hw_slowdown": "hardware slowdown",
    "sync_boost": "sync boost",
    "sw_thermal_slowdown": "thermal (software)",
    "hw_thermal_slowdown": "thermal (hardware)",
    "hw_power_brake_slowdown": "power brake",
    "display_clock_setting": "display clocks",
    "display_clocks_setting": "display clocks",
}
_THROTTLE = pattern(
    r"clocks_(?:event|throttle)_reasons/(?:hw_slowdown/)?+"
    r"(?:clocks_(?:event|throttle)_reason_)?+(?P<reason>\w{1,60})"
)
_HELD = pattern(
    r"processes/(?:process_info/|process_id/)?+(?P<what>type|used_memory|used_gpu_memory)"
)
GPU_ONLY = "power is each GPU's own: the board's, reported beside it, is not added"
BOARD_ONLY = "power is the board's, counted once at its first GPU"


def normal(name: str) -> str:
    """Returns a field's name as a part of a path."""
    return "_".join(name.strip().lower().split())


class Devices:
    """Keeps each device's index throughout one recording."""

    def __init__(self) -> None:
        self._index: dict[str, int] = {}
        self._used: set[int] = set()

    def of(self, identity: str, reported: str = "") -> int:
        """Returns the reported index, else the one that the identity got when first seen."""
        if (index := count(reported)) is not None:
            return index
        known = self.known(identity)
        return self.new(identity) if known is None else known

    def known(self, identity: str) -> int | None:
        """Returns the index of a device that was seen before; None for a new device."""
        return self._index.get(identity)

    def new(self, identity: str, reported: str = "") -> int:
        """Returns the index of a new device: the reported one, or the first free one."""
        index = count(reported)
        if index is None:
            index = len(self._index)
        while index in self._used:
            index += 1
        if identity or not reported:  # a device without a name differs only by its index
            self._index[identity] = index
            self._used.add(index)
        return index


class Processes:
    """Sums the memory of the processes listed under one device; their paths are all the same."""

    def __init__(self) -> None:
        self._mib: list[float | None] = []
        self._listed = False
        self._computes = True

    def take(self, path: str, value: str) -> bool:
        """Stores a field of a process, and returns whether the path is one.

        Only processes whose type has a `C` compute.
        """
        found = _HELD.fullmatch(path)
        if found is None:
            self._listed = self._listed or path == "processes"
            return False
        self._listed = True
        if found["what"] == "type":
            self._computes = "C" in value
        elif self._computes and len(self._mib) < MAX_PROCESSES:
            self._mib.append(mebibytes(value))
        return True

    def fill(self, draft: Draft) -> None:
        """Puts the processes into a draft if the device lists any, or an empty list."""
        if self._listed:
            draft.put_processes(self._mib, "device")


def mebibytes(text: str) -> float | None:
    """Converts a process's memory as a tool prints it; None if it is not reported."""
    one = Draft(0, "")
    one.put_text("process_mib", text)
    return one.values.get("process_mib")


def smi_draft(fields: Mapping[str, str], draft: Draft, notes: Notes) -> None:
    """Fills a draft from the paths of one device."""
    draft.name = _first(fields, NAMES)
    draft.uuid = _first(fields, UUIDS)
    if fields.get("mig_mode/current_mig", fields.get("mig_mode/current", "")) == "Enabled":
        draft.name += " (MIG on)"
    for field, paths in (("power_w", POWER), *FIELDS.items()):
        found = [fields[path] for path in paths if path in fields]
        if found:
            text = next((text for text in found if not is_absent(text)), found[0])
            if is_bare(text):
                draft.lack(field, f"{text} without its unit: cut off")
            else:
                draft.put_text(field, text)
    draft.throttle = tuple(
        dict.fromkeys(
            _REASONS[reason["reason"]]
            for path, value in fields.items()
            if value == "Active"
            and (reason := _THROTTLE.fullmatch(path))
            and reason["reason"] in _REASONS
        )
    )
    if not is_absent(fields.get(BOARD_POWER, "")) and "power_w" in draft.values:
        notes.add(GPU_ONLY)


def take_board_power(
    fields: Mapping[str, str], draft: Draft, owners: dict[str, int], notes: Notes
) -> None:
    """Gives a board's power to its first GPU in a sample, if only the board's is reported.

    `owners` maps each board of the sample to the device that carries its power.
    """
    reported = fields.get(BOARD_POWER, "")
    board = _first(fields, BOARDS)
    if "power_w" in draft.values or is_absent(reported) or not board:
        return
    owner = owners.setdefault(board, draft.device)
    if owner == draft.device:
        draft.put_text("power_w", reported)
        notes.add(BOARD_ONLY)
    else:
        draft.missing["power_w"] = f"{BOARD_AT}{owner}"


def _first(fields: Mapping[str, str], paths: tuple[str, ...]) -> str:
    found = (label(fields[path]) for path in paths if path in fields)
    return next((text for text in found if not is_absent(text)), "")
