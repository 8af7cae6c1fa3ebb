"""Bytes in, events out: the whole way through `parsers` for one log.

The result depends on the bytes alone, never on how they were cut: the same code serves a
finished file read in blocks and a growing one read a few bytes at a time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from mmap import mmap
from typing import TYPE_CHECKING, TypeAlias

from parsers import scan
from parsers.detect import BESIDE_EVERY, Beside, Detector
from parsers.detection import Candidate, Detection
from parsers.digest import Digest
from parsers.events import EndOfInput, Event, Iteration, Problem
from parsers.format import Reader
from parsers.memory import give_back
from parsers.prefix import strip
from parsers.recent import Recent
from parsers.ring import FIRST, ROOMS, Filled, Source, filled, rooms
from parsers.source import LogFile
from parsers.text import Line, LineSplitter
from parsers.troubles import trouble

if TYPE_CHECKING:
    from parsers.scan.ahead import Ahead
    from parsers.scan.block import Scanner
    from parsers.scan.rows import RowStretch
    from parsers.scan.table import Stretch
    from parsers.scan.template import IterationTemplate
    from parsers.scan.whole import WholePart

Chunk: TypeAlias = bytes | mmap
"""Bytes, or a room whose beginning holds them."""
_MOST_HELD = 20_000
"""Lines held back while nobody is sure of the format."""
SCAN_FROM = 1 << 19
"""Bytes in one piece from which the block scan pays for itself; of a log that has long been
growing fast, a thirty-second of it is enough."""
TWO_FROM = 32 << 20
"""Bytes from which a second process pays for itself: those to come, or those read so far."""
TWO_AFTER = FIRST >> 1
"""Bytes after which it may begin: the first room most often brings what it is to know."""
_MOST_TOGETHER = 32
"""Lines of one record."""
_SOME = 1 << 19
"""Bytes of a block that does not stand at the beginning of its memory."""
_HEAD = 8 << 10
"""Bytes read line by line at a time while the scan still looks for an example."""


class Interpreter:
    """Reads one log.

    Args:
        formats: Reader classes to choose from.
        forced: A reader class that is taken without detection.
        keep: How many of the latest lines to keep for showing.
        blocks: Whether large pieces may be read a block at a time; the events then come as
            `Iterations` where they can.
        hashed: Whether the hash of the bytes is wanted.
        kept: Names of the figures that progress lines are to keep among their `values`, even where
            they are read together.

    Attributes:
        lines: Non-blank lines read.
        unknown: Lines that the format does not know.
        size: Bytes read.
        digest: Running SHA-256 of the bytes read.
        recent: The latest lines, prefixes included.
    """

    def __init__(
        self,
        formats: tuple[type[Reader], ...],
        forced: type[Reader] | None = None,
        keep: int = 0,
        blocks: bool = True,
        hashed: bool = True,
        kept: tuple[str, ...] = (),
    ) -> None:
        self.formats = formats
        self._kept = kept
        self._blocks = blocks and scan.wanted()
        self._scanner: Scanner | None = None
        self._ahead: Ahead | None = None
        self._studying = False
        self._splitter = LineSplitter()
        self.digest = Digest(hashed)
        self._detector = Detector(formats)
        self._held: deque[Line] = deque()
        self._before: deque[tuple[int, str]] = deque(maxlen=_MOST_TOGETHER)
        self._reader: Reader | None = None
        self._companions: tuple[Reader, ...] = ()
        self._beside: Beside | None = None
        self._decision = Detection(forced.name, True, ()) if forced else None
        self.lines = 0
        self.unknown = 0
        self.size = 0
        self.recent = Recent(keep)
        self._last = Line(1, 0, "")
        self._tail = (1, 0, b"")  # number, offset and bytes of the latest block's last line
        self._unread: list[Line] = []  # lines that the reader was spared
        if forced:
            self._choose(forced)

    @property
    def sha256(self) -> str:
        """Hash of exactly the bytes read so far; empty where it is not wanted."""
        return self.digest.hexdigest()

    @property
    def detection(self) -> Detection | None:
        """The decision, once made, with what has been seen beside it so far."""
        if self._decision is None or self._beside is None:
            return self._decision
        return self._decision._replace(beside=self._beside.found(), looked=self._beside.looked)

    def recorded(self, kind: str) -> None:
        """Says what a recording is that was no text."""
        self._decision = Detection(kind, False, ())

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """Yields the events that these bytes complete."""
        self.digest.update(chunk)
        return self._take(chunk, len(chunk))

    def read(self, source: Source) -> Iterator[Event]:
        """Yields the events of all bytes of a source; two processes share a large one."""
        memory = rooms()
        waiting: deque[Filled] = deque()
        try:
            for piece in filled(source, memory, self.size, self._mark):
                self.digest.update(piece.fresh)
                self._announce(piece, memory, source.rest if isinstance(source, LogFile) else 0)
                waiting.append(piece)
                if len(waiting) == ROOMS or self._ahead is None:
                    first = waiting.popleft()
                    yield from self._take(first.room, first.size)
            for piece in waiting:
                yield from self._take(piece.room, piece.size)
        finally:
            if self._ahead is not None:
                self._ahead.close()
                self._ahead = None

    def rooms(self, source: Source) -> Iterator[Iterator[Event]]:
        """Yields the events of a source's bytes room by room, in this process alone.

        Once those of a room are read, size and hash are those of the bytes they were read from.
        What is only needed for so much at once is given back in the end.
        """
        for piece in filled(source, rooms(), self.size, self._mark):
            self.digest.update(memoryview(piece.room)[: piece.size])
            yield self._take(piece.room, piece.size)
        if self._scanner is not None:
            self._scanner.rest()
        give_back()

    def _mark(self) -> bytes:
        """What stands in the line after which a room had better end."""
        return b"" if self._scanner is None else self._scanner.endings.mark

    def _announce(self, piece: Filled, memory: list[mmap], rest: int) -> None:
        """Lets a second process look at a room, where the log is large enough to pay for one."""
        scanner = self._scanner
        if scanner is None or not scanner.lessons.templates:
            return
        if self._ahead is None:
            begin = TWO_AFTER if rest >= TWO_FROM else TWO_FROM
            if piece.offset < min(begin, TWO_FROM) or not scan.shared():
                return
            from parsers.scan.ahead import Ahead

            self._ahead = Ahead(scanner, memory)
        self._ahead.announce(piece)

    def _take(self, chunk: Chunk, size: int) -> Iterator[Event]:
        """Reads so many bytes from the beginning of a chunk."""
        self.size += size
        if self._blocks and (
            size >= SCAN_FROM or (size >= SCAN_FROM >> 5 and self.size >= SCAN_FROM)
        ):
            return self._large(chunk, size)
        return self._events(self._splitter.feed(chunk[:size]))

    def end(self) -> Iterator[Event]:
        """Yields the events of an unterminated last line, then `EndOfInput`."""
        for line in self._splitter.flush():
            yield Problem(
                line.origin(), "unterminated", "the last line has no newline: it may be cut short"
            )
            yield from self._events([line])
        if self._reader is None:
            yield from self._decide()
        last = max((self._last, *self._ended()), key=lambda line: line.offset).origin()
        if self._reader is not None:
            self._remember(self._reader)
            for companion in self._companions:
                owed = companion.end(last)
                yield from (event for event in owed if not isinstance(event, EndOfInput))
            yield from self._reader.end(last)
        else:
            yield EndOfInput(last)

    def candidates(self) -> list[Candidate]:
        """How near each format came, best first."""
        return self._detector.candidates()

    def _events(self, lines: Iterable[Line]) -> Iterator[Event]:
        for line in lines:
            self.recent.add(line)
            yield from self._one(line)

    def _singly(self, reader: Reader, stretch: Stretch, lines: Iterable[Line]) -> Iterator[Event]:
        """Reads lines of known records: while they mean what they did, there is none to learn."""
        template = stretch.template
        known = template.stands(reader) and reader.ready(stretch.event.first, template.rate)
        studying, self._studying = self._studying, self._studying and not known
        for line in lines:
            yield from self._one(line)
        self._studying = studying

    def _one(self, line: Line) -> Iterable[Event]:
        self.lines += 1
        raw = line.text
        if self._studying:
            self._before.append((line.number, raw))
        self._last = strip(line)
        if self._reader is None:
            return self._consider(line)
        unknown = self.unknown
        events = self._read(self._reader, line)
        if self._studying and self.unknown == unknown:
            self._study(self._reader, line, raw, events)
        return events

    def _read(self, reader: Reader, line: Line) -> list[Event]:
        if self._unread:
            self._remember(reader)
        events = reader.read(line)
        if events is None:
            for companion in self._companions:
                events = companion.read(line)
                if events is not None:
                    return events
            self.unknown += 1
            if self._beside is not None:
                self._beside.look(line)
            problem = trouble(line) or reader.cut(line)
            return [] if problem is None else [problem]
        return events

    def _remember(self, reader: Reader) -> None:
        """Has the reader look at lines that it was spared, before any that may rest on them."""
        unread, self._unread = self._unread, []
        for line in unread:
            reader.read(strip(line))

    def _study(self, reader: Reader, line: Line, raw: str, events: list[Event]) -> None:
        """Shows the scan an example of a record, or of a line that says nothing."""
        if self._scanner is None:
            return
        lessons = self._scanner.lessons
        if not (lessons.wants(events) if events else lessons.hears(raw)):
            return
        raws = [raw]
        if events and reader.span:
            begin, end = reader.span
            raws = [text for number, text in self._before if begin <= number <= end]
            if len(raws) != end - begin + 1 or not begin <= events[0].at.line <= end:
                return
        told = []
        for text in raws:
            known = reader.studied(strip(Line(line.number, line.offset, text)))
            if known is None:
                return
            told.append((known[0], known[1], text))
        if not events:
            lessons.hush(told[0][0], raw)
        else:
            lessons.learn(told, events)

    def _large(self, chunk: Chunk, size: int) -> Iterator[Event]:
        """Reads a large piece: by the block once an example was seen, by the line until then."""
        begin = 0
        self._studying = True
        while begin < size:
            scanner = self._scan()
            if scanner is None or not scanner.lessons.templates:
                searching = self._blocks and not (scanner is not None and scanner.lessons.hopeless)
                end = min(begin + _HEAD, size) if searching else size
            elif self._splitter.level:
                begin = yield from self._block(scanner, chunk, begin, size)
                continue
            else:
                end = chunk.find(b"\n", begin, size) + 1 or size
                scanner.lessons.rest()  # the line is cut by chance, and most likely like the others
            yield from self._events(self._splitter.feed(chunk[begin:end]))
            begin = end
        self._studying = False

    def _scan(self) -> Scanner | None:
        """The block scan, where the format states what its records mean."""
        if self._scanner is None and self._reader is not None and self._blocks:
            if any(statement.record for statement in self._reader.statements):
                from parsers.scan.block import Scanner

                self._scanner = Scanner(self._reader, self._companions, self._kept)
            else:
                self._blocks = False
        return self._scanner

    def _block(
        self, scanner: Scanner, chunk: Chunk, begin: int, size: int
    ) -> Generator[Event, None, int]:
        """Reads the whole lines of one block; returns where the next begins."""
        # In the middle of a room it must be copied: a little at a time takes little memory.
        most = min(begin + (_SOME if begin else scanner.size), size)
        end = chunk.rfind(b"\n", begin, most) + 1
        if not end:
            end = most
            yield from self._events(self._splitter.feed(chunk[begin:end]))
            return end
        from parsers.scan.rows import RowStretch
        from parsers.scan.whole import WholePart

        assert self._reader is not None
        block = memoryview(chunk)[begin:end]
        splitter = self._splitter
        assert self._beside is not None
        every = 1 if self._beside.eager else BESIDE_EVERY
        found = None if self._ahead is None else self._ahead.take(splitter.offset, len(block))
        room = chunk if isinstance(chunk, mmap) and not begin else None
        for part in scanner.parts(block, splitter.number, splitter.offset, every, found, room):
            if isinstance(part, WholePart):
                yield from self._whole(self._reader, scanner, part)
            elif isinstance(part, RowStretch):
                yield from self._rows(self._reader, part)
            else:
                yield from self._part(self._reader, part)
        self.lines += scanner.silent + scanner.quiet
        self.unknown += scanner.silent
        splitter.skip(scanner.lines, end - begin)
        self.recent.add_block(chunk, begin, end, splitter.number, splitter.offset)
        self._note_last(chunk, begin, end)
        return end

    def _part(self, reader: Reader, part: Line | Stretch) -> Iterable[Event]:
        return self._one(part) if isinstance(part, Line) else self._stretch(reader, part)

    def _whole(self, reader: Reader, scanner: Scanner, part: WholePart) -> Iterator[Event]:
        """Hands on whole epochs; whoever takes the event may read them one by one instead."""
        asked = False

        def each() -> Iterator[Event]:
            nonlocal asked
            asked = True
            for one in part.singly():
                yield from self._part(reader, one)

        same, template = reader.bearing == part.whole.closing.bearing, part.template
        first = part.first
        event = part.event(first, each) if same and _passes(reader, first, template) else None
        if event is None:
            yield from each()
            return
        yield event
        if not asked:
            self.lines += sum(event.records) + part.lines
            scanner.quiet += part.quiet
            reader.passed(event.last, template.rate)
            # It may bear upon the lines that come next, if those are read one by one.
            self._unread = [*part.ended()] if len(reader.passing) > 1 else []
            for line in part.looked():
                yield from self._one(line)

    def _stretch(self, reader: Reader, stretch: Stretch) -> Iterator[Event]:
        """Hands on records read together, the first singly where the reader must see it."""
        if stretch.template.record.labelled:
            stretch = stretch.labelled(reader.epoch)
        self._remember(reader)
        yield from reader.owed()
        while not _spared(reader, stretch):
            yield from self._singly(reader, stretch, stretch.lines())
            yield from reader.owed()
            if stretch.event.records == 1:
                return
            stretch = stretch.rest()
        if stretch.template.record.texts and stretch.event.records == 1:
            yield from self._singly(reader, stretch, stretch.lines())
            return
        self.lines += stretch.event.records * stretch.template.lines
        reader.passed(stretch.event.last, stretch.template.rate)
        yield stretch.event

    def _rows(self, reader: Reader, stretch: RowStretch) -> Iterator[Event]:
        """As `_stretch`, of rows that tell an epoch each."""
        while (event := stretch.event(reader)) is None:
            yield from self._one(stretch.line())
            stretch = stretch.rest()
            if stretch.begin == stretch.end:
                return
        self.lines += event.records
        yield event

    def _note_last(self, chunk: Chunk, begin: int, end: int) -> None:
        """Notes where the last line of a block stands, and its bytes, which few ever ask for."""
        number, offset = self._splitter.number, self._splitter.offset
        while end > begin:
            start = chunk.rfind(b"\n", begin, end - 1) + 1 or begin
            number, offset = number - 1, offset - (end - start)
            raw = chunk[start:end]
            if raw[:1].isalnum() or [*LineSplitter(number, offset).feed(raw)]:  # not a blank one
                self._tail = number, offset, raw
                return
            end = start

    def _ended(self) -> list[Line]:
        """The last line of the latest block, if it has any."""
        number, offset, text = self._tail
        return [strip(line) for line in LineSplitter(number, offset).feed(text)][-1:]

    def _consider(self, line: Line) -> Iterator[Event]:
        self._detector.look(line)
        self._held.append(line)
        if self._detector.decided():
            yield from self._decide()
        elif len(self._held) > _MOST_HELD:
            # A preamble that nobody knows says nothing; only its troubles are kept.
            early = self._held.popleft()
            self.unknown += 1
            problem = trouble(early)
            if problem is not None:
                yield problem

    def _choose(self, chosen: type[Reader]) -> Reader:
        self._reader = chosen()
        self._companions = tuple(f() for f in self.formats if f.standing < 0 and f is not chosen)
        self._beside = Beside(self.formats, (self._reader, *self._companions))
        return self._reader

    def _decide(self) -> Iterator[Event]:
        ranked = self._detector.candidates()
        held, self._held = self._held, deque()
        if not ranked:
            self._decision = Detection("", False, ())
            self.unknown += len(held)
            for line in held:
                problem = trouble(line)
                if problem is not None:
                    yield problem
            return
        chosen = next(f for f in self.formats if f.name == ranked[0].name)
        reader = self._choose(chosen)
        self._decision = Detection(chosen.name, False, tuple(ranked))
        for line in held:
            yield from self._read(reader, line)


def _passes(reader: Reader, first: Iteration, template: IterationTemplate) -> bool:
    """Whether the reader need not see the first of some records of which nothing is watched."""
    return (
        template.stands(reader)
        and not template.record.repeats(first, reader.before(first.at))
        and reader.ready(first, template.rate)
    )


def _spared(reader: Reader, stretch: Stretch) -> bool:
    """Whether the reader need not see the first of a stretch's records."""
    compares = stretch.template.record.compares
    if not stretch.seen and (compares or not all(reader.knows(*one) for one in stretch.watched)):
        return False
    return _passes(reader, stretch.event.first, stretch.template)
