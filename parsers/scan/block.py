"""A block of whole lines becomes stretches of records, and lines for the line parser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parsers.events import Iteration, Iterations, Origin
from parsers.format import Reader, Statement
from parsers.scan.layouts import Layouts
from parsers.scan.lockstep import TIME, Columns, walk
from parsers.scan.noise import Noise
from parsers.scan.sums import exact, exact_sums
from parsers.scan.template import Template, learn
from parsers.scan.words import PAD, Text
from parsers.shape import Fields
from parsers.text import MAX_LINE, Line, LineSplitter

BLOCK = 2 << 20
"""Bytes read together: enough lines of each layout, little memory."""
_MOST_TEMPLATES = 6
_MOST_TRIES = 60
_DAY_US = 86_400_000_000
_FIRST_PRINTABLE, _LAST_PRINTABLE = 0x20, 0x7E

Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Records to be folded together.

    Attributes:
        event: What they say.
        rate: Hole of their throughput; empty without one.
        line: Gives the first as a line of its own.
    """

    event: Iterations
    rate: str
    line: Callable[[], Line]

    def rest(self) -> Stretch:
        """All but the first, once that was read singly."""
        later = self.event.after
        assert isinstance(later, _Later)
        rows = [*later()]
        rates = [(r.throughput, r.at.line) for r in rows[1:] if r.throughput is not None]
        lasting = [r.duration for r in rows[1:] if r.duration is not None and r.duration > 0]
        event = Iterations(
            rows[0],
            rows[-1],
            len(rows),
            sum(exact(value) for value, _line in rates),
            replace(later, begin=later.begin + 1),
            (min(rates, key=_value), max(rates, key=_value)) if rates else (),
            sum(exact(value) for value in lasting),
            len(lasting),
        )
        return replace(self, event=event, line=partial(later.table.line, later.begin))


def _value(rate: tuple[float, int]) -> float:
    return rate[0]


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
        template = learn(statement, fields, raw, event)
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
        if not columns.rows.size:
            self._tries += 1
            return
        read = _Table([(template, columns)], memoryview(data), zero, zero, 1, 0).row(0)
        if read == event._replace(at=event.at._replace(line=1, offset=0), values=()):
            self.templates.append(template)
            self._layouts.append(Layouts(template))
            self._learned = True
        else:
            self._tries += 1

    def parts(self, data: memoryview, number: int, offset: int) -> Iterator[Line | Stretch]:
        """What a block says, in order.

        Args:
            data: Whole lines, each with its newline; at most `BLOCK` bytes.
            number: Line number of the first.
            offset: Byte offset of the first.

        Yields:
            Lines for the line parser, and stretches of records.
        """
        self._learned = False
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
        read: list[tuple[Template, Columns]] = []
        for template, layouts in zip(self.templates, self._layouts, strict=True):
            free = np.flatnonzero(left)
            if not free.size:
                break
            columns = layouts.walk(text, data, begins, ends, free)
            if columns.rows.size:
                read.append((template, columns))
                left[columns.rows] = False
        silent = self.noise.among(text, data, begins, ends, np.flatnonzero(left))
        left[silent] = False
        left[dirty] = True
        others = np.flatnonzero(left)
        self.lines, self.silent = ends.size, silent.size
        yield from self._ordered(read, others, dirty, data, begins, ends, number, offset)

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
        breaks = self._buffer.take(marks) == 0x0A
        if breaks.all():
            ends, dirty = marks, np.empty(0, dtype=np.intp)
        else:
            ends = marks[breaks]
            dirty = np.unique(np.searchsorted(ends, marks[~breaks]))
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
            table = _Table(read, data, begins, ends, number, offset)
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


