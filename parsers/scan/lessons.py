"""What the block scan has learned of one log: the lines it can tell, and what they say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parsers.epoch_record import EpochRecord
from parsers.evaluation_record import EvaluationRecord
from parsers.events import Event, Iteration
from parsers.format import Reader, Statement
from parsers.record import IterationRecord
from parsers.scan.glyphs import flatten
from parsers.scan.layouts import Layouts
from parsers.scan.learn import Told, hush, learn
from parsers.scan.lockstep import Columns, walk
from parsers.scan.ordered import sound
from parsers.scan.rows import Rows, Span
from parsers.scan.table import Sums, Table
from parsers.scan.template import EpochTemplate, IterationTemplate, Template
from parsers.scan.words import PAD, Text
from parsers.shape import Fields

_MOST_TEMPLATES = 6
_MOST_TRIES = 60


class Lessons:
    """The templates of one log.

    Args:
        reader: The log's reader.
        kept: As for `Interpreter`.

    Attributes:
        templates: Of records.
        layouts: Those of each template.
        hushed: Of lines that say nothing.
    """

    def __init__(self, reader: Reader, kept: tuple[str, ...] = ()) -> None:
        self._reader = reader
        self._kept = kept
        self._rows = any(
            isinstance(s.record, EpochRecord | EvaluationRecord) for s in reader.statements
        )
        self.templates: list[Template] = []
        self.layouts: list[Layouts] = []
        self.hushed: list[Layouts] = []
        self._tries = self._hushes = 0
        self._learned = False

    def begin(self) -> None:
        """Says that another block begins."""
        self._learned = False

    @property
    def curious(self) -> bool:
        """Whether another template is wanted (at most one from each block)."""
        return (
            not self._learned
            and len(self.templates) < _MOST_TEMPLATES
            and self._tries < _MOST_TRIES
        )

    def wants(self, events: list[Event]) -> bool:
        """Whether a line that said so much may be the example of another template."""
        if not self._rows and (len(events) != 1 or not isinstance(events[0], Iteration)):
            return False
        return self.curious

    @property
    def known(self) -> int:
        """How many kinds of lines it can tell."""
        return len(self.templates) + len(self.hushed)

    def rest(self) -> None:
        """Wants no template before the next block."""
        self._learned = True

    @property
    def hopeless(self) -> bool:
        """Whether this log gave no template and none is looked for any more."""
        return not self.templates and self._tries >= _MOST_TRIES

    def learn(self, lines: Sequence[tuple[Statement, Fields, str]], events: list[Event]) -> None:
        """Takes a record as an example, if its template reads it as the line parser did.

        Args:
            lines: What each of its lines fits, the holes, and the line itself.
            events: What the line parser made of them.
        """
        told = [*map(Told._make, lines)]
        record = next((line.statement.record for line in told if line.statement.record), None)
        one = len(events) == 1 and isinstance(events[0], Iteration)
        if record is None or (isinstance(record, IterationRecord) and not one):
            return
        raw = "\n".join(line.raw for line in told)
        known_ones = zip(self.templates, self.layouts, strict=True)
        if any(self._knows(known, layouts, raw, events[0]) for known, layouts in known_ones):
            return
        template = learn(told, events, self._reader, self._kept)
        if template is None:
            self._tries += 1
            return
        if any(
            known.pieces == template.pieces and known.face() == template.face()
            for known in self.templates
        ):
            self._learned = True  # something else about it: its like need not be looked at again
            return
        if self._reads(template, raw, events):
            self.templates.append(template)
            self.layouts.append(Layouts(template.pieces))
            self._learned = True
        else:
            self._tries += 1

    @property
    def summed(self) -> Callable[[Sequence[Any]], Sequence[Any]]:
        """What stretches are summed up in, made of what `plain` gives."""
        return spans_of if tell_epochs(self.templates) else Sums

    def _reads(self, template: Template, raw: str, events: list[Event]) -> bool:
        """Whether a template reads its own example as the line parser did."""
        if self.templates and type(template) is not type(self.templates[0]):
            return False
        data = raw.encode() + b"\n"
        buffer = np.zeros(len(data) + PAD + 8 & ~7, dtype=np.uint8)
        buffer[: len(data)] = np.frombuffer(data, dtype=np.uint8)
        flatten(buffer)
        ends = np.flatnonzero(buffer == 0x0A)
        begin, row = np.zeros(1, dtype=np.int64), np.full(1, template.place)
        columns = sound(template, walk(Text(buffer), begin, row, template.pieces))
        if not columns.rows.size:
            return False
        table = table_of([(0, columns)], [template], memoryview(data), ends, ends)
        return bool(table.agrees(events))

    def hears(self, raw: str) -> bool:
        """Whether a line that said nothing is worth a look."""
        return (
            len(self.hushed) < _MOST_TEMPLATES
            and self._hushes < _MOST_TRIES
            and not any(layouts.pattern.fullmatch(raw.encode()) for layouts in self.hushed)
        )

    def hush(self, statement: Statement, raw: str) -> None:
        """Takes a line that said nothing as an example."""
        pieces = hush(statement, raw) if statement.emit is Reader.quiet else None
        layouts = None if pieces is None else Layouts(pieces)
        if layouts is not None and layouts.pattern.fullmatch(raw.encode()):
            self.hushed.append(layouts)
        else:
            self._hushes += 1

    def _knows(self, template: Template, layouts: Layouts, raw: str, event: Event) -> bool:
        """Whether a line is of a template, so that learning it anew would tell nothing."""
        if isinstance(template, IterationTemplate) and (
            not isinstance(event, Iteration) or event.steps != template.example.steps
        ):
            return False
        return template.stands(self._reader) and layouts.pattern.fullmatch(raw.encode()) is not None


def tell_epochs(templates: list[Template]) -> bool:
    """Whether the templates' lines tell an epoch each: those of one log all do, or none does."""
    return bool(templates) and isinstance(templates[0], EpochTemplate)


def plain(sums: Sequence[Any]) -> Sequence[Any]:
    """What stretches say, in plain numbers."""
    return sums.columns if isinstance(sums, Sums) else [tuple(span) for span in sums]


def spans_of(message: Sequence[Any]) -> list[Span]:
    """Spans out of plain numbers."""
    return [*map(Span._make, message)]


def table_of(
    read: list[tuple[int, Columns]],
    templates: list[Template],
    data: memoryview,
    ends: NDArray[np.int64],
    numbers: NDArray[np.int64],
    offset: int = 0,
) -> Any:
    """The records of a block."""
    kind: Any = Rows if tell_epochs(templates) else Table
    return kind(read, templates, data, ends, numbers, offset)
