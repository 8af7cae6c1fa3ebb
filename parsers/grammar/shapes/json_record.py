"""A shape of lines: a JSON object after a marker, or a bare one."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from sixdim.parsers.grammar.shapes.shape import Broken, Fields, Unanchored

if TYPE_CHECKING:
    from json import JSONDecoder

_DEEPEST = 16
"""The deepest nesting that is accepted from untrusted text."""


class JsonRecord(Unanchored):
    """A JSON object after a marker (`DLLL {...}`, `:::MLLOG {...}`), or a bare one.

    Args:
        marker: Text before the object; the last occurrence in the line counts. Empty for a
            line that is an object from its first character.
        required: Keys without which the record is another format's.
    """

    def __init__(self, marker: str = "", *, required: tuple[str, ...] = ()) -> None:
        self.marker = marker
        self.required = required
        self._quoted = () if marker else tuple(f'"{key}"' for key in required)
        self.anchor = "" if marker else "{"
        self.clue = marker.strip() or max(self._quoted, key=len, default="{")

    def match(self, text: str) -> Fields | Broken | None:
        """See `Shape.match`; a cut-off object is `Broken`."""
        begin = text.rfind(self.marker) if self.marker else 0
        if begin < 0:
            return None
        body = text[begin + len(self.marker) :].strip()
        if not body.startswith("{"):
            return None
        for word in self._quoted:
            if word not in body:
                return None
        try:
            record = decoded(body)
        except (ValueError, RecursionError):
            return Broken("json", body[-40:]) if self.marker else None
        if not isinstance(record, dict):
            return None
        for key in self.required:
            if key not in record:
                return None
        return record


def decoded(body: str) -> Any:
    """Decodes untrusted JSON text that begins and ends without blanks.

    Returns:
        The value with cleaned texts; None if it nests deeper than `_DEEPEST`.

    Raises:
        ValueError: It is no JSON, or a number in it has too many digits.
        RecursionError: It nests too deep to be decoded.
    """
    if not _shallow(body):
        return None
    value, end = _decoder().raw_decode(body)
    if end != len(body):
        raise ValueError(body[end:])
    if "\\" not in body:
        return value
    from sixdim.parsers.text.untrusted import cleaned

    return cleaned(value)  # `\u001b` was letters when the line was cleaned


@cache
def _decoder() -> JSONDecoder:
    import json  # only needed for a log with records

    return json.JSONDecoder()


def _shallow(body: str) -> bool:
    """Whether brackets nest no deeper than `_DEEPEST` (counted cheaply, strings included)."""
    if body.count("{") + body.count("[") <= _DEEPEST:
        return True
    depth = deepest = 0
    for char in re.findall(r"[\[\]{}]", body):
        depth += 1 if char in "[{" else -1
        deepest = max(deepest, depth)
    return deepest <= _DEEPEST