class _Table:
    """The records of a block, from all templates, in the lines' order."""

    def __init__(
        self,
        read: list[tuple[Template, Columns]],
        data: memoryview,
        begins: NDArray[np.int64],
        ends: NDArray[np.int64],
        number: int,
        offset: int,
    ) -> None:
        self.data = data
        self.templates = [template for template, _ in read]
        rows = np.concatenate([columns.rows for _, columns in read])
        which = np.repeat(np.arange(len(read)), [columns.rows.size for _, columns in read])
        order = None
        if len(read) > 1:
            order = np.argsort(rows, kind="stable")
            rows, which = rows[order], which[order]
        self.rows = rows
        self.which = which
        self.begins, self.ends = begins[rows], ends[rows]
        self.number, self.offset = number, offset

        def column(part: Any, kind: type) -> NDArray[Any]:
            pieces = []
            for template, columns in read:
                found = columns.values.get(part(template))
                none: NDArray[Any] = np.zeros(columns.rows.size, dtype=kind)
                pieces.append(none if found is None else found)
            whole = pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
            return whole if order is None else whole[order]

        self.epoch = column(lambda t: t.record.epoch or None, np.int64)
        self.step = column(lambda t: t.record.step or None, np.int64)
        self.time = column(lambda t: TIME, np.int64)
        self.rate = column(lambda t: t.rate or None, np.float64)
        self.loss = column(lambda t: t.loss or None, np.float64)
        self.duration = column(lambda t: t.duration or None, np.float64)

    def stretches(self, others: Indices) -> Iterator[Stretch]:
        """Cuts the records at other lines, at new epochs, and where the steps do not rise."""
        faces = self._faces()
        cut = self.epoch[1:] != self.epoch[:-1]
        if any(t.record.step for t in self.templates):
            cut |= self.step[1:] <= self.step[:-1]
        if faces.max() > 0:
            cut |= faces[1:] != faces[:-1]
        passed = self.time[1:] - self.time[:-1]
        cut |= (passed < 0) | (passed > _DAY_US)
        if others.size:
            before = np.searchsorted(others, self.rows)
            cut |= before[1:] != before[:-1]
        begin = np.concatenate(([0], np.flatnonzero(cut) + 1))
        last = np.append(begin[1:], self.rows.size) - 1
        after = self.rate.copy()
        after[begin] = 0.0
        units = exact_sums(after, begin)
        lasting = np.maximum(self.duration, 0.0)
        lasting[begin] = 0.0
        seconds = exact_sums(lasting, begin)
        lasted = np.add.reduceat((lasting > 0).astype(np.int64), begin).tolist()
        extremes = self._extremes(begin, last)
        firsts, lasts = self._singles(begin), self._singles(last)
        for a, b, first, final, total, ends, time, times in zip(
            *(begin.tolist(), last.tolist(), firsts, lasts, units, extremes, seconds, lasted),
            strict=True,
        ):
            rated = ends if final.throughput is not None and b > a else ()
            later = _Later(self, a + 1, b + 1)
            event = Iterations(first, final, b - a + 1, total, later, rated, time, times)
            yield Stretch(event, self.templates[self.which[a]].rate, partial(self.line, a))

    def _extremes(self, begin: Indices, last: Indices) -> Iterator[tuple[tuple[float, int], ...]]:
        """Lowest and highest throughput of each stretch after its first record."""
        lows, highs = self.rate.copy(), self.rate.copy()
        lows[begin], highs[begin] = np.inf, -np.inf
        sizes = last - begin + 1
        found = []
        for values, extreme in ((lows, np.minimum), (highs, np.maximum)):
            ends = extreme.reduceat(values, begin)
            at = np.flatnonzero(values == np.repeat(ends, sizes))
            at = at[np.searchsorted(at, begin)]  # the first in each stretch
            found.append(zip(ends.tolist(), (self.rows[at] + self.number).tolist(), strict=True))
        for low, high, size in zip(*found, sizes.tolist(), strict=True):
            yield (low, high) if size > 1 else ()

    def line(self, index: int) -> Line:
        """A record as the line it was read from."""
        begin, end = int(self.begins[index]), int(self.ends[index])
        text = bytes(self.data[begin:end]).decode()
        return Line(self.number + int(self.rows[index]), self.offset + begin, text)

    def row(self, index: int) -> Iteration:
        """One record as the event it stands for."""
        return next(self._singles(np.array([index])))

    def _faces(self) -> NDArray[np.int64]:
        """A number for each record; equal where all but the columns is equal."""
        if len(self.templates) == 1:
            return np.zeros(self.rows.size, dtype=np.int64)
        known: list[object] = []
        numbers = []
        for t in self.templates:
            face = t.face()
            if face not in known:
                known.append(face)
            numbers.append(known.index(face))
        return np.array(numbers)[self.which]

    def _singles(self, indices: Indices) -> Iterator[Iteration]:
        for row, begin, which, epoch, step, time, rate, loss, duration in zip(
            self.rows[indices].tolist(),
            self.begins[indices].tolist(),
            self.which[indices].tolist(),
            self.epoch[indices].tolist(),
            self.step[indices].tolist(),
            self.time[indices].tolist(),
            self.rate[indices].tolist(),
            self.loss[indices].tolist(),
            self.duration[indices].tolist(),
            strict=True,
        ):
            template = self.templates[which]
            record, example = template.record, template.example
            at = example.at
            yield Iteration(
                Origin(
                    self.number + row,
                    self.offset + begin,
                    time if at.time_us is not None else None,
                    at.rank,
                    at.host,
                ),
                epoch if record.epoch and example.epoch is not None else None,
                step if example.step is not None else None,
                example.steps,
                rate if template.rate else None,
                example.unit,
                example.scope,
                loss if template.loss else None,
                duration if template.duration else None,
            )


@dataclass(frozen=True, slots=True)
class _Later:
    """The records of a stretch after its first, one by one."""

    table: _Table
    begin: int
    end: int

    def __call__(self) -> Iterator[Iteration]:
        return self.table._singles(np.arange(self.begin, self.end))
