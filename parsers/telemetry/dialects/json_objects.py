"""Reads JSON objects that follow one another in a file, one for each sample of a tool."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from sixdim.parsers.telemetry.dialects.base import Notes
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_START = pattern(r"(?<=\n)[\[{]")
"""The beginning of the next object, after a cut object or a warning above the first one."""
MAX_BROKEN = 1000
"""The most cut-off objects, as a file of only such objects is read again from each of them."""
MAX_TEXT = 256 << 20


def objects(lines: Iterable[Line], notes: Notes) -> Iterator[dict[str, Any]]:
    """Yields every object of a file, also those of an outermost list; skips what is cut off."""
    decoder = json.JSONDecoder()
    text = "\n".join(_texts(lines, notes))
    at = broken = 0
    while broken < MAX_BROKEN and (at := _next(text, at)) < len(text):
        try:
            data, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            if text[at] in "[{":
                broken += 1
                notes.add("objects cut off or broken: left out")
            found = _START.search(text, at + 1)
            at = found.start() if found else len(text)
            continue
        many = data if isinstance(data, list) else [data]
        yield from (one for one in many if isinstance(one, dict))


def _texts(lines: Iterable[Line], notes: Notes) -> Iterator[str]:
    size = 0
    for line in lines:
        size += len(line.text)
        if size > MAX_TEXT:
            notes.add("only the first 256 MiB were read")
            return
        yield line.text


def _next(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\n,":
        at += 1
    return at
