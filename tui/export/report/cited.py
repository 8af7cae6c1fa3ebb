"""Reads single lines of a log by number, to quote the evidence of figures."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sixdim.parsers.input.source import blocks
from sixdim.parsers.text.lines import clean
from sixdim.tui.base.log_lines import raw_lines

MOST_QUOTED = 400
"""Most quoted characters of a line."""


def cited(path: str, numbers: Collection[int], size: int) -> dict[int, str]:
    """Returns the lines with these numbers among the first `size` bytes of a log.

    Raises:
        LogError: The log cannot be read any more.
    """
    return {number: _quoted(raw) for number, raw in raw_lines(_first(path, size), numbers)}


def _first(path: str, size: int) -> Iterator[bytes]:
    for block in blocks(path):
        yield block[:size]
        size -= len(block)
        if size <= 0:
            return


def _quoted(raw: bytes) -> str:
    """Returns one line; the states of a progress bar that redraws itself follow each other."""
    frames = [frame for frame in raw[: 4 * MOST_QUOTED].split(b"\r") if frame.strip()]
    text = " ".join(clean(frame.decode("utf-8", "replace")).expandtabs(4) for frame in frames)
    return text if len(text) <= MOST_QUOTED else text[: MOST_QUOTED - 1] + "…"
