"""Reads lines of a log by their numbers, to show what a figure was computed from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from sixdim.parsers.text.lines import MAX_LINE, clean


def numbered(blocks: Iterable[bytes], wanted: Collection[int]) -> Iterator[tuple[int, str]]:
    """Yields (number, clean text) of the lines of `raw_lines`; blank ones are left out.

    Of a line that a progress bar redraws with carriage returns, the last state is given.
    """
    for number, raw in raw_lines(blocks, wanted):
        pieces = [piece for piece in raw.split(b"\r") if piece.strip()]
        text = clean(pieces[-1].decode("utf-8", "replace")) if pieces else ""
        if text and not text.isspace():
            yield number, text


def raw_lines(blocks: Iterable[bytes], wanted: Collection[int]) -> Iterator[tuple[int, bytes]]:
    """Yields (number, bytes) of the wanted lines, ascending, counted as `LineSplitter` does."""
    left = sorted(set(wanted), reverse=True)
    number = 1
    pending = b""
    for block in blocks:
        if not left:
            return
        breaks = block.count(b"\n")
        if number + breaks < left[-1]:  # nothing of this block is wanted
            number += breaks
            pending = b""
            continue
        *lines, rest = (pending + block).split(b"\n")
        for line in lines:
            if left and number == left[-1]:
                yield left.pop(), line[:MAX_LINE]
            number += 1
        pending = rest[:MAX_LINE]
    if left and number == left[-1] and pending:
        yield number, pending
