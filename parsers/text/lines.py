"""Splits bytes into clean lines: the one place where untrusted text enters.

A log is untrusted: what could steer a terminal is removed here (`parsers.text.untrusted`), so
no other module has to care.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sixdim.parsers.events import Origin
from sixdim.parsers.text.patterns import pattern
from sixdim.parsers.text.redrawn import Redrawn
from sixdim.parsers.text.untrusted import clean as clean
from sixdim.parsers.text.untrusted import label as label
from sixdim.parsers.text.untrusted import may_pile

_new = tuple.__new__  # every record needs an origin: this takes half the time of `Origin(…)`
MAX_LINE = 256 * 1024
"""Bytes of one line that are read; the rest of a longer line is left out."""


class Line:
    """One clean line of a log.

    Attributes:
        number: Line number from 1, counting newlines only (as `sed -n` does): the pieces of
            a progress bar that redraws itself with carriage returns share one number.
        offset: Byte offset of the first byte.
        text: Clean text; `parsers.envelopes.prefix` takes the prefixes of launchers and
            loggers off it.
        time_us: The prefix's clock in microseconds, or None.
        rank: The prefix's rank, or None.
        host: The prefix's host, or None.
        whole: False for a last line without its newline.
    """

    __slots__ = ("host", "number", "offset", "rank", "text", "time_us", "whole")

    def __init__(
        self,
        number: int,
        offset: int,
        text: str,
        time_us: int | None = None,
        rank: int | None = None,
        host: str | None = None,
        whole: bool = True,
    ) -> None:
        self.number = number
        self.offset = offset
        self.text = text
        self.time_us = time_us
        self.rank = rank
        self.host = host
        self.whole = whole

    def _values(self) -> tuple[object, ...]:
        return tuple([getattr(self, name) for name in self.__slots__])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Line) and self._values() == other._values()

    def __repr__(self) -> str:
        return f"Line({self.number}, {self.offset}, {self.text!r})"

    def origin(self) -> Origin:
        """Returns the place of this line, for the events read from it."""
        place = (self.number, self.offset, self.time_us, self.rank, self.host, 0)
        return _new(Origin, place)

    def with_text(self, text: str) -> Line:
        """Returns the same line with another text."""
        facts = (self.time_us, self.rank, self.host, self.whole)
        return Line(self.number, self.offset, text, *facts)


_HARMLESS = bytes(range(0x20, 0x7F)) + b"\t\r\n"
"""The ASCII characters that cleaning keeps, and those that end lines."""
_WINDOW = 1 << 16
"""Bytes that are decoded and split at once."""
_TRACEBACK = b"Traceback (most recent call last)"
_GLUED = pattern(r"(?<=[\d\]%|)])(?:\^C)?(?=Traceback \(most recent call last\):\s*$)")
"""Where a traceback follows a progress bar that was not ended; a terminal echoes Ctrl-C as `^C`."""
_LOGGED = pattern(
    r"%\|.{0,400}?\d/\d{1,12}+ \[[\d:]{4,9}+<[\d:?]{1,9}+, .{1,200}?[\d\]](?=INFO: ?\w)"
)
"""A bar that was not ended, and behind it what a logger writes: `0.4INFO: Validation Dice: 0.5`."""
_BAR = b"%|"
_MAY_BE_LOGGED = re.compile(rb"INFO:(?<=[\d\]]INFO:)")
_ZEROS = 8
_HOLE = pattern(rf"(?<=[^\0])\0{{{_ZEROS},}}+(?=[^\0])")
"""A hole inside a line: what stands before and behind it are parts of two lines."""
_LONG_HOLE = re.compile(rb"\0{%d,}" % _ZEROS)


class LineSplitter:
    """Cuts a byte stream into clean lines; the result does not depend on the chunking.

    A half-written last line waits for its end (`flush` says that none will come).

    Attributes:
        by_columns: Whether other code may split the bytes as this class does.
        number: Number of the line that comes next, or waits.
        offset: Byte offset of that line (of its piece, where carriage returns part it).
    """

    by_columns = True

    def __init__(self) -> None:
        self._pending = bytearray()
        self._pending_length = 0
        self._after_return = False  # the waiting part begins after a carriage return
        self._redrawn = Redrawn()
        self.number = 1
        self.offset = 0

    @property
    def waits(self) -> bool:
        """Whether part of a line waits for its end."""
        return self._pending_length > 0

    @property
    def draws(self) -> bool:
        """Whether what waits is the last drawing of a bar, as tqdm writes it: up to its bracket."""
        return self._after_return and self._pending.rstrip().endswith(b"]")

    def feed(self, chunk: bytes) -> Iterator[Line]:
        """Returns every line that `chunk` completes; blank pieces are skipped."""
        short = len(chunk) <= _WINDOW and not self._pending_length
        if short and chunk.endswith(b"\n") and chunk.isascii():
            lines = self._split(chunk.decode("ascii"))  # as `_windows`, in half the time
        else:
            lines = self._windows(chunk)
        logged = _BAR in chunk and _MAY_BE_LOGGED.search(chunk) is not None
        return _apart(lines) if logged or _TRACEBACK in chunk else lines

    def _windows(self, chunk: bytes) -> Iterator[Line]:
        """As `feed`, for any bytes."""
        begin = 0
        if self._pending_length:
            begin = _first_end(chunk, 0)
            yield from _apart(self._split_bytes(chunk[:begin]))
        while end := _last_end(chunk, begin, begin + _WINDOW) or _first_end(chunk, begin):
            window = chunk[begin:end]
            begin = end
            text = _text(window)
            yield from self._split_bytes(window) if text is None else self._split(text)
        if begin:
            self._after_return = chunk[begin - 1 : begin] == b"\r"
        self._hold(chunk[begin:])

    def flush(self) -> Iterator[Line]:
        """Yields the unterminated last line, if there is one."""
        line = self._complete(b"")
        if line is not None:
            line.whole = False
            yield line

    def _split(self, text: str) -> Iterator[Line]:
        """Yields the lines of a window of text."""
        data = text.encode()
        others = data.translate(None, _HARMLESS).decode()
        number, offset = self.number, self.offset
        self.number, self.offset = number + text.count("\n"), offset + len(data)
        if not others and "\r" not in text:  # as below, for most logs
            for row in text[:-1].split("\n"):
                if row and not row.isspace():
                    yield Line(number, offset, row)
                offset += len(row) + 1
                number += 1
            return
        ascii_ = text.isascii()
        # Marks that are apart in the text may be adjacent in `others`: both are searched.
        piles = others != "" and may_pile(others) and may_pile(text)
        harmless = not piles and others.isprintable()
        *rows, drawn = text.split("\n")
        for row in rows if not drawn else [*rows, drawn[:-1]]:
            for piece in row.split("\r") if "\r" in row else (row,):
                plain = harmless or (not piles and piece.isprintable())
                visible = piece if plain else self._cleaned(piece)
                if visible and not visible.isspace():
                    yield Line(number, offset, visible)
                offset += (len(piece) if ascii_ or piece.isascii() else len(piece.encode())) + 1
            number += 1

    def _split_bytes(self, window: bytes) -> Iterator[Line]:
        """Yields the lines of a window that `_text` refuses, or that ends a waiting line."""
        *rows, drawn = window.split(b"\n")
        for row in rows:
            yield from self._pieces(row.split(b"\r"))
            self.number += 1
        yield from self._pieces(drawn.split(b"\r")[:-1])

    def _pieces(self, pieces: list[bytes]) -> Iterator[Line]:
        """Yields the visible pieces of a line; each is followed by the byte that ends it."""
        for piece in pieces:
            line = self._complete(piece)
            self.offset += 1
            if line is not None:
                yield line

    def _hold(self, piece: bytes) -> None:
        self._pending_length += len(piece)
        if not self._pending or self._pending.endswith(b"\0" * _ZEROS):
            piece = self._without_hole(piece)
        left = MAX_LINE - len(self._pending)
        if left > 0:
            self._pending += piece[:left]

    def _complete(self, piece: bytes) -> Line | None:
        """Returns the line that this piece ends; None if nothing of it is visible."""
        raw, length = piece, len(piece)
        if self._pending_length:
            self._hold(piece)
            raw, length = bytes(self._pending), self._pending_length
            self._pending.clear()
            self._pending_length = 0
        offset, self.offset = self.offset, self.offset + length
        text = self._cleaned(self._decoded(self._without_hole(raw)[:MAX_LINE]))
        return None if not text or text.isspace() else Line(self.number, offset, text)

    def _cleaned(self, piece: str) -> str:
        """Returns the visible text of a piece; empty for parts of two lines with a hole between.

        It is empty for a bar that is only drawn again, too.
        """
        if "\0" in piece and _HOLE.search(piece) is not None:
            return ""
        text = clean(piece)
        return "" if "\x1b" in piece and self._redrawn.repeats(piece, text) else text

    def _without_hole(self, raw: bytes) -> bytes:
        """Returns the bytes of a line without the zeros in front of it, and with few inside it.

        They may be more than a line is long: where a log is emptied, a program that goes on at its
        old place leaves a hole of so many bytes.
        """
        return _LONG_HOLE.sub(b"\0" * _ZEROS, raw.lstrip(b"\0")) if b"\0" in raw else raw

    def _decoded(self, raw: bytes) -> str:
        """Returns the text of the bytes of a line."""
        return raw.decode("utf-8", "replace")


def _apart(lines: Iterator[Line]) -> Iterator[Line]:
    """Yields the lines; a traceback or a logger's text behind a bar is a line of its own."""
    for line in lines:
        traced = _GLUED.search(line.text)
        glued = traced or _LOGGED.search(line.text)
        if glued is None:
            yield line
            continue
        yield line.with_text(line.text[: glued.start() if traced else glued.end()])
        place = line.offset + len(line.text[: glued.end()].encode())
        yield Line(line.number, place, line.text[glued.end() :])


def _last_end(chunk: bytes, begin: int, end: int) -> int:
    """Returns the place after the last line end between two places; 0 without one."""
    return max(chunk.rfind(b"\n", begin, end), chunk.rfind(b"\r", begin, end)) + 1


def _first_end(chunk: bytes, begin: int) -> int:
    """Returns the place after the first line end; 0 without one."""
    ends = chunk.find(b"\n", begin), chunk.find(b"\r", begin)
    return min((end for end in ends if end >= 0), default=-1) + 1


def _text(window: bytes) -> str | None:
    """Returns the text of whole lines; None if one may be too long or is not UTF-8."""
    if len(window) > MAX_LINE:
        return None
    try:
        return window.decode()
    except UnicodeDecodeError:
        return None
