"""Reads single lines of a log by number, to quote the evidence of figures."""

from __future__ import annotations

from collections.abc import Iterable

from sixdim.parsers.input.source import blocks
from sixdim.parsers.text.lines import clean

MOST_QUOTED = 400
"""Characters of a line that are quoted."""


def cited(path: str, numbers: Iterable[int], size: int) -> dict[int, str]:
    """Returns the lines with these numbers (from 1, counted by newlines, as `sed -n` does).

    Args:
        path: The log.
        numbers: Which lines.
        size: Bytes of the log to read; what was appended since is ignored.

    Raises:
        LogError: The log cannot be read any more.
    """
    wanted = set(numbers)
    last = max(wanted, default=0)
    found: dict[int, str] = {}
    number, head, read = 1, b"", 0
    for block in blocks(path):
        if number > last or read >= size:
            break
        block, read = block[: size - read], read + len(block)
        ends = block.count(b"\n")
        if wanted.isdisjoint(range(number, number + ends + 1)):
            number += ends
            continue
        pieces = block.split(b"\n")
        for offset, piece in enumerate(pieces):
            if number + offset in wanted:
                head = (head if offset == 0 else b"") + piece[: 4 * MOST_QUOTED]
                found[number + offset] = _quoted(head)
        if number + ends not in wanted:
            head = b""
        number += ends
    return found


def _quoted(raw: bytes) -> str:
    """Returns one line; the states of a progress bar that redraws itself follow each other."""
    frames = [frame for frame in raw.split(b"\r") if frame.strip()]
    text = " ".join(clean(frame.decode("utf-8", "replace")).expandtabs(4) for frame in frames)
    return text if len(text) <= MOST_QUOTED else text[: MOST_QUOTED - 1] + "…"
