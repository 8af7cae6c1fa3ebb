"""A block of whole lines becomes stretches of records, and lines for the line parser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from mmap import mmap
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from parsers import memory
from parsers.format import Reader
from parsers.ring import MARGIN, SIZE
from parsers.scan.glyphs import flatten
from parsers.scan.lessons import Lessons, table_of
from parsers.scan.lockstep import Columns
from parsers.scan.noise import Noise
from parsers.scan.ordered import Indices, sound
from parsers.scan.rows import RowStretch
from parsers.scan.several import closed, members, together
from parsers.scan.table import Stretch, Sums, Table
from parsers.scan.template import Template
from parsers.scan.whole import Endings, WholePart
from parsers.scan.words import Marks, Mask, Text, distinct
from parsers.text import MAX_LINE, Line, LineSplitter

_RETURN = 0x0D
_DELETE = 0x7F
_NOWHERE = np.empty(0, dtype=np.intp)
_Some = TypeVar("_Some", Stretch, RowStretch)
_FIRST_PRINTABLE, _LAST_PRINTABLE = 0x20, 0x7E


class Examined(NamedTuple):
    """What stands where in a block.

    Attributes:
        ends: Where each line ends, or what is drawn over it with a carriage return begins.
        redrawn: Whether any is.
        dirty: Lines that hold anything but plain ASCII text.
        silent: Lines that are known to mean nothing to any reader.
        quiet: How many lines the reader knows that say nothing.
        heard: The first quiet lines behind others: a reader may close there what others began.
        others: All other lines with text that are no records.
        read: Records, by the number of their template.
        sums: What the records' stretches say, cut where there are others: `Lessons.summed`.
    """

    ends: NDArray[np.int64]
    redrawn: bool
    dirty: Indices
    silent: Indices
    quiet: int
    heard: Indices
    others: Indices
    read: list[tuple[int, Columns]]
    sums: Sequence[Any]


class Scanner:
    """Reads blocks of one log, in the templates it has learned so far.

    Args:
        reader: The log's reader.
        companions: Those that read beside it.
        kept: As for `Interpreter`.

    Attributes:
        lessons: What it has learned.
        size: Most bytes of one block.
        lines: Newlines in the last block.
        silent: Lines of the last block that are known to mean nothing to any reader.
        quiet: Lines of the last block that the reader knows and that say nothing.
        endings: What ends the log's epochs.
    """

    size = SIZE

    def __init__(
        self, reader: Reader, companions: tuple[Reader, ...], kept: tuple[str, ...] = ()
    ) -> None:
        self._reader = reader
        memory.keep()
        self.lessons = Lessons(reader, kept)
        self.noise = Noise((reader, *companions))
        self.lines = self.silent = self.quiet = 0
        self.endings = Endings(reader)

    @cached_property
    def _marks(self) -> Marks:
        return Marks(SIZE)

    @cached_property
    def _buffer(self) -> NDArray[np.uint8]:
        return np.zeros(SIZE + MARGIN, dtype=np.uint8)

    def rest(self) -> None:
        """Lets go of the block it may have copied, and of the marks of its bytes."""
        self.__dict__.pop("_buffer", None)
        self.__dict__.pop("_marks", None)

    def parts(
        self,
        data: memoryview,
        number: int,
        offset: int,
        every: int = 0,
        found: Examined | None = None,
        room: mmap | None = None,
    ) -> Iterator[Line | Stretch | RowStretch | WholePart]:
        """What a block says, in order.

        Args:
            data: Whole lines, each with its newline; at most `size` bytes.
            number: Line number of the first.
            offset: Byte offset of the first.
            every: Lines whose number is a multiple of this are never silent; 0 for none.
            found: What `examine` found in it, where that is known.
            room: What the data stand at the beginning of, where that has the margin.

        Yields:
            Lines for the line parser, stretches of records, and whole epochs.
        """
        self.lessons.begin()
        found = found or self.examine(data, room)
        numbers = np.arange(number, number + found.ends.size)
        if found.redrawn:
            drawn = np.frombuffer(data, dtype=np.uint8)[found.ends] == _RETURN
            numbers -= np.cumsum(drawn) - drawn
        looked = numbers[found.silent] % every == 0 if every else np.empty(0, dtype=np.bool_)
        looked_at = found.silent[looked]
        self.lines, self.quiet = int(numbers[-1]) + 1 - number, found.quiet
        self.silent = found.silent.size - looked_at.size
        wanted = np.sort(np.concatenate((found.others, looked_at, found.heard)))
        dirty, heard = set(found.dirty.tolist()), set(found.heard.tolist())

        def lines(of: Indices, begin: int = 0, end: int = found.ends.size) -> Iterator[Line]:
            low, high = np.searchsorted(of, (begin, end)) if of.size else (0, 0)
            if low == high:
                return iter(())
            return self._lines_of(data, of[low:high], dirty, heard, found.ends, numbers, offset)

        if not found.sums:
            yield from lines(wanted)
            return
        table = table_of(found.read, self.lessons.templates, data, found.ends, numbers, offset)
        if not isinstance(table, Table):
            yield from _in_order(lines(wanted), table.stretches(found.sums))
            return

        sums = found.sums
        assert isinstance(sums, Sums)
        begins = [*sums.firsts[0], found.ends.size]

        def some(low: int, begin: int, end: int) -> Iterator[Line | Stretch]:
            """Stretches, and the lines from the one at `low` on that stand before and between."""
            high = begins[end]
            if low == high:
                return iter(())
            return _in_order(lines(wanted, low, high), table.stretches(sums[begin:end]))

        at = begin = 0
        block = range(offset, offset + len(data))
        for whole in self.endings.among(block, table, sums, found.others, found.heard, found.dirty):
            yield from some(at, begin, whole.begin)
            low, high = begins[whole.begin], begins[whole.end]
            quiet = int(np.diff(np.searchsorted(found.heard, (low, high)))[0])
            last = found.others[whole.lines[-1] :] if high == found.ends.size else _NOWHERE
            yield WholePart(
                *(whole, table, sums, found.others, quiet),
                partial(lines, last),
                partial(lines, looked_at, low, high),
                partial(some, low, whole.begin, whole.end),
            )
            at, begin = high, whole.end
        yield from some(at, begin, len(begins) - 1)

    def _lines_of(
        self,
        data: memoryview,
        wanted: Indices,
        dirty: set[int],
        heard: set[int],
        ends: NDArray[np.int64],
        numbers: NDArray[np.int64],
        offset: int,
    ) -> Iterator[Line]:
        """Some lines of a block; of those that are not `dirty` it is known that they are plain.

        Of the `heard` ones, those that the reader need not see are only counted.
        """
        begins = np.where(wanted > 0, ends[wanted - 1] + 1, 0).tolist()
        spans = (begins, ends[wanted].tolist(), numbers[wanted].tolist())
        for index, begin, end, number in zip(wanted.tolist(), *spans, strict=True):
            if index in heard and not self._reader.holding:
                self.quiet += 1
                continue
            if index in dirty:
                yield from LineSplitter(number, offset + begin).feed(bytes(data[begin : end + 1]))
                continue
            text = str(data[begin:end], "ascii")
            if not text.isspace():
                yield Line(number, offset + begin, text)

    def examine(self, data: memoryview, room: mmap | None = None) -> Examined:
        """Finds the lines of a block, and the records among them.

        Args:
            data: As for `parts`.
            room: As for `parts`; without one, the data are copied.
        """
        size = len(data)
        buffer, marks, there, drawn = self._flat(data, room)
        begins, ends, redrawn, dirty = self._lines(buffer[:size], marks, there)
        text = Text(buffer)
        filled = begins < ends  # empty lines are none
        left = filled.copy()
        left[dirty] = False
        read: list[tuple[int, Columns]] = []
        for number, layouts in enumerate(self.lessons.layouts):
            free = np.flatnonzero(left)
            if not free.size:
                break
            template = self.lessons.templates[number]
            if template.lines > 1:
                columns = together(template, layouts, text, data, begins, ends, left)
            else:
                columns = layouts.walk(text, data, begins, ends, free)
            columns = sound(template, columns)
            if columns.rows.size:
                read.append((number, columns))
                left[members(template, columns)] = False
        quiet = np.zeros_like(left)
        for layouts in self.lessons.hushed:
            free = np.flatnonzero(left)
            if free.size:
                rows = layouts.walk(text, data, begins, ends, free).rows
                quiet[rows], left[rows] = True, False
        for number, columns in read:
            self._close(self.lessons.templates[number], columns, quiet, left)
        read = [(number, columns) for number, columns in read if columns.rows.size]
        if drawn.size:
            drawn = distinct(np.searchsorted(ends, drawn))
            drawn = drawn[left[drawn]]
            left[drawn], dirty = False, np.sort(np.append(dirty, drawn))
        silent = self.noise.among(text, data, begins, ends, np.flatnonzero(left))
        left[dirty] = filled[dirty]
        left[silent] = False
        others = np.flatnonzero(left)
        heard = _heard(quiet, left, filled) if quiet.any() else others[:0]
        silences = int(np.count_nonzero(quiet)) - heard.size
        table = table_of(read, self.lessons.templates, data, ends, ends)
        sums = table.sums(_merged(others, heard)) if read else []
        return Examined(ends, redrawn, dirty, silent, silences, heard, others, read, sums)

    @staticmethod
    def _close(template: Template, columns: Columns, quiet: Mask, left: Mask) -> None:
        """Leaves records of several lines that may go on; the others stand where their event is."""
        if template.lines > 1:
            left[members(template, columns)] = True
            closed(template, columns, quiet)
            left[members(template, columns)] = False
            columns.rows += template.place

    def _flat(
        self, data: memoryview, room: mmap | None
    ) -> tuple[NDArray[np.uint8], Indices, NDArray[np.uint8], Indices]:
        """The block with the margin, what is drawn there made flat.

        Returns:
            The bytes, where those stand that are not printable, which these are, and where flat
            signs begin.
        """
        size = len(data)
        whole = np.frombuffer(data, dtype=np.uint8)
        if room is None:
            buffer = self._buffer
            buffer[:size] = whole
            plain = not (whole == _DELETE).any()
        else:
            buffer = np.frombuffer(room, dtype=np.uint8)
            plain = room.find(bytes((_DELETE,)), 0, size) < 0
        if plain:
            # Those above ASCII are negative, so that one look finds them, too.
            marks = self._marks.where(buffer[:size].view(np.int8), _low)
            there = buffer.take(marks)
            if not _rewritten(there).any():
                return buffer, marks, there, _NOWHERE
        buffer = self._buffer
        buffer[:size] = whole
        drawn = flatten(buffer[:size])
        marks = self._marks.where(buffer[:size], _unprintable)
        return buffer, marks, buffer.take(marks), drawn

    @staticmethod
    def _lines(
        buffer: NDArray[np.uint8], marks: Indices, there: NDArray[np.uint8]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], bool, Indices]:
        """Where each line begins and ends, whether any is redrawn, and which are no plain ASCII.

        A carriage return becomes a newline.

        Args:
            buffer: The block.
            marks: Where bytes stand that are not printable.
            there: Which these are.
        """
        breaks = there == 0x0A
        ends, redrawn, dirty = marks, False, np.empty(0, dtype=np.intp)
        if not breaks.all():
            returns = there == _RETURN
            redrawn = bool(returns.any())
            if redrawn:
                buffer[marks[returns]] = 0x0A
                breaks |= returns
            ends = marks[breaks]
            strange = ~breaks & (there != 0x09)
            if strange.any():
                dirty = distinct(np.searchsorted(ends, marks[strange]))
        begins = np.zeros_like(ends)
        np.add(ends[:-1], 1, out=begins[1:])
        long = (ends - begins > MAX_LINE).nonzero()[0]
        if long.size:
            dirty = distinct(np.append(dirty, long))
        return begins, ends, redrawn, dirty


def _in_order(lines: Iterator[Line], stretches: Iterator[_Some]) -> Iterator[Line | _Some]:
    """Lines and stretches as they follow one another."""
    waiting = next(lines, None)
    for stretch in stretches:
        while waiting is not None and waiting.offset < stretch.offset:
            yield waiting
            waiting = next(lines, None)
        yield stretch
    if waiting is not None:
        yield waiting
        yield from lines


def _low(some: NDArray[np.int8], out: Mask) -> None:
    np.less(some, _FIRST_PRINTABLE, out=out)


def _unprintable(some: NDArray[np.uint8], out: Mask) -> None:
    # Wraps around below the first printable byte.
    np.greater(some - _FIRST_PRINTABLE, _LAST_PRINTABLE - _FIRST_PRINTABLE, out=out)


def _rewritten(marks: NDArray[np.uint8]) -> Mask:
    """Which bytes cannot stay where they are: carriage returns, and all above ASCII."""
    rewritten: Mask = (marks == _RETURN) | (marks > _LAST_PRINTABLE)
    return rewritten


def _heard(quiet: Mask, others: Mask, filled: Mask) -> Indices:
    """The quiet lines behind others: a reader may close there what others began.

    What a reader keeps back it gives at the next line of any kind, and no record leaves
    something behind; so the first quiet line is enough.
    """
    if not filled.all():
        lines = np.flatnonzero(filled)
        before = np.append(True, others[lines[:-1]])
        behind: Indices = lines[before & quiet[lines]]
        return behind
    rows = np.flatnonzero(quiet)
    heard: Indices = rows[(rows == 0) | others[rows - 1]]
    return heard


def _merged(one: Indices, other: Indices) -> Indices:
    """Both in the lines' order."""
    return np.sort(np.append(one, other)) if other.size else one
