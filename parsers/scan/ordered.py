"""The figures of a block's records, of all templates in the lines' order."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from parsers.scan.lockstep import TIME, Columns
from parsers.scan.template import GROUP, SECONDS, SPAN, IterationTemplate, Template

Indices: TypeAlias = NDArray[np.intp]
Row: TypeAlias = tuple[Any, ...]
"""A record: its line counted from the block's first, its template, epoch, step, time,
throughput, loss, duration, what is watched and its gauges, both in the table's order."""


def sound(template: Template, columns: Columns) -> Columns:
    """With groups of digits joined, and without lines that must be read singly.

    Those are lines whose seconds nobody could tell, and an epoch's last where that says more.
    """
    values = columns.values
    for name in [name for name in values if name.startswith(GROUP)]:
        whole = name.split(" ", 2)[2]
        values[whole] = values[whole] * 1000 + values.pop(name)
    for name in [name for name in values if name.startswith(SECONDS)]:
        part = values.pop(name) * int(name.split()[1])
        values[TIME] = values[TIME] + part if TIME in values else part
    for name in [name for name in values if name.startswith(SPAN)]:
        worth, whole = name.removeprefix(SPAN).split(" ", 1)
        values[whole] = values.pop(name) * int(worth) + values.get(whole, 0)
    if not isinstance(template, IterationTemplate):
        if TIME in values:
            columns.keep(np.flatnonzero(values[TIME] > 0))  # 0 may stand for no time
        return columns
    record = template.record
    for name in record.positive:
        if name in values:
            columns.keep(np.flatnonzero(columns.values[name] > 0))
    if template.duration and columns.rows.size:
        values = columns.values
        if template.inverse or template.work:
            columns.keep(np.flatnonzero(values[template.duration] > 0))
        elif record.since:
            columns.keep(np.flatnonzero(values[record.step] > values[record.since]))
    if record.final and template.example.steps is not None and columns.rows.size:
        columns.keep(np.flatnonzero(columns.values[record.step] != template.example.steps))
    return columns


def _seconds(template: IterationTemplate, columns: Columns) -> NDArray[Any] | None:
    """The seconds of an iteration, as `IterationRecord` works them out."""
    record, values = template.record, columns.values
    if not template.duration:
        return None
    column: NDArray[Any] = values[template.duration]
    if template.inverse:
        column = 1 / column
    elif record.since:
        column = column / (values[record.step] - values[record.since])
    elif record.milliseconds and not record.running:
        column = column / 1000
    return column


def _rate(template: IterationTemplate, columns: Columns) -> NDArray[Any] | None:
    """The throughput, as `IterationRecord` works it out."""
    if template.work:
        seconds = _seconds(template, columns)
        return None if seconds is None else template.work / seconds
    return columns.values.get(template.rate)


def _gauge(name: str, template: IterationTemplate) -> str:
    return next((hole for hole, own, _unit in template.gauges if own == name), "")


def _watched(name: str, template: IterationTemplate) -> str:
    return name if name in template.watched else ""


_Find: TypeAlias = Callable[[IterationTemplate, Columns], NDArray[Any] | None]


def _hole(name: Callable[[IterationTemplate], str]) -> _Find:
    return lambda template, columns: columns.values.get(name(template))


def _alike(number: int, size: int, kind: type = np.int64) -> NDArray[Any]:
    """As many of one number, without a place for each; a float's is 0."""
    return np.ndarray((size,), kind, np.int64(number).tobytes(), strides=(0,))


