"""Bytes become clean lines: the one place where foreign text enters.

A log is untrusted: what could steer a terminal is removed here (`parsers.untrusted`), so nothing
behind this door has to care.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from parsers.events import Origin
from parsers.untrusted import clean as clean
from parsers.untrusted import label as label

MAX_LINE = 256 * 1024
"""Bytes of one line that are kept; a longer line is cut, and what was cut is only counted."""


@dataclass(slots=True)
class Line:
    """One clean line of a log.

    Attributes:
        number: Line number from 1, counting newlines only (as `sed -n` does): the pieces of
            a progress bar that redraws itself with carriage returns share one number.
        offset: Byte offset of the first byte.
        text: Clean text; what stands behind a launcher's or logger's prefix once
            `parsers.prefix` has read that.
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
"""Bytes that are cut into lines at once."""


class LineSplitter:
    """Cuts a byte stream into clean lines; the result does not depend on the chunking.

    A half-written last line waits for its end (`flush` says that none will come).

    Attributes:
        number: Number of the line that comes next, or waits.
        offset: Byte offset of that line (of its piece, where carriage returns part it).
    """

    def __init__(self, number: int = 1, offset: int = 0) -> None:
        self._pending = bytearray()
        self._pending_length = 0
        self.number = number
        self.offset = offset

    @property
    def level(self) -> bool:
        """Whether no half-written line waits."""
        return self._pending_length == 0

    def skip(self, lines: int, size: int) -> None:
        """Passes over whole lines that were read elsewhere."""
        self.number += lines
        self.offset += size

    def feed(self, chunk: bytes) -> Iterator[Line]:
        """Yields every line that `chunk` completes; blank pieces are skipped."""
        begin = 0
        while end := chunk.rfind(b"\n", begin, begin + _WINDOW) + 1 or chunk.find(b"\n", begin) + 1:
            for raw in chunk[begin : end - 1].split(b"\n"):
                if self._pending_length or len(raw) > MAX_LINE or b"\r" in raw:
                    *drawn, last = raw.split(b"\r")
                    yield from self._redrawn(drawn)
                    line = self._complete(last)
                else:
                    line = self._plain(raw)
                self.offset += 1
                if line is not None:
                    yield line
                self.number += 1
            begin = end
        *drawn, rest = chunk[begin:].split(b"\r")
        yield from self._redrawn(drawn)
        self._hold(rest)

    def _redrawn(self, pieces: list[bytes]) -> Iterator[Line]:
        """The pieces of a line that end in a carriage return."""
        for piece in pieces:
            line = self._complete(piece)
            self.offset += 1
            if line is not None:
                yield line

    def flush(self) -> Iterator[Line]:
        """Yields the unterminated last line, if there is one."""
        line = self._complete(b"")
        if line is not None:
            line.whole = False
            yield line

    def _hold(self, piece: bytes) -> None:
        room = MAX_LINE - len(self._pending)
        if room > 0:
            self._pending += piece[:room]
        self._pending_length += len(piece)

    def _complete(self, piece: bytes) -> Line | None:
        if self._pending_length:
            self._hold(piece)
            raw, length = bytes(self._pending), self._pending_length
            self._pending.clear()
            self._pending_length = 0
        else:
            raw, length = piece[:MAX_LINE], len(piece)
        line = self._plain(raw)
        if line is not None:
            line.cut = length > MAX_LINE
        self.offset += length - len(raw)
        return line

    def _plain(self, raw: bytes) -> Line | None:
        """A whole line; None where nothing of it can be seen."""
        offset = self.offset
        self.offset = offset + len(raw)
        text = raw.decode("utf-8", "replace")
        if not text.isprintable():
            text = clean(text)
        return None if not text or text.isspace() else Line(self.number, offset, text)
