"""Turns the bytes of one log into events.

The result depends on the bytes alone, never on how they were cut: the same code serves a
finished file read in pieces and a growing one read a few bytes at a time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from sixdim.parsers.detection import Candidate, Detection
from sixdim.parsers.envelopes.inferred import is_copy
from sixdim.parsers.envelopes.prefix import Envelopes
from sixdim.parsers.events import ClockStart, EndOfInput, Event, Problem
from sixdim.parsers.reader.chosen import Chosen
from sixdim.parsers.reader.hashed import Hashing
from sixdim.parsers.reader.latest import LatestLines
from sixdim.parsers.reader.undecided import Undecided
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.troubles import Troubles, fault
from sixdim.parsers.text.lines import Line, LineSplitter
from sixdim.parsers.text.patterns import in_order
from sixdim.parsers.text.utf16 import splitter_of

if TYPE_CHECKING:
    from sixdim.parsers.blocks.examine import Found
    from sixdim.parsers.blocks.form import RowForm
    from sixdim.parsers.blocks.reading import Blocks
    from sixdim.parsers.spans import LineSpan

_TOGETHER = 1024
"""Lines that are split and stripped together, then read: each step is faster on many."""


class Interpreter:
    """Reads one log.

    Args:
        formats: Reader classes to choose from.
        forced: A reader class that is used without detection.
        keep: How many of the latest lines to keep for showing.
        names: The further figures of progress lines that are wanted; None for all of them.
        start: Text of the line that starts the clock, with `*` for any text; empty for no line.

    Attributes:
        lines: Non-blank lines read.
        size: Bytes read.
        digest: Running SHA-256 of the bytes read.
        hashing: Adds large pieces to `digest` in a thread.
        recent: The latest lines.
        blocks: Reads large pieces by columns; None while all lines are read one by one.
    """

    def __init__(
        self,
        formats: tuple[type[Reader], ...],
        forced: type[Reader] | None = None,
        keep: int = 0,
        names: Collection[str] | None = None,
        start: str = "",
    ) -> None:
        parts = [part for part in start.split("*") if part]
        self._start = in_order(parts) if parts else None
        self.formats = formats
        self._names = names
        self._splitter = LineSplitter()
        self._envelopes = Envelopes()
        self.digest = hashlib.sha256()
        self.hashing = Hashing(self.digest)
        self._undecided = Undecided(formats, self._envelopes)
        self._chosen: Chosen | None = None
        self._decision = Detection(forced.name, True, ()) if forced else None
        self.lines = 0
        self.size = 0
        self.blocks: Blocks | None = None
        self.recent = LatestLines(keep)
        self._troubles = Troubles()
        self._last = Line(1, 0, "")
        self._whole = ""  # the last line with its envelopes
        if forced:
            self._choose(forced())

    @property
    def sha256(self) -> str:
        """Hash of exactly the bytes read so far."""
        self.hashing.wait()
        return self.digest.hexdigest()

    @property
    def next_line(self) -> int:
        """Number of the next line, or of the line that has come in part."""
        return self._splitter.number

    @property
    def detection(self) -> Detection | None:
        """The decision, once made, with the other formats found so far."""
        if self._decision is None or self._chosen is None:
            return self._decision
        beside = self._chosen.beside
        return self._decision._replace(beside=beside.found(), looked=beside.looked)

    @property
    def unknown(self) -> int:
        """The number of lines that neither the format nor a companion (except a fallback) knows."""
        return 0 if self._chosen is None else self._chosen.unknown

    @property
    def beyond_format(self) -> int:
        """Lines that the log's own format does not know, though a companion may."""
        chosen = self._chosen
        return 0 if chosen is None else chosen.unknown + chosen.of_companions

    def recorded(self, kind: str) -> None:
        """Sets the format of a recording that is no text."""
        self._decision = Detection(kind, False, ())

    def feed(self, chunk: bytes) -> Iterable[Event | LineSpan]:
        """Returns the events that these bytes complete."""
        if not self.size:
            self._splitter = splitter_of(chunk)
        self.size += len(chunk)
        blocks = self.blocks if self._splitter.by_columns else None
        if blocks is None or self._chosen is None or self._start or len(chunk) < blocks.least:
            if self.hashing.pieces:
                self.hashing.wait()
            self.digest.update(chunk)
            return self.read(chunk)
        self.hashing.begin(chunk)
        return self._by_blocks(chunk, blocks)

    def feed_found(
        self, data: memoryview, forms: Sequence[RowForm], found: list[Found]
    ) -> Iterator[Event | LineSpan]:
        """As `feed`, for whole lines that were examined before; see `Blocks.read_found`.

        The bytes must not change before `Hashing.begin` allows it.
        """
        assert self.blocks is not None
        self.size += len(data)
        self.hashing.begin(data)
        return self.blocks.read_found(data, self, forms, found)

    def _by_blocks(self, chunk: bytes, blocks: Blocks) -> Iterator[Event | LineSpan]:
        """Yields the events of a large piece, and spans of lines that can be folded at once."""
        begin = chunk.find(b"\n") + 1 if self._splitter.waits else 0
        end = chunk.rfind(b"\n") + 1
        yield from self.read(chunk[:begin])
        if begin < end:
            yield from blocks.read(memoryview(chunk)[begin:end], self)
        yield from self.read(chunk[end:])

    def read(self, data: bytes) -> Iterable[Event]:
        """Returns the events of the lines that these bytes complete, read one by one."""
        return self._events(self._splitter.feed(data))

    def skip(self, data: memoryview, count: int) -> None:
        """Skips whole lines that were read by columns."""
        self.recent.append_all(self._splitter.number, data, count)
        self.lines += count
        self._splitter.number += count
        self._splitter.offset += len(data)

    @property
    def place(self) -> tuple[int, int]:
        """Number and first byte of the next line."""
        return self._splitter.number, self._splitter.offset

    @property
    def read_by(self) -> tuple[Envelopes, Reader]:
        """The envelopes and the reader of the lines; needs a format."""
        assert self._chosen is not None
        return self._envelopes, self._chosen.reader

    def end(self) -> Iterator[Event]:
        """Yields the events of an unterminated last line, then `EndOfInput`."""
        self.hashing.end()
        for line in self._splitter.flush():
            yield Problem(
                line.origin(), "unterminated", "the last line has no newline: it may be cut short"
            )
            yield from self._events([line])
        if self._chosen is None:
            self._undecided.infer()
            yield from self._decide()
        problem = self._troubles.last(self._last)
        if problem is not None:
            yield problem
        yield from self.held_back()
        yield EndOfInput(self._last.origin())

    @property
    def draws(self) -> bool:
        """Whether the last drawing of a bar waits for the next one to end its line."""
        return self._splitter.draws

    def drawn(self) -> Iterator[Event]:
        """Yields the events of a bar's last drawing."""
        if self.draws:
            yield from self._events(self._splitter.flush())

    def held_back(self) -> Iterator[Event]:
        """Yields the events that the chosen format held back until a further line."""
        if self._chosen is not None:
            yield from self._chosen.end(self._last.origin())

    def candidates(self) -> list[Candidate]:
        """Returns how well each format fits, best first."""
        return self._undecided.candidates()

    @property
    def held(self) -> Sequence[Line]:
        """The lines held back while no format is chosen, oldest first."""
        return self._undecided.held

    def reading_as(self, name: str) -> Interpreter:
        """Returns an interpreter that reads this log's lines (`reread`) in the named format."""
        chosen = next(f for f in self.formats if f.name == name)
        return Interpreter(self.formats, chosen, names=self._names)

    def reread(self, lines: Iterable[Line]) -> list[Event]:
        """Returns the events of lines that another interpreter has split; needs a format."""
        assert self._chosen is not None
        return self._chosen.read(lines)

    def _events(self, lines: Iterable[Line]) -> Iterator[Event]:
        stripped = self._stripped(lines)
        while self._chosen is None:
            line = next(stripped, None)
            if line is None:
                return
            yield from self._consider(line) if isinstance(line, Line) else (line,)
        while some := [*islice(stripped, _TOGETHER)]:
            yield from self._chosen.read(some)

    def _stripped(self, lines: Iterable[Line]) -> Iterator[Line | Event]:
        """Yields the lines without envelopes, and events that do not depend on the format."""
        envelopes, recent, start = self._envelopes, self.recent, self._start
        strip, keeps = envelopes.strip, recent.most > 0
        for line in lines:
            if keeps:
                recent.append(line)
            last, last_whole = self._last, self._whole
            whole = self._whole = line.text
            starts = start is not None and start.match(whole) is not None
            try:
                self._last = strip(line)
            except Exception as error:  # noqa: BLE001 - no line may end a watch; it is reported
                self.lines += 1
                yield fault(line.origin(), error)
                continue
            if starts:
                yield ClockStart(line.origin())
            if line.text and not line.text.isspace():
                self.lines += 1
                if line.text != last.text or not is_copy(line, whole, last, last_whole):
                    yield line
            if envelopes.more:
                more, envelopes.more = envelopes.more, []
                yield from self._stripped(more)

    def _consider(self, line: Line) -> Iterable[Event]:
        """Returns the events of a line while no format is chosen."""
        try:
            if self._undecided.look(line):
                return self._decide()
        except Exception as error:  # noqa: BLE001 - no line may end a watch; it is reported
            return (fault(line.origin(), error),)
        # Of a long preamble that no format recognises, only errors are reported.
        early = self._undecided.overflow()
        return () if early is None else self._troubles_of((early,))

    @property
    def inferred(self) -> int:
        """How many envelopes were inferred from this log so far: each changes the held lines."""
        return len(self._envelopes.inferred)

    def _choose(self, chosen: Reader) -> None:
        self._chosen = Chosen(chosen, self.formats, self._names, self._troubles)
        self._envelopes.clocks.decide(timeless=chosen.own_clock)

    def _decide(self) -> list[Event]:
        self._decision, chosen, held = self._undecided.decide()
        if chosen is None:
            self._envelopes.clocks.decide()
            return self._troubles_of(held)
        self._choose(chosen)
        return self.reread(held)

    def _troubles_of(self, lines: Iterable[Line]) -> list[Event]:
        """Returns the errors that lines of no format report."""
        found = map(self._troubles.look, lines)
        return [problem for problem in found if problem is not None]