class Ordered:
    """The columns of all templates in the lines' order."""

    def __init__(
        self,
        read: list[tuple[int, Columns]],
        templates: list[IterationTemplate],
        gauges: list[str],
        watched: list[str],
    ) -> None:
        self._read, self._templates = read, templates
        self._order: Indices | None = None
        if len(read) == 1:
            self.rows = read[0][1].rows
        else:
            rows = np.concatenate([columns.rows for _, columns in read])
            self._order = np.argsort(rows, kind="stable")
            self.rows = rows[self._order]
        present = [templates[number] for number, _ in read]
        self.timed = any(TIME in columns.values for _, columns in read)
        self.rated = any(t.rate or t.work for t in present)
        self.lasting = any(t.duration for t in present)
        self._names = gauges, watched

    @cached_property
    def which(self) -> NDArray[np.int64]:
        """Number of each record's template."""
        which = [_alike(number, columns.rows.size) for number, columns in self._read]
        return which[0] if self._order is None else np.concatenate(which)[self._order]

    @cached_property
    def epoch(self) -> NDArray[np.int64]:
        """Label of each record's epoch."""
        return self._column(_hole(lambda t: t.record.epoch), np.int64)

    @cached_property
    def step(self) -> NDArray[np.int64]:
        """Number of each record's iteration."""
        return self._column(_hole(lambda t: t.record.step), np.int64)

    @cached_property
    def time(self) -> NDArray[np.int64]:
        """Clock of each record, in microseconds since 1970."""
        return self._column(_hole(lambda t: TIME), np.int64)

    @cached_property
    def rate(self) -> NDArray[np.float64]:
        """Throughput of each record, in the log's unit."""
        return self._column(_rate, np.float64)

    @cached_property
    def loss(self) -> NDArray[np.float64]:
        """Loss of each record."""
        return self._column(_hole(lambda t: t.loss), np.float64)

    @cached_property
    def duration(self) -> NDArray[np.float64]:
        """Seconds of each record's iteration; 0 for unknown."""
        told = self._column(_seconds, np.float64)
        first = self._templates[self._read[0][0]].record
        if not any(self._templates[number].record.running for number, _ in self._read):
            return told
        return self._since(told) / (1000 if first.milliseconds else 1)

    @cached_property
    def gauges(self) -> list[NDArray[np.float64]]:
        """The table's gauges."""
        every = (_hole(partial(_gauge, name)) for name in self._names[0])
        return [self._column(one, np.float64) for one in every]

    @cached_property
    def watched(self) -> list[NDArray[np.float64]]:
        """What the table watches."""
        every = (_hole(partial(_watched, name)) for name in self._names[1])
        return [self._column(one, np.float64) for one in every]

    def _column(self, part: _Find, kind: type) -> NDArray[Any]:
        pieces: list[NDArray[Any]] = []
        for number, columns in self._read:
            found = part(self._templates[number], columns)
            if found is None:
                found = _alike(0, columns.rows.size, kind)
            pieces.append(found.astype(kind, copy=False))
        if self._order is None:
            return pieces[0]
        whole: NDArray[Any] = np.concatenate(pieces)[self._order]
        return whole

    @cached_property
    def passed(self) -> NDArray[np.int64]:
        """Microseconds since the record before."""
        return np.diff(self.time, prepend=self.time[:1])

    @cached_property
    def uneven(self) -> NDArray[np.bool_]:
        """Which clocks show a part of a second."""
        uneven: NDArray[np.bool_] = self.time % 1_000_000 != 0
        return uneven

    def _since(self, told: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of times that run, the share of each step since the record before; 0 for unknown."""
        gone, steps = np.diff(told), np.diff(self.step)
        known = (gone > 0) & (steps > 0)
        share = np.where(known, gone / np.where(known, steps, 1), 0.0)
        return np.append(0.0, share)

    def at(self, indices: Indices) -> list[Row]:
        """Some records."""
        return [*zip(*self.columns_at(indices), strict=True)]

    def columns_at(self, indices: Indices) -> list[list[Any]]:
        """Some records, a column for each part."""
        columns = (self.rows, self.which, self.epoch, self.step, self.time)
        figures = (self.rate, self.loss, self.duration, *self.watched, *self.gauges)
        return [column[indices].tolist() for column in (*columns, *figures)]
