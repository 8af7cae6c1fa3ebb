"""A block of whole lines becomes stretches of records, and lines for the line parser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from parsers.events import Iteration
from parsers.format import Reader, Statement
from parsers.scan.layouts import Layouts
from parsers.scan.lockstep import Columns, walk
from parsers.scan.noise import Noise
from parsers.scan.table import Indices, Stretch, Table, sound
from parsers.scan.template import Template, learn
from parsers.scan.words import PAD, Text
from parsers.shape import Fields
from parsers.text import MAX_LINE, Line, LineSplitter

BLOCK = 2 << 20
"""Bytes read together: enough lines of each layout, little memory."""
_MOST_TEMPLATES = 6
_MOST_TRIES = 60
_FIRST_PRINTABLE, _LAST_PRINTABLE = 0x20, 0x7E


class Examined(NamedTuple):
    """What stands where in a block.

    Attributes:
        ends: Where each line ends.
        dirty: Lines that hold anything but plain ASCII text.
        silent: Lines that are known to mean nothing to any reader.
        read: Records, by the number of their template.
    """

    ends: NDArray[np.int64]
    dirty: Indices
    silent: Indices
    read: list[tuple[int, Columns]]


class Scanner:
    """Reads blocks of one log, in the templates it has learned so far.

    Args:
        reader: The log's reader.
        companions: Those that read beside it.

    Attributes:
        templates: What it has learned.
        size: Most bytes of one block.
        lines: Newlines in the last block.
        silent: Lines of the last block that are known to mean nothing to any reader.
    """

    size = BLOCK

    def __init__(self, reader: Reader, companions: tuple[Reader, ...]) -> None:
        self._reader = reader
        self.templates: list[Template] = []
        self.noise = Noise((reader, *companions))
        self._layouts: list[Layouts] = []
        self.lines = self.silent = 0
        self._tries = 0
        self._learned = False
        self._buffer = np.zeros(BLOCK + PAD + 8, dtype=np.uint8)
        self._odd = np.zeros(BLOCK, dtype=np.bool_)

    @property
    def curious(self) -> bool:
        """Whether another template is wanted (at most one from each block)."""
        return (
            not self._learned
            and len(self.templates) < _MOST_TEMPLATES
            and self._tries < _MOST_TRIES
        )

    def rest(self) -> None:
        """Wants no template before the next block."""
        self._learned = True

    @property
    def hopeless(self) -> bool:
        """Whether this log gave no template and none is looked for any more."""
        return not self.templates and self._tries >= _MOST_TRIES

    def learn(self, statement: Statement, fields: Fields, raw: str, event: Iteration) -> None:
        """Takes a line as an example, if its template reads it as the line parser did."""
        if any(self._knows(layouts, raw, event) for layouts in self._layouts):
            return
        template = learn(statement, fields, raw, event, self._reader)
        if template is None:
            self._tries += 1
            return
        if any(
            known.pieces == template.pieces and known.face() == template.face()
            for known in self.templates
        ):
            self._learned = True  # something else about it: its like need not be looked at again
            return
        data = raw.encode() + b"\n"
        buffer = np.zeros(len(data) + PAD + 8 & ~7, dtype=np.uint8)
        buffer[: len(data)] = np.frombuffer(data, dtype=np.uint8)
        zero = np.zeros(1, dtype=np.int64)
        columns = walk(Text(buffer), zero, np.zeros(1, dtype=np.intp), template)
        columns = sound(template, columns)
        if not columns.rows.size:
            self._tries += 1
            return
        read = Table([(template, columns)], memoryview(data), zero, zero, 1, 0).row(0)
        if read == template.example._replace(at=event.at._replace(line=1, offset=0)):
            self.templates.append(template)
            self._layouts.append(Layouts(template))
            self._learned = True
        else:
            self._tries += 1

    def _knows(self, layouts: Layouts, raw: str, event: Iteration) -> bool:
        """Whether a line is of a template, so that learning it anew would tell nothing."""
        template, record = layouts.template, layouts.template.record
        if event.steps != template.example.steps:
            return False
        if record.work and record.work(self._reader) != template.work:
            return False
        return layouts.pattern.fullmatch(raw.encode()) is not None

    def parts(
        self,
        data: memoryview,
        number: int,
        offset: int,
        every: int = 0,
        found: Examined | None = None,
    ) -> Iterator[Line | Stretch]:
        """What a block says, in order.

        Args:
            data: Whole lines, each with its newline; at most `BLOCK` bytes.
            number: Line number of the first.
            offset: Byte offset of the first.
            every: Lines whose number is a multiple of this are never silent; 0 for none.
            found: What `examine` found in it, where that is known.

        Yields:
            Lines for the line parser, and stretches of records.
        """
        self._learned = False
        ends, dirty, silent, columns = found or self.examine(data)
        if every:
            silent = silent[(silent + number) % every != 0]
        begins = np.zeros_like(ends)
        begins[1:] = ends[:-1] + 1
        left = begins < ends  # empty lines are none
        left[silent] = False
        read = [(self.templates[which], of_one) for which, of_one in columns]
        for _template, of_one in read:
            left[of_one.rows] = False
        others = np.flatnonzero(left)
        self.lines, self.silent = ends.size, silent.size
        yield from self._ordered(read, others, dirty, data, begins, ends, number, offset)

    def examine(self, data: memoryview) -> Examined:
        """Finds the lines of a block, and the records among them."""
        size = len(data)
        buffer = self._buffer
        buffer[:size] = np.frombuffer(data, dtype=np.uint8)
        buffer[size : size + PAD] = 0
        ends, dirty = self._lines(size)
        begins = np.zeros_like(ends)
        begins[1:] = ends[:-1] + 1
        text = Text(buffer)
        # Empty lines are none.
        left = begins < ends
        left[dirty] = False
        read: list[tuple[int, Columns]] = []
        for number, layouts in enumerate(self._layouts):
            free = np.flatnonzero(left)
            if not free.size:
                break
            columns = layouts.walk(text, data, begins, ends, free)
            columns = sound(layouts.template, columns)
            if columns.rows.size:
                read.append((number, columns))
                left[columns.rows] = False
        silent = self.noise.among(text, data, begins, ends, np.flatnonzero(left))
        return Examined(ends, dirty, silent, read)

    def _lines(self, size: int) -> tuple[NDArray[np.int64], Indices]:
        """Where each line ends, and which lines hold anything but plain ASCII text."""
        odd = self._odd[:size]
        if self._buffer[:size].max() <= _LAST_PRINTABLE:
            np.less(self._buffer[:size], _FIRST_PRINTABLE, out=odd)
        else:
            # Wraps around below the first printable byte.
            np.greater(
                self._buffer[:size] - _FIRST_PRINTABLE, _LAST_PRINTABLE - _FIRST_PRINTABLE, out=odd
            )
        marks = np.flatnonzero(odd)
        bytes_there = self._buffer.take(marks)
        breaks = bytes_there == 0x0A
        ends, dirty = marks, np.empty(0, dtype=np.intp)
        if not breaks.all():
            ends = marks[breaks]
            strange = ~breaks & (bytes_there != 0x09)
            if strange.any():
                dirty = np.unique(np.searchsorted(ends, marks[strange]))
        long = np.flatnonzero(np.diff(ends) > MAX_LINE) + 1
        if ends[0] > MAX_LINE:
            long = np.append(0, long)
        return ends, np.union1d(dirty, long) if long.size else dirty

    def _ordered(
        self,
        read: list[tuple[Template, Columns]],
        others: Indices,
        dirty: Indices,
        data: memoryview,
        begins: NDArray[np.int64],
        ends: NDArray[np.int64],
        number: int,
        offset: int,
    ) -> Iterator[Line | Stretch]:
        lines = _lines_of(data, others, set(dirty.tolist()), begins, ends, number, offset)
        waiting = next(lines, None)
        if read:
            table = Table(read, data, begins, ends, number, offset)
            for stretch in table.stretches(others):
                while waiting is not None and waiting.number < stretch.event.at.line:
                    yield waiting
                    waiting = next(lines, None)
                yield stretch
        if waiting is not None:
            yield waiting
            yield from lines


def _lines_of(
    data: memoryview,
    wanted: Indices,
    dirty: set[int],
    begins: NDArray[np.int64],
    ends: NDArray[np.int64],
    number: int,
    offset: int,
) -> Iterator[Line]:
    """Some lines of a block; of those that are not `dirty` it is known that they are plain."""
    spans = zip(begins[wanted].tolist(), ends[wanted].tolist(), strict=True)
    for index, (begin, end) in zip(wanted.tolist(), spans, strict=True):
        if index in dirty:
            yield from LineSplitter(number + index, offset + begin).feed(
                bytes(data[begin : end + 1])
            )
            continue
        text = str(data[begin:end], "ascii")
        if not text.isspace():
            yield Line(number + index, offset + begin, text)
