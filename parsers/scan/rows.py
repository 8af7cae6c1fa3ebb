"""The rows of a block that tell an epoch or an evaluation each, and how they are folded."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from parsers.epoch_record import SECONDS, EpochRecord, Planned
from parsers.evaluation_record import EvaluationRecord
from parsers.events import Column, EpochEnd, Epochs, Evaluations, Event, RunStart
from parsers.format import Reader
from parsers.scan.decimals import rises
from parsers.scan.lockstep import TIME, Columns
from parsers.scan.template import EpochTemplate
from parsers.scan.words import Mask
from parsers.text import Line

_DAY_US = 86_400_000_000
_Indices: TypeAlias = NDArray[np.intp]


class Span(NamedTuple):
    """Rows that follow one another in one template, their labels rising."""

    begin: int
    end: int


class RowStretch(NamedTuple):
    """Rows to be folded together.

    Attributes:
        rows: The block's.
        begin: Index of the first.
        end: Index after the last.
    """

    rows: Rows
    begin: int
    end: int

    @property
    def offset(self) -> int:
        """Byte offset of the first."""
        return self.rows.line(self.begin).offset

    def line(self) -> Line:
        """The first as a line of its own."""
        return self.rows.line(self.begin)

    def rest(self) -> RowStretch:
        """All but the first, once that was read singly."""
        return self._replace(begin=self.begin + 1)

    def event(self, reader: Reader) -> Epochs | Evaluations | None:
        """What they say; None where the reader must see the first."""
        return self.rows.event(self.begin, self.end, reader)


class Rows:
    """The rows of a block, in the lines' order.

    Args:
        read: What was read, by the number of its template; not empty.
        templates: All templates of the log.
        data: The block.
        ends: Where each of its lines ends.
        numbers: The line number of each.
        offset: Byte offset of the first.
    """

    def __init__(
        self,
        read: list[tuple[int, Columns]],
        templates: list[EpochTemplate],
        data: memoryview,
        ends: NDArray[np.int64],
        numbers: NDArray[np.int64],
        offset: int = 0,
    ) -> None:
        self._read = dict(read)
        self._templates = templates
        self._data = data
        self._ends = ends
        self._numbers, self._offset = numbers, offset

    @cached_property
    def order(self) -> tuple[_Indices, _Indices, _Indices]:
        """Of each row: its line, its template, and its place among those of that template."""
        sizes = [columns.rows.size for columns in self._read.values()]
        rows = np.concatenate([columns.rows for columns in self._read.values()])
        which = np.repeat([*self._read], sizes)
        place = np.concatenate([np.arange(size) for size in sizes])
        order = np.argsort(rows, kind="stable")
        return rows[order], which[order], place[order]

    def sums(self, others: _Indices) -> list[Span]:
        """Cuts the rows at other lines, at another template, and where what must rise does not.

        That is the label of epochs, and the clock of evaluations (which leaps by no day either).
        """
        rows, which, _place = self.order
        cut: Mask = which[1:] != which[:-1]
        rising = np.zeros(rows.size, dtype=np.int64)
        for number, columns in self._read.items():
            record = self._templates[number].record
            own = columns.values.get(record.epoch if isinstance(record, EpochRecord) else TIME)
            every = np.arange(columns.rows.size) if own is None else own
            rising[which == number] = every
        apart = np.diff(rising)
        if isinstance(self._templates[int(which[0])].record, EpochRecord):
            cut |= apart <= 0
        else:
            cut |= (apart < 0) | (apart > _DAY_US)
        inside = others[(others > rows[0]) & (others < rows[-1])]
        cut[np.searchsorted(rows, inside) - 1] = True
        cuts = [0, *(np.flatnonzero(cut) + 1).tolist(), rows.size]
        return [*map(Span, cuts, cuts[1:])]

    def stretches(self, sums: list[Span]) -> Iterator[RowStretch]:
        """The rows in the stretches that were cut."""
        return (RowStretch(self, begin, end) for begin, end in sums)

    def agrees(self, events: list[Event]) -> bool:
        """Whether the first row says what the line parser read in it."""
        record = self._templates[0].record
        if isinstance(record, EvaluationRecord):
            return self._agrees(record, events)
        ends = [event for event in events if isinstance(event, EpochEnd)]
        if len(ends) != 1 or ends[0].epoch is None:
            return False
        if self._labels(0, 1) not in (None, [ends[0].epoch]):
            return False
        seconds = [ends[0].epoch_time] if record.hours else None  # one line does not tell
        read = self._told(0, 1, [ends[0].epoch], seconds).each()
        told = (event for event in events if not isinstance(event, RunStart))
        return [event[1:] for event in read] == [event[1:] for event in told]

    def _agrees(self, record: EvaluationRecord, events: list[Event]) -> bool:
        """As `agrees`, for an evaluation."""
        read = next(self._evaluated(0, 1, record).each())
        at = read.at._replace(line=events[0].at.line, offset=events[0].at.offset)
        return [read._replace(at=at)] == events

    def line(self, index: int) -> Line:
        """A row as the line it was read from."""
        row = int(self.order[0][index])
        begin = self._begins(np.array([row]))[0]
        text = bytes(self._data[begin : int(self._ends[row])]).decode()
        return Line(int(self._numbers[row]), self._offset + begin, text)

    def event(self, begin: int, end: int, reader: Reader) -> Epochs | Evaluations | None:
        """What some rows of one template say; None where the reader must see the first.

        Args:
            begin: Index of the first.
            end: Index after the last.
            reader: The log's reader, before them.
        """
        template = self._templates[self.order[1][begin]]
        if not template.stands(reader):
            return None
        record = template.record
        if isinstance(record, EvaluationRecord):
            return self._evaluated(begin, end, record)
        labels = record.labels(reader, self._labels(begin, end), end - begin)
        if labels is None:
            return None
        return self._told(begin, end, labels, self._seconds(begin, end, record, reader))

    def _seconds(
        self, begin: int, end: int, record: EpochRecord, reader: Reader
    ) -> list[float | None] | None:
        """How long each epoch took; None where rows do not say."""
        if not record.hours:
            return None
        hours = self._part(begin, end)[1][record.hours]
        passed = rises(hours, SECONDS)
        if passed is None:
            return [record.lasted(reader, told) for told in hours.tolist()]
        first, last = hours[[0, -1]].tolist()
        seconds = [record.lasted(reader, first), *passed.tolist()]
        reader.hours = last
        if (passed < 0).any():
            return [None if found is None or found < 0 else found for found in seconds]
        return seconds

    def _labels(self, begin: int, end: int) -> list[int] | None:
        template, values = self._part(begin, end)
        return values[template.record.epoch].tolist() if template.record.epoch in values else None

    def _part(self, begin: int, end: int) -> tuple[EpochTemplate, dict[str, NDArray[Any]]]:
        """The template of some rows, and their columns."""
        _rows, which, place = self.order
        number, first = int(which[begin]), int(place[begin])
        some = slice(first, first + end - begin)
        columns = self._read[number].values
        return self._templates[number], {name: column[some] for name, column in columns.items()}

    def _told(
        self, begin: int, end: int, labels: list[int], seconds: list[float | None] | None
    ) -> Epochs:
        template, values = self._part(begin, end)
        plan = template.record.plan(template.keys)
        evaluated = ((model, _figures(template, values, plan[model])) for model in plan if model)
        return Epochs(
            labels,
            *self._places(begin, end),
            partial(_figures, template, values, plan[""]),
            tuple((model, found) for model, found in evaluated if found),
            seconds,
        )

    def _evaluated(self, begin: int, end: int, record: EvaluationRecord) -> Evaluations:
        template, values = self._part(begin, end)
        figures = _figures(template, values, record.plan(template.keys)["raw"])
        times = values[TIME].tolist() if TIME in values else None
        labels = self._labels(begin, end)
        return Evaluations(*self._places(begin, end), times, labels, figures)

    def _places(self, begin: int, end: int) -> tuple[list[int], list[int]]:
        """Numbers of the rows' lines, and the byte offset of each."""
        lines = self.order[0][begin:end]
        offsets = [at + self._offset for at in self._begins(lines)]
        return self._numbers[lines].tolist(), offsets

    def _begins(self, lines: _Indices) -> list[int]:
        """Where lines of the block begin."""
        found: list[int] = np.where(lines > 0, self._ends[lines - 1] + 1, 0).tolist()
        return found


def _figures(
    template: EpochTemplate, values: dict[str, NDArray[Any]], plan: tuple[Planned, ...]
) -> tuple[Column, ...]:
    return tuple(
        Column(one.name, one.unit, one.higher_is_better, values[one.key].tolist())
        for one in plan
        if one.key in template.kept
    )
