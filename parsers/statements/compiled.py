"""A format's statements, compiled: which of them a line may be, by how it begins."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple, TypeAlias

from sixdim.parsers.events import Event
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.shape import ALL, Broken, Fields, Match, Shape, Skeleton, Wanted
from sixdim.parsers.grammar.template import TemplateCache
from sixdim.parsers.statements.record import IterationRecord
from sixdim.parsers.text.lines import Line

Emit: TypeAlias = Callable[[Any, Line, Fields], "Iterable[Event] | None"]
START = 4
"""Characters of a line's beginning that choose its statements."""
MOST_STARTS = 4096
"""Beginnings that are remembered."""


class Statement(NamedTuple):
    """One kind of line of a format.

    Attributes:
        shape: How it looks.
        emit: The reader's method that turns the holes into events; None from it where the line
            is none of the format's after all.
        weight: How much one such line says that the log has this format, from 0 (any
            program might print it) to 1 (nobody else does).
        what: What the line is, for the reasons of a detection ("iteration", "evaluation").
        record: What the holes of a progress line mean: all there is to it, or what its method
            needs of the pairs.
    """

    shape: Shape
    emit: Emit
    weight: float
    what: str
    record: IterationRecord | None = None


class Compiled(NamedTuple):
    """A statement, ready to read lines.

    Attributes:
        clue: Text that stands in every such line.
        match: Gives the fields of a line.
        statement: What was compiled; its `emit` gives no figures but the wanted ones.
        anchor: Text with which every such line begins.
    """

    clue: str
    match: Match
    statement: Statement
    anchor: str


class Dispatch:
    """Chooses the statements that a line may be.

    Args:
        statements: The format's, the more specific first.
        names: In lower case, the further figures of progress lines that are wanted; None for all.
    """

    def __init__(
        self, statements: Iterable[Statement], names: Collection[str] | None = None
    ) -> None:
        self._all = tuple(_compiled(statement, names) for statement in statements)
        self._by_start: dict[str, tuple[Compiled, ...]] = {}

    def starting(self, text: str) -> tuple[Compiled, ...]:
        """Those of which a line that begins like this one may be, in their order."""
        start = text[:START]
        found = self._by_start.get(start)
        if found is None:
            if len(self._by_start) >= MOST_STARTS:
                self._by_start.clear()
            found = self._by_start[start] = tuple(
                one for one in self._all if start.startswith(one.anchor[: len(start)])
            )
        return found

    def recognise(self, text: str) -> tuple[Statement, Fields | Broken] | None:
        """The first statement that fits a line, and its fields; None for an unknown line."""
        for one in self._by_start.get(text[:START]) or self.starting(text):
            if one[0] in text:  # its clue
                fields = one[1](text)
                if fields is not None:
                    return one[2], fields
        return None


def _compiled(statement: Statement, names: Collection[str] | None) -> Compiled:
    shape, record, wanted = statement.shape, statement.record, ALL
    if record is not None and statement.emit == record.read:
        record = record.reduced(names)
        statement, wanted = statement._replace(emit=record.read), record.wanted(names)
    elif record is not None:
        wanted = Wanted(None, record.wanted(names).pairs)
    return Compiled(shape.clue, _match(shape, wanted), statement, shape.anchor)


def _match(shape: Shape, wanted: Wanted) -> Match:
    if isinstance(shape, Skeleton):
        return shape.compiled(wanted)
    if isinstance(shape, KeyValues):
        return TemplateCache(shape, wanted).match
    return shape.match
