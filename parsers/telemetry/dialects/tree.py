"""Reads indented `Name : value` lines as a tree."""

import re
from collections.abc import Iterable, Iterator, Mapping

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects.base import Notes
from sixdim.parsers.telemetry.dialects.smi_fields import normal
from sixdim.parsers.telemetry.draft import Draft
from sixdim.parsers.telemetry.stamps import time_of
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

TIME = pattern(r"Timestamp\s*+:\s*+(?P<time>\S.*+)")

_PAIR = pattern(r"(?P<indent>[ \t]*+)(?P<name>[^:\s](?:[^:]{0,78}[^:\s])?)\s*+:\s(?P<value>.*+)")
_HEAD = pattern(r"(?P<indent>[ \t]*+)(?P<name>[^:\s][^:]{0,78})")
_DEEPEST = 16


class Tree:
    """Tracks the sections that a line is in, by its indentation."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []

    def take(self, text: str) -> tuple[str, str] | None:
        """Reads one line; returns path and value if it has a value, else opens a section."""
        pair = _PAIR.fullmatch(text)
        found = pair or _HEAD.fullmatch(text.rstrip().removesuffix(":"))
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


def read_trees(
    lines: Iterable[Line],
    notes: Notes,
    *,
    source: str,
    begins: re.Pattern[str],
    paths: Mapping[str, str],
) -> Iterator[Reading]:
    """Yields a reading per tree, which begins with a device's line: its index, perhaps its name.

    `paths` maps the paths in the tree to the fields of a reading.
    """
    draft: Draft | None = None
    tree = Tree()
    time_us: int | None = None
    for line in lines:
        device, time = begins.fullmatch(line.text), TIME.fullmatch(line.text)
        if (device or time) and draft is not None:
            yield draft.reading()
            draft = None
        if time:
            time_us = time_of(time["time"])
        elif device:
            name = device.groupdict().get("name", "").strip()
            draft = Draft(int(device["index"]), source, name=name, time_us=time_us)
            draft.lack("power_w", "not in this log")
            tree = Tree()
        elif draft is not None and (found := tree.take(line.text)) and found[0] in paths:
            draft.put_text(paths[found[0]], found[1])
    if draft is not None:
        yield draft.reading()
