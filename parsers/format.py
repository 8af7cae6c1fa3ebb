"""The face every log format shows: a name, an example, and its statements.

A format is a subclass of `Reader` in its own file under `parsers/formats/`. Its class body
lists `statements`; a statement pairs a line's shape with the method that says what the line
becomes. State across lines lives on the instance: one reader reads one log once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

from parsers.events import EndOfInput, Event, Iteration, Origin, Problem
from parsers.record import IterationRecord
from parsers.shape import Broken, Fields, Shape
from parsers.text import Line

if TYPE_CHECKING:
    from parsers.epoch_record import EpochRecord
    from parsers.evaluation_record import EvaluationRecord

_OWN = 0.5
"""Weight from which a statement is its format's own."""
_RECORDS = frozenset(("iteration", "interval", "epoch", "evaluation"))
_SHORTEST = 5

Emit: TypeAlias = Callable[[Any, Line, Fields], Iterable[Event]]


class Statement(NamedTuple):
    """One kind of line of a format.

    Attributes:
        shape: How it looks.
        emit: The reader's method that turns the holes into events.
        weight: How much one such line says that the log has this format, from 0 (any
            program might print it) to 1 (nobody else does).
        what: What the line is, for the reasons of a detection ("iteration", "evaluation").
        record: For a progress line, what its holes mean: such lines of a large log are read a
            block at a time. It may stand alone for `emit` (`iterations`), or beside one that
            reads more out of a single line, as long as both agree on what `record` names.
    """

    shape: Shape
    emit: Emit
    weight: float
    what: str
    record: IterationRecord | EpochRecord | EvaluationRecord | None = None


def iterations(shape: Shape, record: IterationRecord, weight: float) -> Statement:
    """A progress line that `record` says everything about."""
    return Statement(shape, record.read, weight, "iteration", record)


def each(
    shapes: Iterable[Shape],
    emit: Emit,
    weight: float,
    what: str,
    record: IterationRecord | None = None,
) -> tuple[Statement, ...]:
    """One statement for every spelling of a line."""
    return tuple(Statement(shape, emit, weight, what, record) for shape in shapes)


_Clued: TypeAlias = tuple[str, str, Statement]


