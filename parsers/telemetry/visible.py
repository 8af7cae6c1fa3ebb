"""`CUDA_VISIBLE_DEVICES`: which devices of the machine belong to the run."""

from collections.abc import Mapping, Sequence

_PREFIX = "GPU-"
VARIABLES = ("CUDA_VISIBLE_DEVICES", "ILUVATAR_COREX_VISIBLE_DEVICES")


def visible_devices(environment: Mapping[str, str], uuids: Sequence[str]) -> list[int | str] | None:
    """Returns the named devices as indices into `uuids`; MIG slices as they are written.

    CUDA's own rules: a list of indices or of UUIDs (a unique beginning of one that is longer than
    `GPU-`). Reading ends at the first entry that names no device, so `-1` and an empty list hide
    all. Indices are read in the order NVML counts; see `order_unknown`.

    Returns:
        None if the environment restricts nothing.
    """
    name = next((name for name in VARIABLES if name in environment), None)
    if name is None:
        return None
    value = environment[name]
    if value.strip().lower() == "all" and name != VARIABLES[0]:
        return None  # CUDA has no such word: there it hides all
    chosen: list[int | str] = []
    for entry in (part.strip() for part in value.split(",")):
        found = _entry(entry, uuids)
        if found is None or found in chosen:
            break
        chosen.append(found)
    return chosen


def order_unknown(environment: Mapping[str, str], names: Sequence[str]) -> bool:
    """Returns whether indices may mean other devices than NVML's, as their products differ.

    CUDA counts the fastest device first, unless `CUDA_DEVICE_ORDER=PCI_BUS_ID`.
    """
    entries = environment.get(VARIABLES[0], "").split(",")
    by_index = any(entry.strip().isdigit() for entry in entries)
    by_bus = environment.get("CUDA_DEVICE_ORDER") == "PCI_BUS_ID"
    return by_index and not by_bus and len(set(names)) > 1


def _entry(entry: str, uuids: Sequence[str]) -> int | str | None:
    if entry.isascii() and entry.isdigit():
        return int(entry) if len(entry) < 6 and int(entry) < len(uuids) else None
    if entry.startswith("MIG-"):
        return entry
    matches = [i for i, uuid in enumerate(uuids) if uuid.startswith(entry)]
    return matches[0] if len(matches) == 1 and len(entry) > len(_PREFIX) else None
