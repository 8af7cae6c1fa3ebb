"""The records of a block as columns, and the stretches in which they are folded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from parsers.events import Event, Iteration, Iterations, Metric, Origin
from parsers.scan.lockstep import Columns
from parsers.scan.ordered import Indices, Ordered, Row
from parsers.scan.sums import exact_rests
from parsers.scan.template import IterationTemplate
from parsers.scan.words import Mask, distinct
from parsers.text import Line

_DAY_US = 86_400_000_000
_TOGETHER = 32
"""Records taken out of the columns at once."""
_PARTS = 8
"""Parts of a record that every table has."""
_NOWHERE: Indices = np.empty(0, dtype=np.intp)


class Sum(NamedTuple):
    """What a stretch of records says together.

    Attributes:
        begin: Index of its first record.
        end: Index after its last.
        first: Its first record.
        last: Its last.
        units: Exact sum of the throughputs after the first's, in units of 2**-1074.
        seconds: Exact sum of the positive durations after the first's, in the same units.
        lasted: How many those are.
        pause: Most microseconds between two neighbours.
        fractions: Whether any clock after the first's shows a part of a second.
        gauged: Exact sums of the gauges after the first's, in the table's order.
        seen: Whether it follows a single record that the reader must see first.
    """

    begin: int
    end: int
    first: Row
    last: Row
    units: int
    seconds: int
    lasted: int
    pause: int
    fractions: bool
    gauged: tuple[int, ...]
    seen: bool


class Sums(Sequence[Sum]):
    """What the stretches of a block say, a column for each part of a `Sum`.

    Attributes:
        columns: As the parts of a sum; of the first and the last records, a column for each part
            of a record. Plain numbers, so that they can be sent.
    """

    __slots__ = ("columns",)

    def __init__(self, columns: Sequence[Any]) -> None:
        self.columns = columns

    @property
    def firsts(self) -> list[list[Any]]:
        """The first records."""
        return self.part("first")

    @property
    def lasts(self) -> list[list[Any]]:
        """The last records."""
        return self.part("last")

    def part(self, name: str) -> list[Any]:
        """A column, under the name that the part has in a `Sum`."""
        column: list[Any] = self.columns[_PLACES[name]]
        return column

    def __len__(self) -> int:
        return len(self.columns[0])

    @overload
    def __getitem__(self, which: int) -> Sum: ...

    @overload
    def __getitem__(self, which: slice) -> list[Sum]: ...

    def __getitem__(self, which: int | slice) -> Sum | list[Sum]:
        if isinstance(which, int):
            place = range(len(self))[which]
            return self[place : place + 1][0]
        parts = [
            [*zip(*(part[which] for part in column), strict=True)] if record else column[which]
            for record, column in zip(_RECORDS, self.columns, strict=True)
        ]
        return [*map(Sum._make, zip(*parts, strict=True))]

    def __iter__(self) -> Iterator[Sum]:
        return iter(self[:])


_PLACES = {name: place for place, name in enumerate(Sum._fields)}
_RECORDS = [name in ("first", "last") for name in Sum._fields]


class Stretch(NamedTuple):
    """Records to be folded together.

    Attributes:
        event: What they say.
        template: What they look like.
        part: Which of the block's records they are.
        seen: Whether the reader saw the line before them, and what it watches is as it was there.
        watched: Each watched hole, and its number in all of them.
    """

    event: Iterations
    template: IterationTemplate
    part: _Part
    seen: bool = False
    watched: tuple[tuple[str, float], ...] = ()

    @property
    def offset(self) -> int:
        """Byte offset of the first."""
        return self.event.first.at.offset

    def lines(self) -> Iterator[Line]:
        """The lines of the first."""
        return self.part.table.lines(self.part.begin)

    def labelled(self, label: int | None) -> Stretch:
        """The same within an epoch that the reader knows of."""
        part = self.part._replace(label=label)
        event = self.event
        return self._replace(
            part=part,
            event=event._replace(
                first=event.first._replace(epoch=label),
                last=event.last._replace(epoch=label),
                after=part.after,
                parts=part.again,
            ),
        )

    def rest(self) -> Stretch:
        """All but the first, once that was read singly."""
        part = self.part
        return part.table.stretch(part.begin + 1, part.end, part.label)._replace(seen=True)


class Table:
    """The records of a block, in the lines' order; its columns are put together when asked for.

    Args:
        read: What was read, by the number of its template; not empty.
        templates: All templates of the log.
        data: The block.
        ends: Where each of its lines ends.
        numbers: The line numbers of all.
        offset: Byte offset of the first.
    """

    def __init__(
        self,
        read: list[tuple[int, Columns]],
        templates: list[IterationTemplate],
        data: memoryview,
        ends: NDArray[np.int64],
        numbers: NDArray[np.int64],
        offset: int = 0,
    ) -> None:
        self._read = read
        self._templates = templates
        self._data = data
        self._ends = ends
        self._numbers, self._offset = numbers, offset
        present = [templates[number] for number, _ in read]
        self._gauges = [*dict.fromkeys(name for t in present for _hole, name, _unit in t.gauges)]
        self._watched = [*dict.fromkeys(name for t in present for name in t.watched)]

    @cached_property
    def _columns(self) -> Ordered:
        return Ordered(self._read, self._templates, self._gauges, self._watched)

    def sums(self, others: Indices) -> Sums:
        """Cuts the records at other lines, at new epochs, and where the steps do not rise."""
        columns = self._columns
        faces = self._faces()
        cut: Mask = columns.epoch[1:] != columns.epoch[:-1]
        present = [self._templates[number] for number, _ in self._read]
        if any(t.example.step is not None for t in present):
            cut |= columns.step[1:] <= columns.step[:-1]
        if any(t.record.texts for t in present):
            cut |= self._alike()
        for watched in columns.watched:
            cut |= watched[1:] != watched[:-1]
        if faces is not None:
            cut |= faces[1:] != faces[:-1]
        if columns.timed:
            cut |= (columns.passed[1:] < 0) | (columns.passed[1:] > _DAY_US)
        if others.size:
            rows = columns.rows
            inside = others[(others > rows[0]) & (others < rows[-1])]
            cut[np.searchsorted(rows, inside) - 1] = True
        cuts = np.flatnonzero(cut) + 1
        if not any(t.record.compares for t in present):
            return self._summed(0, columns.rows.size, cuts)
        before = cut.copy()
        cut[0:1] = True
        cut[cuts[cuts < cut.size]] = True
        if any(t.record.texts for t in present):  # the last singly, too
            cut[-1:] = True
            cut[cuts[cuts > 1] - 2] = True
        return self._summed(0, columns.rows.size, np.flatnonzero(cut) + 1, cut & ~before)

    def stretches(self, sums: Iterable[Sum], label: int | None = None) -> Iterator[Stretch]:
        """The records in the stretches that were summed up; `label` as in `_Part`."""
        for one in sums:
            template = self.template(one.first[1])
            first = last = self.single(one.first, label)
            rated: tuple[tuple[float, int], ...] = ()
            if one.end - one.begin > 1:
                last = self.single(one.last, label)
                if last.throughput is not None:
                    rated = self.extremes(one.begin, one.end)
            gauges: tuple[tuple[str, str, int], ...] = ()
            if template.gauges:
                of = dict(zip(self._gauges, one.gauged, strict=True))
                gauges = tuple((name, unit, of[name]) for _hole, name, unit in template.gauges)
            part = _Part(self, one.begin, one.end, label)
            event = Iterations(
                first,
                last,
                one.end - one.begin,
                one.units,
                part.after,
                part.again,
                rated,
                one.seconds,
                one.lasted,
                one.pause,
                one.fractions,
                gauges,
            )
            watched: tuple[tuple[str, float], ...] = ()
            if template.watched:
                numbers = one.first[_PARTS : _PARTS + len(self._watched)]
                of = dict(zip(self._watched, numbers, strict=True))
                watched = tuple((name, of[name]) for name in template.watched)
            yield Stretch(event, template, part, one.seen, watched)

    def stretch(self, begin: int, end: int, label: int | None) -> Stretch:
        """Some records that follow one another as one."""
        return next(self.stretches(self._summed(begin, end), label))

    def parts(self, begin: int, sizes: Sequence[int], label: int | None) -> Iterator[Iterations]:
        """Records that follow one another, so many in each part."""
        ends = np.cumsum(sizes)
        sums = self._summed(begin, begin + int(ends[-1]), ends[:-1])
        return (stretch.event for stretch in self.stretches(sums, label))

    def lines(self, index: int) -> Iterator[Line]:
        """A record as the lines it was read from."""
        template = self._templates[self._columns.which[index]]
        first = int(self._columns.rows[index]) - template.place
        for row in range(first, first + template.lines):
            begin = self._begin(row)
            text = bytes(self._data[begin : int(self._ends[row])]).decode()
            yield Line(int(self._numbers[row]), self._offset + begin, text)

    def agrees(self, events: list[Event]) -> bool:
        """Whether the first record says what the line parser read in it."""
        example = self._templates[0].example
        read = next(self.rows(0, 1, example.epoch))
        if self._templates[0].record.running:  # one line does not tell
            read = read._replace(duration=example.duration)
        here = example.at._replace(line=read.at.line, offset=read.at.offset)
        return len(events) == 1 and read == example._replace(at=here)

    def rows(self, begin: int, end: int, label: int | None = None) -> Iterator[Iteration]:
        """Records as the events they stand for; often the first is all that is wanted."""
        size = 1
        while begin < end:
            some = np.arange(begin, min(end, begin + size))
            yield from (self.single(row, label) for row in self._columns.at(some))
            begin, size = begin + size, _TOGETHER

    def extremes(self, begin: int, end: int) -> tuple[tuple[float, int], tuple[float, int]]:
        """Lowest and highest throughput of some records, each with its line, the first such."""
        columns = self._columns
        rate, rows = columns.rate[begin:end], columns.rows[begin:end]
        low, high = int(rate.argmin()), int(rate.argmax())
        return (
            (float(rate[low]), int(self._numbers[rows[low]])),
            (float(rate[high]), int(self._numbers[rows[high]])),
        )

    def template(self, which: int) -> IterationTemplate:
        """What the records of a number look like."""
        return self._templates[which]

    def where(self, rows: Indices) -> tuple[list[Any], list[Any]]:
        """The numbers of some lines of the block, and the byte offset of each, in their shape."""
        begins = np.where(rows > 0, self._ends[rows - 1] + 1, 0) + self._offset
        return self._numbers[rows].tolist(), begins.tolist()

    def text(self, lines: Indices) -> str:
        """Some plain lines of the block as they stand, one behind the other."""
        cuts = np.flatnonzero(np.diff(lines) != 1) + 1
        begins, _sizes = self._spans(lines[np.append(0, cuts)])
        ends = self._ends[lines[np.append(cuts - 1, lines.size - 1)]] + 1
        spans = zip(begins.tolist(), ends.tolist(), strict=True)
        return str(b"".join([self._data[begin:end] for begin, end in spans]), "ascii")

    def texts(self, lines: Indices, begins: Indices, counts: Indices) -> list[str]:
        """Some plain lines of the block as they stand, several in each text.

        Args:
            lines: Of which lines.
            begins: Where among them each text begins.
            counts: How many lines it has.
        """
        froms, sizes = self._spans(lines)
        sizes += 1
        spans = zip(froms.tolist(), (froms + sizes).tolist(), strict=True)
        # Among the lines may be others than those asked for, and they not plain.
        every = str(b"".join([self._data[begin:end] for begin, end in spans]), "ascii", "replace")
        ends = np.cumsum(sizes)
        first, last = ends[begins] - sizes[begins], ends[begins + counts - 1]
        return [every[b:e] for b, e in zip(first.tolist(), last.tolist(), strict=True)]

    def _begin(self, row: int) -> int:
        return int(self._ends[row - 1]) + 1 if row else 0

    def _alike(self) -> Mask:
        """Which records may have the text of the one before: with a clock in front, by figures."""
        columns = self._columns
        alike: Mask = columns.loss[1:] == columns.loss[:-1]
        alike &= columns.rate[1:] == columns.rate[:-1]
        timed = np.array([t.example.at.time_us is not None for t in self._templates])
        told = np.flatnonzero(alike)
        told = told[~timed[columns.which[told]]]
        rows = columns.rows
        first, second = self._spans(rows[told]), self._spans(rows[told + 1])
        alike[told] = False
        for size in distinct(first[1]).tolist():
            same = np.flatnonzero((first[1] == size) & (second[1] == size))
            texts = (self._texts(begins[same], size) for begins in (first[0], second[0]))
            alike[told[same]] = np.equal(*texts).all(axis=1)
        return alike

    def _spans(self, rows: Indices) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where lines begin, and how long they are."""
        begins = np.where(rows > 0, self._ends[rows - 1] + 1, 0)
        return begins, self._ends[rows] - begins

    def _texts(self, begins: NDArray[np.int64], size: int) -> NDArray[np.uint8]:
        """The bytes of lines of one length, a row a line."""
        room = (len(self._data) - size + 1,)
        every = np.ndarray(room, f"V{size}", self._data, strides=(1,))
        texts: NDArray[np.uint8] = every[begins].view(np.uint8).reshape(-1, size)
        return texts

    def _faces(self) -> NDArray[np.int64] | None:
        """A number for each record, equal where all but the columns is; None where all are."""
        if len(self._read) == 1:
            return None
        known: list[object] = []
        numbers = np.zeros(len(self._templates), dtype=np.int64)
        for number, _columns in self._read:
            face = self._templates[number].face()
            if face not in known:
                known.append(face)
            numbers[number] = known.index(face)
        return numbers[self._columns.which] if len(known) > 1 else None

    def _summed(
        self, low: int, high: int, cuts: Indices = _NOWHERE, seen: Mask | None = None
    ) -> Sums:
        """The records from `low` up to `high`; `cuts` count from there, `seen` from the second."""
        columns = self._columns
        begin = np.append(np.zeros(1, dtype=np.intp), cuts)
        last = np.append(begin[1:], high - low) - 1
        none = [0] * begin.size

        def after(column: NDArray[Any]) -> NDArray[Any]:
            """Without the first record of each stretch."""
            rest = column.copy()
            rest[begin] = 0
            return rest

        units, durations, lasted = none, none, none
        if columns.rated:
            units = exact_rests(columns.rate[low:high], begin)
        if columns.lasting:
            lasting = columns.duration[low:high]
            durations = exact_rests(lasting, begin)
            lasted = (last - begin).tolist()
            if lasting.min() <= 0:
                known = after(lasting > 0).view(np.uint8)
                lasted = np.add.reduceat(known, begin, dtype=np.int64).tolist()
        gauged = [exact_rests(column[low:high], begin) for column in columns.gauges]
        pauses, fractions = none, [False] * begin.size
        if columns.timed:
            pauses = np.maximum.reduceat(after(columns.passed[low:high]), begin).tolist()
            uneven = after(columns.uneven[low:high]).view(np.uint8)
            fractions = np.maximum.reduceat(uneven, begin).astype(np.bool_).tolist()
        parts = (
            (begin + low).tolist(),
            (last + low + 1).tolist(),
            columns.columns_at(begin + low),
            columns.columns_at(last + low),
            units,
            durations,
            lasted,
            pauses,
            fractions,
            [*zip(*gauged, strict=True)] if gauged else [()] * begin.size,
            [False, *seen[cuts - 1].tolist()] if seen is not None else [False] * begin.size,
        )
        return Sums(parts)

    def single(self, values: Row, label: int | None = None) -> Iteration:
        """A record as the event it stands for."""
        row, which, epoch, step, time, rate, loss, duration, *others = values
        gauges = others[len(self._watched) :]
        template = self._templates[which]
        record, example = template.record, template.example
        at = example.at
        kept: tuple[Metric, ...] = ()
        if gauges and template.gauges:
            of = dict(zip(self._gauges, gauges, strict=True))
            kept = tuple(Metric(name, of[name], unit) for _hole, name, unit in template.gauges)
        return Iteration(
            Origin(
                int(self._numbers[row]),
                self._offset + self._begin(row),
                time if at.time_us is not None else None,
                at.rank,
                at.host,
            ),
            epoch if record.epoch and example.epoch is not None else label,
            step if example.step is not None else None,
            example.steps,
            rate if template.rate else None,
            example.unit,
            example.scope,
            loss if template.loss else None,
            (duration or None if record.running else duration) if template.duration else None,
            kept,
        )


class _Part(NamedTuple):
    """The records of a stretch, one by one or folded anew.

    Attributes:
        label: Their epoch where the reader knows it and the lines do not say.
    """

    table: Table
    begin: int
    end: int
    label: int | None = None

    def after(self) -> Iterator[Iteration]:
        return self.table.rows(self.begin + 1, self.end, self.label)

    def again(self, begin: int, sizes: Sequence[int]) -> Iterator[Iterations]:
        return self.table.parts(self.begin + begin, sizes, self.label)
