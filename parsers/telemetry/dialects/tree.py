"""Indented `Name : value` lines as the tree they draw."""

from __future__ import annotations

from sixdim.parsers.telemetry.dialects.smi_fields import normal
from sixdim.parsers.text.patterns import pattern

_PAIR = pattern(r"(?P<indent>[ \t]*+)(?P<name>[^:\s](?:[^:]{0,78}[^:\s])?)\s*+:\s(?P<value>.*+)")
_HEAD = pattern(r"(?P<indent>[ \t]*+)(?P<name>[^:\s][^:]{0,78})")
_DEEPEST = 16


class Tree:
    """The sections a line stands in, by its indentation."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []

    def take(self, text: str) -> tuple[str, str] | None:
        """Reads one line; gives path and value where it has one, else opens its section."""
        pair = _PAIR.fullmatch(text)
        found = pair or _HEAD.fullmatch(text.rstrip())
        if found is None:
            return None
        indent = len(found["indent"].expandtabs(4))
        while self._open and self._open[-1][0] >= indent:
            self._open.pop()
        name = normal(found["name"])
        path = "/".join([*(part for _, part in self._open), name])
        if len(self._open) < _DEEPEST:
            # A line with a value may head a section too (HW Slowdown has two parts of its own).
            self._open.append((indent, name))
        return (path, pair["value"].strip()) if pair else None
