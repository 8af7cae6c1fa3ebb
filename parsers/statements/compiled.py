"""Compiles a format's statements, and finds those that may fit a line by how it begins."""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, cached_property, partial
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

from sixdim.parsers.events import Event
from sixdim.parsers.grammar.shapes.infer import Template
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import ALL, Broken, Fields, Match, Shape, Wanted
from sixdim.parsers.grammar.shapes.skeleton import Skeleton
from sixdim.parsers.grammar.shapes.template import OneTemplate, TemplateCache, Templates, matcher
from sixdim.parsers.statements.by_start import START, ByStart, starting
from sixdim.parsers.statements.record import IterationRecord
from sixdim.parsers.statements.statement import (
    OWN,
    Statement,
    holds_two,
    own_anchor,
    responder,
    words_of,
)
from sixdim.parsers.text.letters import has_all
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_WHOLE = pattern(r"\{\w*:(?:int|count)\}")
"""A hole for a whole number."""
_RECORDS = frozenset(("iteration", "interval", "epoch", "evaluation"))

Read: TypeAlias = Callable[[Any, Line, str], "Sequence[Event] | None"]


class Compiled(NamedTuple):
    """A statement, ready to read lines.

    Attributes:
        clue: Text that stands in every such line.
        templates: Read the usual progress lines; None without a record.
        read: Returns the events of a line that these do not read; None if it does not fit.
        match: Returns the fields of a line; None if it does not fit.
        statement: The statement; its `emit` gives only the figures that are wanted.
        anchor: Text with which every such line begins.
    """

    clue: str
    templates: Templates | None
    read: Read
    match: Match
    statement: Statement
    anchor: str


class Dispatch:
    """Chooses the statements that may fit a line.

    Args:
        statements: The format's, the more specific first.
        names: Further figures of progress lines that are wanted, in lower case; None for all.

    Attributes:
        statements: The format's statements.
        anchors: Texts with which the statements' lines begin.
        beginnings: The statements' numbers, each with the beginning of its lines; see `starting`.
        reads: By the first characters of a line, the functions that may read it, in the statements'
            order, each with a word of all its lines: the one that the other statements have least
            often, so that few functions are tried in vain. Of the spellings of one progress line,
            one that fits goes before one with a bad number.
    """

    def __init__(
        self, statements: Iterable[Statement], names: Collection[str] | None = None
    ) -> None:
        self._names = names
        self.statements = tuple(statements)
        self._compiled: dict[int, Compiled] = {}
        self.beginnings = [
            (begin := one.shape.anchor[:START], not begin and _begins_with_number(one), number)
            for number, one in enumerate(self.statements)
        ]
        self.anchors = {one.shape.anchor for one in self.statements}
        self._by_start = ByStart(self.anchors, self._starting)
        self.reads = ByStart(self.anchors, self._readers)
        self._records = ByStart(self.anchors, self._own_records)

    @cached_property
    def _words(self) -> list[tuple[str, ...]]:
        """The words of each statement's lines, without their digits."""
        return [words_of(one.shape) for one in self.statements]

    def may_fit(self, letters: str) -> bool:
        """Returns whether any statement may fit a line with this text without digits."""
        return any(has_all(words, letters) for words in self._words)

    def compiled(self, number: int) -> Compiled:
        """Returns a statement by its number in `statements`.

        It is compiled on first use: most statements never meet a line that begins as theirs do.
        """
        found = self._compiled.get(number)
        if found is None:
            found = self._compiled[number] = _compiled(self.statements[number], self._names)
        return found

    def _starting(self, start: str) -> tuple[Compiled, ...]:
        """Returns the statements whose lines may begin so, in their order."""
        return tuple([self.compiled(one) for one in starting(self.beginnings, start)])

    def _own_records(self, start: str) -> tuple[Compiled, ...]:
        """Returns those of `starting` that are the format's own, one for each beginning."""
        found: dict[object, Compiled] = {}
        for one in self._starting(start):
            if one.statement.weight >= OWN and one.statement.what in _RECORDS:
                head = _head(one.statement.shape)
                found.setdefault(one if head is None else head.beginning, one)
        return tuple(one for beginning, one in found.items() if beginning is not None)

    def _readers(self, start: str) -> tuple[tuple[str, Read], ...]:
        """Returns the functions that may read a line that begins so; see `reads`."""
        readers: list[tuple[str, Read]] = []
        may_fit = self._starting(start)
        said = " ".join([" ".join(_words(one)) for one in may_fit])
        for _, alike in groupby(may_fit, _spelling):
            spellings = [(_rarest_word(one, said), one) for one in alike]
            fast = [(word, one.templates.fast) for word, one in spellings if one.templates]
            readers += [*fast, *((word, one.read) for word, one in spellings)]
        return tuple(readers)

    def begun(self, text: str) -> Statement | None:
        """Returns the format's own statement whose beginning a line has; None without one."""
        for one in self._records[text[:START]]:
            if text.startswith(one.anchor) and one.statement.shape.begins(text):
                return one.statement
        return None

    def recognise(self, text: str) -> tuple[Statement, Fields | Broken] | None:
        """Returns the first statement that fits, and the line's fields; None if none fits."""
        for one in self._by_start[text[:START]]:
            if one.clue in text:
                fields = one.match(text)
                if fields is not None:
                    return one.statement, fields
        return None


