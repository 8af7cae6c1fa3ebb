"""`rocm-smi --json`: one object per sample, with a key per card; a file may have many objects."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sixdim.parsers.reading import BOARD_AT, Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes, any_line
from sixdim.parsers.telemetry.dialects.json_objects import objects
from sixdim.parsers.telemetry.draft import Draft, is_absent
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

KEYS = {
    "power_w": (
        "Average Graphics Package Power (W)",
        "Current Socket Graphics Package Power (W)",
        "Average Socket Graphics Package Power (W)",
    ),
    "power_limit_w": ("Max Graphics Package Power (W)",),
    "utilisation": ("GPU use (%)",),
    "temperature_c": ("Temperature (Sensor junction) (C)", "Temperature (Sensor edge) (C)"),
    "memory_mib": ("VRAM Total Used Memory (B)",),
    "memory_total_mib": ("VRAM Total Memory (B)",),
    "energy_j": ("Accumulated Energy (uJ)",),
}
NAMED = frozenset(key for keys in KEYS.values() for key in keys)
_SCALES = {"memory_mib": 1 / 1024**2, "memory_total_mib": 1 / 1024**2, "energy_j": 1e-6}
NAMES = ("Card series", "Card Series", "Card model", "Card Model", "Device Name")
_SECOND_DIE = "N/A (Secondary die)"
"""The power of a die whose module (MI250) has it at the other die: 0 and 1, 2 and 3 are modules."""
_CARD = pattern(r"card(?P<index>\d{1,5})")
_SIGN = pattern(r'[\[{,\s]*+"card\d{1,5}"\s*+:.*+')


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    for sample in objects(lines, notes):
        for key, card in sample.items():
            found = _CARD.fullmatch(key)
            if found and isinstance(card, dict):
                yield card_reading(int(found["index"]), card)


def card_reading(index: int, card: Mapping[str, Any], time_us: int | None = None) -> Reading:
    """Returns the reading of a card from its figures by rocm-smi's names."""
    draft = Draft(index, "rocm-smi", time_us=time_us)
    draft.name = next((str(card[name]) for name in NAMES if name in card), "")
    draft.uuid = str(card.get("Unique ID", ""))
    for field, keys in KEYS.items():
        found = [card[key] for key in keys if key in card]
        known = (one for one in found if not is_absent(str(one)))
        reported = next(known, found[0] if found else None)
        if isinstance(reported, bool):
            draft.lack(field, str(reported))
        elif reported is not None:
            draft.put_scaled(field, reported, _SCALES.get(field, 1.0))
            if field == "power_w" and reported == _SECOND_DIE:
                draft.missing[field] = f"{BOARD_AT}{index ^ 1}"
    return draft.reading()


DIALECT = Dialect("rocm-smi JSON", any_line(_SIGN.match), _read)
