"""Bytes become clean lines: the one place where foreign text enters.

A log is untrusted: what could steer a terminal is removed here (`parsers.text.untrusted`), so
no other module has to care.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sixdim.parsers.events import Origin
from sixdim.parsers.text.untrusted import clean as clean
from sixdim.parsers.text.untrusted import label as label

MAX_LINE = 256 * 1024
"""Bytes of one line that are read; a longer line is cut, and what was cut is only counted."""


@dataclass(slots=True)
class Line:
    """One clean line of a log.

    Attributes:
        number: Line number from 1, counting newlines only (as `sed -n` does): the pieces of
            a progress bar that redraws itself with carriage returns share one number.
        offset: Byte offset of the first byte.
        text: Clean text; what stands behind a launcher's or logger's prefix once
            `parsers.envelopes.prefix` has read that.
        time_us: The prefix's clock in microseconds, or None.
        rank: The prefix's rank, or None.
        host: The prefix's host, or None.
        cut: True where the line was longer than `MAX_LINE`.
        whole: False for a last line without its newline.
    """

    number: int
    offset: int
    text: str
    time_us: int | None = None
    rank: int | None = None
    host: str | None = None
    cut: bool = False
    whole: bool = True

    def origin(self) -> Origin:
        """Where this line stands, for the events read from it."""
        return Origin(self.number, self.offset, self.time_us, self.rank, self.host)


_WINDOW = 1 << 16
"""Bytes that are decoded and split at once."""


class LineSplitter:
    """Cuts a byte stream into clean lines; the result does not depend on the chunking.

    A half-written last line waits for its end (`flush` says that none will come).

    Attributes:
        number: Number of the line that comes next, or waits.
        offset: Byte offset of that line (of its piece, where carriage returns part it).
    """

    def __init__(self) -> None:
        self._pending = bytearray()
        self._pending_length = 0
        self.number = 1
        self.offset = 0

    @property
    def waits(self) -> bool:
        """Whether part of a line waits for its end."""
        return self._pending_length > 0

    def feed(self, chunk: bytes) -> Iterator[Line]:
        """Yields every line that `chunk` completes; blank pieces are skipped."""
        begin = 0
        while end := chunk.rfind(b"\n", begin, begin + _WINDOW) + 1 or chunk.find(b"\n", begin) + 1:
            window = chunk[begin:end]
            begin = end
            text = None if self._pending_length else _harmless(window)
            if text is None:
                yield from self._split(window)
            else:
                yield from self._split_harmless(text)
        *drawn, rest = chunk[begin:].split(b"\r")
        yield from self._pieces(drawn)
        self._hold(rest)

    def flush(self) -> Iterator[Line]:
        """Yields the unterminated last line, if there is one."""
        line = self._complete(b"")
        if line is not None:
            line.whole = False
            yield line

    def _split_harmless(self, text: str) -> Iterator[Line]:
        """Whole lines of which nothing has to be cleaned: a character is a byte."""
        number, offset = self.number, self.offset
        self.number, self.offset = number + text.count("\n"), offset + len(text)
        for whole in text[:-1].split("\n"):
            if "\r" in whole:
                at = offset
                for piece in whole.split("\r"):
                    if piece and not piece.isspace():
                        yield Line(number, at, piece)
                    at += len(piece) + 1
            elif whole and not whole.isspace():
                yield Line(number, offset, whole)
            offset += len(whole) + 1
            number += 1

    def _split(self, window: bytes) -> Iterator[Line]:
        """Whole lines, each cleaned for itself."""
        for raw in window[:-1].split(b"\n"):
            yield from self._pieces(raw.split(b"\r"))
            self.number += 1

    def _pieces(self, pieces: list[bytes]) -> Iterator[Line]:
        """The pieces of a line, each with the one byte that ends it."""
        for piece in pieces:
            line = self._complete(piece)
            self.offset += 1
            if line is not None:
                yield line

    def _hold(self, piece: bytes) -> None:
        left = MAX_LINE - len(self._pending)
        if left > 0:
            self._pending += piece[:left]
        self._pending_length += len(piece)

    def _complete(self, piece: bytes) -> Line | None:
        """The line that this piece ends; None where nothing of it can be seen."""
        raw, length = piece, len(piece)
        if self._pending_length:
            self._hold(piece)
            raw, length = bytes(self._pending), self._pending_length
            self._pending.clear()
            self._pending_length = 0
        offset, self.offset = self.offset, self.offset + length
        text = clean(raw[:MAX_LINE].decode("utf-8", "replace"))
        if not text or text.isspace():
            return None
        return Line(self.number, offset, text, cut=length > MAX_LINE)


def _harmless(window: bytes) -> str | None:
    """The text of whole lines of plain ASCII without escape sequences; else None."""
    if len(window) > MAX_LINE or not window.isascii():
        return None
    text = window.decode("ascii")
    visible = text.replace("\n", "")
    if not visible.isprintable():
        visible = visible.replace("\t", " ").replace("\r", "")
    return text if visible.isprintable() else None
