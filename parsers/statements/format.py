"""The base class of log formats: a name, an example, and statements.

A format is a subclass of `Reader` in its own file under `parsers/formats/`. Its class body
states its lines: a method under the decorator `line`, or a row made by `progress` or `ignored`
where a line needs no code. State across lines lives on the instance: one reader reads one log
once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar, TypeVar

from sixdim.parsers.events import EndOfInput, Event, Fact, Iteration, Origin, Problem, RunInfo
from sixdim.parsers.grammar.shapes.shape import Broken
from sixdim.parsers.grammar.shapes.shape import Fields as Fields
from sixdim.parsers.statements import rows
from sixdim.parsers.statements.by_start import START
from sixdim.parsers.statements.compiled import Dispatch
from sixdim.parsers.statements.statement import Statement, cut
from sixdim.parsers.text.lines import Line as Line
from sixdim.parsers.text.lines import label

_Value = TypeVar("_Value")


class Reader:
    """Reads one log in one format.

    Class attributes:
        name: Identifier on the command line and on the card.
        title: One line for `sixdim formats`.
        example: A line of the format.
        unread: Content of such logs that this reader does not read, in a few words.
        tried: Trainers and versions whose logs were last compared with their own timers.
        statements: The lines it knows, the more specific first: those of the class body in
            their order.
        precedence: Which format is chosen for a log that several recognise. 1: one that frames
            other programs' logs (MLPerf's records around a framework's lines) comes before
            them. -1: a companion, whose lines may be in any log, comes after the log's own
            format, and reads the lines that this does not. 0: all others, by weight.
        own_clock: True where its records carry their time: no clock in front of them counts.
        record_clue: Text without digits that is in each line of which `record_in` returns a part.
        fallback: True for a reader that is asked only where no other is sure.

    Attributes:
        names: Further figures of progress lines that are wanted, in lower case; None for all.
        latest: The last progress line.
        convinced: Whether a fallback reader knows a line that no other program prints.
        released: Events of earlier lines that the last line showed to be complete.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    example: ClassVar[str]
    unread: ClassVar[str] = ""
    tried: ClassVar[str] = ""
    statements: ClassVar[tuple[Statement, ...]] = ()
    precedence: ClassVar[int] = 0
    own_clock: ClassVar[bool] = False
    record_clue: ClassVar[str] = ""
    fallback: ClassVar[bool] = False
    names: frozenset[str] | None = None
    latest: Iteration | None = None
    convinced: bool = False
    released: Sequence[Event] = ()

    def __init_subclass__(cls) -> None:
        """Collects the statements of the class body."""
        if "statements" not in vars(cls):
            stated = tuple(one for value in vars(cls).values() for one in rows.stated(value))
            cls.statements = stated or cls.statements

    def want(self, names: Collection[str] | None) -> Reader:
        """Leaves out the further figures of progress lines that do not have a given name."""
        self.names = None if names is None else frozenset(name.lower() for name in names)
        return self

    def wants(self, name: str) -> bool:
        """Returns whether a further figure of a progress line is wanted."""
        return self.names is None or name.lower() in self.names

    def wanted(self, pairs: Mapping[str, _Value]) -> Mapping[str, _Value]:
        """Returns the pairs of a progress line whose further figures are wanted."""
        names = self.names
        if names is None:
            return pairs
        return {name: pairs[name] for name in pairs if name.lower() in names} if names else {}

    @cached_property
    def _dispatch(self) -> Dispatch:
        """The statements, compiled when the first line is read."""
        return Dispatch(self.statements, self.names)

    @staticmethod
    def record_in(text: str) -> str:
        """Returns the part of a line to match; overridden if records stand anywhere in a line."""
        return text

    def recognise(self, line: Line) -> tuple[Statement, Fields | Broken] | None:
        """Returns the statement that this line fits, with its fields; None for an unknown line."""
        return self._dispatch.recognise(self.record_in(line.text.strip()))

    def read(self, line: Line) -> Iterable[Event] | None:
        """Returns the events of a line: none if it says nothing, None if it is unknown."""
        text = self.record_in(line.text.strip())
        for word, read in self._dispatch.reads[text[:START]]:
            if word in text:
                events = read(self, line, text)
                if events is not None:
                    return events
        return None

    def placed(self, events: Iterable[Event]) -> Iterable[Event]:
        """Returns the events of a companion's line, with what this format knows of their place."""
        return events

    def begun_again(self) -> Reader:
        """Returns a new reader of this format; it may share data that depends on no log."""
        return type(self)()

    def may_read(self, letters: str) -> bool:
        """Returns whether it may read a line with this text without digits.

        A subclass that overrides `read` and reads few lines may override this as well.
        """
        return type(self).read is not Reader.read or self._dispatch.may_fit(letters)

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """The facts that were reported; a reader must clear them where a new run begins."""
        return {}

    def report(self, at: Origin, name: str, value: Fact) -> Iterator[Event]:
        """Yields a fact about the run unless that value was reported last: ranks repeat facts."""
        if self.facts.get(name) != value:
            self.facts[name] = value
            yield RunInfo(at, name, label(value, 120) if isinstance(value, str) else value)

    def cut(self, line: Line) -> Problem | None:
        """Returns a warning for an unknown line that begins as a statement does; else None."""
        statement = self._dispatch.begun(line.text.strip())
        if statement is None:
            return None
        return cut(line, statement, "cut short, or cut in two by another writer")

    def note(self, event: Iteration) -> None:
        """Remembers a progress line that was read."""
        self.latest = event

    def before(self, at: Origin) -> Iteration | None:
        """Returns the progress line that one at this place may repeat; None without one."""
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
        """Returns the events that were held back, once no more bytes come."""
        return [EndOfInput(at)]
