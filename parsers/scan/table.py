"""The records of a block as columns, and the stretches in which they are folded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from parsers.events import Iteration, Iterations, Metric, Origin
from parsers.scan.lockstep import TIME, Columns
from parsers.scan.sums import exact_sums
from parsers.scan.template import GROUP, Template
from parsers.scan.words import Mask
from parsers.text import Line

_DAY_US = 86_400_000_000

Indices: TypeAlias = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Records to be folded together.

    Attributes:
        event: What they say.
        template: What they look like.
        line: Gives the first as a line of its own.
        seen: Whether the reader saw the line before them, and what it watches is as it was there.
    """

    event: Iterations
    template: Template
    line: Callable[[], Line]
    seen: bool = False

    def rest(self) -> Stretch:
        """All but the first, once that was read singly."""
        part = self._part
        return replace(next(part.table.folded(part.begin + 1, part.end)), seen=True)

    def parted(self) -> tuple[Stretch, Line]:
        """All but the last of at least two, and the last as a line of its own."""
        part = self._part
        stretch = next(part.table.folded(part.begin, part.end - 1))
        return replace(stretch, seen=self.seen), part.table.line(part.end - 1)

    @property
    def _part(self) -> _Part:
        part = self.event.part
        assert isinstance(part, _Part)
        return part


def sound(template: Template, columns: Columns) -> Columns:
    """With groups of digits joined, and without lines whose seconds nobody could tell."""
    record, values = template.record, columns.values
    for name in [name for name in values if name.startswith(GROUP)]:
        whole = name.split(" ", 2)[2]
        values[whole] = values[whole] * 1000 + values.pop(name)
    if template.duration and columns.rows.size:
        if record.per_second or template.work:
            columns.keep(np.flatnonzero(values[template.duration] > 0))
        elif record.since:
            columns.keep(np.flatnonzero(values[record.step] > values[record.since]))
    return columns


def _seconds(template: Template, columns: Columns) -> NDArray[Any] | None:
    """The seconds of an iteration, as `IterationRecord` works them out."""
    record, values = template.record, columns.values
    if not template.duration:
        return None
    column: NDArray[Any] = values[template.duration]
    if record.per_second:
        column = 1 / column
    elif record.since:
        column = column / (values[record.step] - values[record.since])
    elif record.milliseconds:
        column = column / 1000
    return column


def _rate(template: Template, columns: Columns) -> NDArray[Any] | None:
    """The throughput, as `IterationRecord` works it out."""
    if template.work:
        seconds = _seconds(template, columns)
        return None if seconds is None else template.work / seconds
    return columns.values.get(template.rate)


def _gauge(name: str, template: Template) -> str:
    return next((hole for hole, own, _unit in template.gauges if own == name), "")


def _watched(name: str, template: Template) -> str:
    return name if name in template.record.watched else ""


_Find: TypeAlias = Callable[[Template, Columns], NDArray[Any] | None]


