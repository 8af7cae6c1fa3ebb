"""What the published schema leaves undescribed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def undescribed(card: Any, schema: dict[str, Any]) -> list[str]:
    """The parts of a card that the schema has no property for."""
    return [*_undescribed(card, schema, "")]


def _undescribed(value: Any, schema: dict[str, Any], where: str) -> Iterator[str]:
    if isinstance(value, list):
        for one in value:
            yield from _undescribed(one, schema.get("items", {}), f"{where}[]")
    if not isinstance(value, dict):
        return
    for name, inner in value.items():
        known = schema.get("properties", {}).get(name) or schema.get("additionalProperties")
        if known is None:
            yield f"{where}.{name}"
        else:
            yield from _undescribed(inner, known, f"{where}.{name}")