class Reader:
    """Reads one log in one format.

    Class attributes:
        name: Identifier on the command line and on the card.
        title: One line for `sixdim formats`.
        example: A line of the format.
        unread: What such logs hold and this reader does not read, in a few words.
        statements: The lines it knows, the more specific first.
        standing: Who speaks for a log that several formats recognise. 1: a format that frames
            other programs' logs (MLPerf's records around a framework's lines) goes before
            them. -1: a companion, whose lines may stand in any log, yields to the log's own
            format and is read beside it. 0: all others, by weight.
        marks: For a reader with a `recognise` or `read` of its own: texts of which one stands
            in any line that it knows without the line beginning like a statement. None: it
            does not say, so every line of a large log must be asked.
        fallback: True for a reader that is asked only where no other is sure.
        passing: Names of what it remembers that bears upon the very next lines alone.

    Attributes:
        latest: The last progress line of a statement by `iterations`.
        begun: Label of the epoch with which the run began, of statements by an `EpochRecord`.
        rows: Rows of the table so far, where they are counted.
        hours: What the latest row says of the time since the run began, where rows do.
        context: What else than itself a line's meaning rests on, such as the header above it.
        span: Line numbers of the first and the last line of the latest progress record, for a
            format whose records have several lines.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    example: ClassVar[str]
    unread: ClassVar[str] = ""
    statements: ClassVar[tuple[Statement, ...]] = ()
    standing: ClassVar[int] = 0
    marks: ClassVar[tuple[str, ...] | None] = None
    fallback: ClassVar[bool] = False
    passing: ClassVar[tuple[str, ...]] = ("latest",)
    latest: Iteration | None = None
    begun: int | None = None
    rows: int = 0
    hours: float | None = None
    context: object = None
    span: tuple[int, int] | None = None
    _by_first: ClassVar[dict[str, tuple[_Clued, ...]]]
    _firsts: ClassVar[frozenset[str]]

    def __init_subclass__(cls) -> None:
        """Forgets the order that a parent class may have worked out."""
        cls._by_first = {}

    @classmethod
    def _beginning_with(cls, first: str) -> tuple[_Clued, ...]:
        """The statements for lines of that first character, each with what tells it early."""
        if not cls._by_first:
            cls._firsts = frozenset(s.shape.anchor[:1] for s in cls.statements)
        if first not in cls._firsts:
            first = ""  # an unforeseen character: only statements without an anchor
        known = cls._by_first.get(first)
        if known is None:
            known = cls._by_first[first] = tuple(
                (s.shape.anchor, s.shape.clue, s)
                for s in cls.statements
                if s.shape.anchor[:1] in ("", first)
            )
        return known

    @classmethod
    def may_know(cls, first: str) -> bool:
        """Whether a line that begins with this character can be one of the format's."""
        return cls.recognise is not Reader.recognise or bool(cls._beginning_with(first))

    def recognise(self, line: Line) -> tuple[Statement, Fields | Broken] | None:
        """The statement that this line fits, with its fields; None for an unknown line."""
        text = line.text.strip()
        for anchor, clue, statement in self._beginning_with(text[:1]):
            if clue in text and text.startswith(anchor):
                fields = statement.shape.match(text)
                if fields is not None:
                    return statement, fields
        return None

    def read(self, line: Line) -> list[Event] | None:
        """The events of a line; an empty list for one that says nothing, None if unknown."""
        known = self.recognise(line)
        if known is None:
            return None
        statement, fields = known
        if isinstance(fields, Broken):
            return [broken(line.origin(), statement, fields)]
        if statement.weight >= _OWN and _twice(statement.shape, line.text):
            return [_cut(line, statement, "two in one line: their writers cut each other short")]
        return list(statement.emit(self, line, fields))

    def studied(self, line: Line) -> tuple[Statement, Fields] | None:
        """As `recognise`, for the block scan: with a record that says all about the line."""
        known = self.recognise(line)
        if known is None or isinstance(known[1], Broken):
            return None
        return known[0], known[1]

    def quiet(self, _line: Line, _fields: Fields) -> Iterator[Event]:
        """What a line says that is known and says nothing: the `emit` of all such statements.

        Such lines of a large log are passed over by the block.
        """
        return iter(())

    def cut(self, line: Line) -> Problem | None:
        """The warning for a line that no statement knows, and that begins as one of them."""
        text = line.text.strip()
        for anchor, _clue, statement in self._beginning_with(text[:1]):
            own = statement.weight >= _OWN and statement.what in _RECORDS
            if own and text.startswith(anchor) and statement.shape.begins(text):
                return _cut(line, statement, "cut short, or cut in two by another writer")
        return None

    def ready(self, first: Iteration, rate: str) -> bool:
        """Whether progress lines from `first` on say what their statement says, no more.

        False where what was read before would change the event, or the event what is
        remembered: the line is then read singly.

        Args:
            first: The first of them.
            rate: Hole that gives their throughput; empty for none.
        """
        return True

    def knows(self, hole: str, number: float) -> bool:
        """Whether a progress line that has this number in a watched hole says nothing by it."""
        return False

    def passed(self, last: Iteration, rate: str) -> None:
        """Remembers what reading progress lines singly, up to `last`, would have left."""
        self.latest = last

    def owed(self) -> list[Event]:
        """What another progress record's first line brings, whatever it says itself."""
        return []

    @property
    def holding(self) -> bool:
        """Whether a line that says nothing itself may bring what is kept back."""
        return True

    @property
    def bearing(self) -> object:
        """All that bears upon what lines say that are no progress lines: what is remembered.

        Where it is the same again and again, whole epochs of a large log are read together. What
        is `passing` is left out: of the latest progress line such lines may take the label and
        nothing else.
        """
        return {name: value for name, value in vars(self).items() if name not in self.passing}

    def before(self, at: Origin) -> Iteration | None:
        """The progress line that one at this place may repeat."""
        return self.latest

    @property
    def epoch(self) -> int | None:
        """Label of the epoch that the last progress line named."""
        return self.latest.epoch if self.latest else None

    @property
    def step(self) -> int | None:
        """The last progress line's step."""
        return self.latest.step if self.latest else None

    def end(self, at: Origin) -> list[Event]:
        """What is still owed when no more bytes come."""
        return [EndOfInput(at)]


def broken(at: Origin, statement: Statement, what: Broken) -> Problem:
    """The warning for a known line with a bad number."""
    return Problem(
        at, "broken_number", f"{statement.what} line: {what.field} is {what.text!r}, not a number"
    )


def _twice(shape: Shape, text: str) -> bool:
    """Whether another line of the kind begins inside this one."""
    anchor = shape.anchor
    if len(anchor) < _SHORTEST:
        return False
    at = text.find(anchor, text.find(anchor) + len(anchor))
    if at < 0 or text[at - 1].isalpha() or text[at - 1] == "_":
        return False
    return shape.begins(text[at:])


def _cut(line: Line, statement: Statement, how: str) -> Problem:
    return Problem(line.origin(), "cut_line", f"{statement.what} line that is not whole: {how}")