class Table:
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

        def column(part: _Find, kind: type) -> NDArray[Any]:
            pieces = []
            for template, columns in read:
                found = part(template, columns)
                none: NDArray[Any] = np.zeros(columns.rows.size, dtype=kind)
                pieces.append(none if found is None else found.astype(kind, copy=False))
            whole = pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
            return whole if order is None else whole[order]

        def hole(name: Callable[[Template], str]) -> _Find:
            return lambda template, columns: columns.values.get(name(template))

        self.epoch = column(hole(lambda t: t.record.epoch), np.int64)
        self.step = column(hole(lambda t: t.record.step), np.int64)
        self.time = column(hole(lambda t: TIME), np.int64)
        self.passed = np.diff(self.time, prepend=self.time[:1])
        self.rate = column(_rate, np.float64)
        self.loss = column(hole(lambda t: t.loss), np.float64)
        self.duration = column(_seconds, np.float64)
        self.gauges = {
            (name, unit): column(hole(partial(_gauge, name)), np.float64)
            for name, unit in {gauge[1:] for t in self.templates for gauge in t.gauges}
        }
        self.watched = [
            column(hole(partial(_watched, name)), np.float64)
            for name in {name for t in self.templates for name in t.record.watched}
        ]

    def stretches(self, others: Indices) -> Iterator[Stretch]:
        """Cuts the records at other lines, at new epochs, and where the steps do not rise."""
        faces = self._faces()
        cut: Mask = self.epoch[1:] != self.epoch[:-1]
        if any(t.example.step is not None for t in self.templates):
            cut |= self.step[1:] <= self.step[:-1]
        if any(t.record.texts for t in self.templates):
            cut |= self._alike()
        for watched in self.watched:
            cut |= watched[1:] != watched[:-1]
        if faces.max() > 0:
            cut |= faces[1:] != faces[:-1]
        cut |= (self.passed[1:] < 0) | (self.passed[1:] > _DAY_US)
        if others.size:
            before = np.searchsorted(others, self.rows)
            cut |= before[1:] != before[:-1]
        yield from self.folded(0, self.rows.size, np.flatnonzero(cut) + 1)

    def _alike(self) -> Mask:
        """Which records may have the text of the one before: with a clock in front, by figures."""
        alike: Mask = (self.loss[1:] == self.loss[:-1]) & (self.rate[1:] == self.rate[:-1])
        for index in np.flatnonzero(alike).tolist():
            if self.templates[self.which[index]].example.at.time_us is None:
                first, second = (
                    self.data[int(self.begins[row]) : int(self.ends[row])]
                    for row in (index, index + 1)
                )
                alike[index] = first == second
        return alike

    def folded(self, low: int, high: int, cuts: Indices | None = None) -> Iterator[Stretch]:
        """The records from `low` up to `high`, each stretch of them summed up.

        Args:
            low: Index of the first.
            high: Index after the last.
            cuts: Where, counted from `low`, a further stretch begins.
        """
        begin = np.concatenate(([0], [] if cuts is None else cuts)).astype(np.intp)
        last = np.append(begin[1:], high - low) - 1
        rate = self.rate[low:high]
        after = rate.copy()
        after[begin] = 0.0
        units = exact_sums(after, begin)
        lasting = np.maximum(self.duration[low:high], 0.0)
        lasting[begin] = 0.0
        seconds = exact_sums(lasting, begin)
        lasted = np.add.reduceat((lasting > 0).astype(np.int64), begin).tolist()
        extremes = self._extremes(rate, self.rows[low:high], begin, last)
        gauged = {}
        for gauge, column in self.gauges.items():
            after = column[low:high].copy()
            after[begin] = 0.0
            gauged[gauge] = exact_sums(after, begin)
        pauses = self.passed[low:high].copy()
        pauses[begin] = 0
        pauses = np.maximum.reduceat(pauses, begin).tolist()
        fractions = self.time[low:high] % 1_000_000 != 0
        fractions[begin] = False
        fractions = np.logical_or.reduceat(fractions, begin).tolist()
        begin, last = begin + low, last + low
        firsts, lasts = self._singles(begin), self._singles(last)
        rows = zip(
            *(begin.tolist(), last.tolist(), firsts, lasts, units, extremes),
            *(seconds, lasted, pauses, fractions),
            strict=True,
        )
        for index, (a, b, first, final, total, ends, time, times, pause, parts) in enumerate(rows):
            template = self.templates[self.which[a]]
            gauges = tuple(
                (name, unit, gauged[name, unit][index]) for _, name, unit in template.gauges
            )
            rated = ends if final.throughput is not None and b > a else ()
            part = _Part(self, a, b + 1)
            event = Iterations(
                first,
                final,
                b - a + 1,
                total,
                part.after,
                part,
                rated,
                time,
                times,
                pause,
                parts,
                gauges,
            )
            yield Stretch(event, template, partial(self.line, a))

    def _extremes(
        self, rate: NDArray[np.float64], rows: Indices, begin: Indices, last: Indices
    ) -> Iterator[tuple[tuple[float, int], ...]]:
        """Lowest and highest throughput of each stretch after its first record."""
        lows, highs = rate.copy(), rate.copy()
        lows[begin], highs[begin] = np.inf, -np.inf
        sizes = last - begin + 1
        found = []
        for values, extreme in ((lows, np.minimum), (highs, np.maximum)):
            ends = extreme.reduceat(values, begin)
            at = np.flatnonzero(values == np.repeat(ends, sizes))
            at = at[np.searchsorted(at, begin)]  # the first in each stretch
            found.append(zip(ends.tolist(), (rows[at] + self.number).tolist(), strict=True))
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
        columns = [column[indices].tolist() for column in self.gauges.values()]
        gauges = dict(zip(self.gauges, columns, strict=True))
        rows = zip(
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
        )
        for index, (row, begin, which, epoch, step, time, rate, loss, duration) in enumerate(rows):
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
                tuple(
                    Metric(name, gauges[name, unit][index], unit)
                    for _hole, name, unit in template.gauges
                ),
            )


@dataclass(frozen=True, slots=True)
class _Part:
    """The records of a stretch, one by one or folded anew."""

    table: Table
    begin: int
    end: int

    def after(self) -> Iterator[Iteration]:
        return self.table._singles(np.arange(self.begin + 1, self.end))

    def __call__(self, begin: int, count: int) -> Iterations:
        at = self.begin + begin
        return next(self.table.folded(at, at + count)).event
