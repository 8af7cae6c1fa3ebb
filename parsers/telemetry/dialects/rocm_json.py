"""`rocm-smi --json`: one object per sample, with a key per card; a file may have many objects."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes, any_line
from sixdim.parsers.telemetry.draft import Draft
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
_SCALES = {"memory_mib": 1 / 1024**2, "memory_total_mib": 1 / 1024**2, "energy_j": 1e-6}
NAMES = ("Card series", "Card Series", "Card model", "Card Model", "Device Name")
_CARD = pattern(r"card(?P<index>\d{1,5})")
_SIGN = pattern(r'[\[{,\s]*+"card\d{1,5}"\s*+:.*+')
_START = pattern(r"(?<=\n)[\[{]")
"""The beginning of the next object, after a cut object or a warning above the first one."""
MAX_BROKEN = 1000
"""The most cut-off objects, as a file of only such objects is read again from each of them."""
MAX_TEXT = 256 << 20


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    text, size = [], 0
    for line in lines:
        size += len(line.text)
        if size > MAX_TEXT:
            notes.say("only the first 256 MiB were read")
            break
        text.append(line.text)
    for sample in _samples("\n".join(text), notes):
        for key, card in sample.items():
            found = _CARD.fullmatch(key)
            if found and isinstance(card, dict):
                yield _reading(int(found["index"]), card)


def _samples(text: str, notes: Notes) -> Iterator[dict[str, Any]]:
    decoder = json.JSONDecoder()
    at = broken = 0
    while broken < MAX_BROKEN and (at := _next(text, at)) < len(text):
        try:
            data, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            if text[at] in "[{":
                broken += 1
                notes.say("objects cut off or broken: left out")
            found = _START.search(text, at + 1)
            at = found.start() if found else len(text)
            continue
        many = data if isinstance(data, list) else [data]
        yield from (one for one in many if isinstance(one, dict))


def _next(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\n,":
        at += 1
    return at


def _reading(index: int, card: dict[str, Any]) -> Reading:
    draft = Draft(index, "rocm-smi")
    draft.name = next((str(card[name]) for name in NAMES if name in card), "")
    draft.uuid = str(card.get("Unique ID", ""))
    for field, keys in KEYS.items():
        reported = next((card[key] for key in keys if key in card), None)
        if isinstance(reported, bool):
            draft.lack(field, str(reported))
        elif reported is not None:
            draft.put_scaled(field, reported, _SCALES.get(field, 1.0))
    return draft.reading()


DIALECT = Dialect("rocm-smi JSON", any_line(_SIGN.match), _read)