def _words(one: Compiled) -> Sequence[str]:
    """Returns the texts that stand in every line of a statement."""
    words: Sequence[str] = getattr(one.statement.shape, "words", (one.clue,))
    return words


def _rarest_word(one: Compiled, said: str) -> str:
    """Returns the word of a statement that a text has least often; of several, the longest."""
    return min(_words(one), key=lambda word: (said.count(word), -len(word)))


def _head(shape: Shape) -> Skeleton | None:
    """Returns the skeleton with which lines of this shape begin; None without one."""
    head = shape.head if isinstance(shape, KeyValues) else shape
    return head if isinstance(head, Skeleton) else None


def _begins_with_number(statement: Statement) -> bool:
    head = _head(statement.shape)
    return head is not None and _WHOLE.match(head.statement) is not None


def _compiled(statement: Statement, names: Collection[str] | None) -> Compiled:
    shape, record, wanted = statement.shape, statement.record, ALL
    alone = record is not None and statement.emit == record.read
    if record is not None:
        reduced = record.reduced(names)
        wanted = reduced.wanted(names)
        if alone:
            statement = statement._replace(emit=reduced.read)
        else:
            wanted = Wanted(None, wanted.pairs)
    match = _match(shape, wanted)
    if record is not None and alone and isinstance(shape, Skeleton):
        match = _without_broken_figures(shape, record, match)
    if record is not None and alone and _needs_no_read(record):
        templates, slow = _record_readers(statement, record, reduced, wanted)
        return Compiled(shape.clue, templates, slow, match, statement, shape.anchor)
    read = _by(match, responder(statement))
    return Compiled(shape.clue, None, read, match, statement, shape.anchor)


def _needs_no_read(record: IterationRecord) -> bool:
    """Returns whether usual lines can be read without a call of an overridden `read`."""
    kind = type(record)
    return kind.read is IterationRecord.read or kind.unusual is not IterationRecord.unusual


def _without_broken_figures(shape: Skeleton, record: IterationRecord, match: Match) -> Match:
    """Returns a matcher that leaves out further figures that are not numbers.

    Callers want different further figures, but the same lines must count for all callers.
    """
    holes = frozenset(shape.holes)
    figures = frozenset(figure.hole for figure in record.figures)
    narrower = cache(lambda fields: shape.compiled(Wanted(fields)))

    def lenient(text: str) -> Fields | Broken | None:
        found, fields = match(text), holes
        while isinstance(found, Broken) and found.field in figures & fields:
            fields -= {found.field}
            found = narrower(fields)(text)
        return found

    return lenient


def _match(shape: Shape, wanted: Wanted) -> Match:
    if isinstance(shape, Skeleton):
        return shape.compiled(wanted)
    if isinstance(shape, KeyValues):
        fast = partial(matcher, shape.ends)
        cache = TemplateCache(shape, wanted, fast, lambda _reader, _line, fields: fields)
        return partial(cache.read, None, None)
    return shape.match


def _record_readers(
    statement: Statement, whole: IterationRecord, record: IterationRecord, wanted: Wanted
) -> tuple[Templates, Read]:
    """Returns readers of usual and of other lines, for a statement that `whole` fully describes."""
    shape, anchor, respond_to = statement.shape, own_anchor(statement), responder(statement)
    if isinstance(shape, KeyValues):
        ends = shape.ends

        def of_template(template: Template) -> Read:
            return record.reads(template.expression, template.groups, anchor, ends)

        cache = TemplateCache(
            shape, wanted, of_template, respond_to, lambda text: not holds_two(statement, text)
        )
        return cache, cache.slow
    assert isinstance(shape, Skeleton)
    match = _without_broken_figures(shape, whole, shape.match)

    def make() -> Read:
        return record.reads(shape.pattern(wanted), shape.groups(wanted), anchor, "")

    return OneTemplate(shape.has_words, make), _by(match, respond_to)


def _by(match: Match, respond_to: Callable[..., Sequence[Event] | None]) -> Read:
    """Makes the function that reads a line with a matcher and a responder."""

    def read(reader: Any, line: Line, text: str) -> Sequence[Event] | None:
        fields = match(text)
        return None if fields is None else respond_to(reader, line, fields)

    return read


def _spelling(one: Compiled) -> int:
    """Returns a number that only the spellings of one progress line share."""
    is_open = isinstance(one.statement.shape, Skeleton) and one.statement.shape.is_open
    return id(one) if one.templates is None or is_open else id(one.statement.record)
