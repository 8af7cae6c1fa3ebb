"""Reads lines of a log by their numbers, to show what a figure was computed from."""

from collections.abc import Collection, Iterable, Iterator

from sixdim.parsers.input.source import blocks as blocks_of
from sixdim.parsers.text.lines import MAX_LINE, clean

MOST_QUOTED = 400
"""Most quoted characters of a line."""


def numbered(
    blocks: Iterable[bytes], wanted: Collection[int], first: int = 1
) -> Iterator[tuple[int, str]]:
    """Yields (number, clean text) of the lines of `raw_lines`; blank ones are left out.

    Of a line that a progress bar redraws with carriage returns, the last state is given.
    """
    for number, raw in raw_lines(blocks, wanted, first):
        pieces = [piece for piece in raw.split(b"\r") if piece.strip()]
        text = clean(pieces[-1].decode("utf-8", "replace")) if pieces else ""
        if text and not text.isspace():
            yield number, text


def raw_lines(
    blocks: Iterable[bytes], wanted: Collection[int], first: int = 1
) -> Iterator[tuple[int, bytes]]:
    """Yields (number, bytes) of the wanted lines, ascending, counted as `LineSplitter` does.

    The first line of the blocks has the number `first`.
    """
    left = sorted({number for number in wanted if number >= first}, reverse=True)
    number = first
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


def cited(path: str, numbers: Collection[int], size: int) -> dict[int, str]:
    """Returns the lines with these numbers among the first `size` bytes of a log, for a quotation.

    Of a line that a progress bar redraws, the states follow each other.

    Raises:
        LogError: The log cannot be read any more.
    """
    return {number: _quoted(raw) for number, raw in raw_lines(_first(path, size), numbers)}


def _first(path: str, size: int) -> Iterator[bytes]:
    for block in blocks_of(path):
        yield block[:size]
        size -= len(block)
        if size <= 0:
            return


def _quoted(raw: bytes) -> str:
    frames = [frame for frame in raw[: 4 * MOST_QUOTED].split(b"\r") if frame.strip()]
    text = " ".join(clean(frame.decode("utf-8", "replace")).expandtabs(4) for frame in frames)
    return text if len(text) <= MOST_QUOTED else text[: MOST_QUOTED - 1] + "…"
