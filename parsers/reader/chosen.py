"""Reads a log of a chosen format: with that format, and with companions for its other lines."""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from sixdim.parsers.events import EndOfInput, Event, Origin
from sixdim.parsers.reader.detect import Beside
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.troubles import Troubles, fault, may_be_trouble
from sixdim.parsers.text.letters import ByLetters, without_digits
from sixdim.parsers.text.lines import Line


class _Possible(NamedTuple):
    """The readers of all lines that have the same text without digits.

    Attributes:
        companions: The companions that are not fallback readers.
        by_names: The companions that are fallback readers.
        trouble: Whether such a line may report an error of a program.
    """

    companions: tuple[Reader, ...]
    by_names: tuple[Reader, ...]
    trouble: bool


class Chosen:
    """The reader of a log's format, and the companions: formats whose lines may be in any log.

    Args:
        chosen: A new reader of the log's format.
        formats: All formats.
        names: The further figures of progress lines that are wanted; None for all of them.
        troubles: Finds errors of a program in lines that no format reads.

    Attributes:
        reader: The reader of the log's format.
        beside: Finds lines of other formats among the unknown lines.
        unknown: The number of lines that no reader knows, except perhaps a fallback companion.
        of_companions: The number of lines that a companion read.
    """

    def __init__(
        self,
        chosen: Reader,
        formats: tuple[type[Reader], ...],
        names: Collection[str] | None,
        troubles: Troubles,
    ) -> None:
        self.reader = chosen.want(names)
        companions = [f for f in formats if f.precedence < 0 and f is not type(chosen)]
        self._companions = tuple(f() for f in companions if not f.fallback)
        self._by_names = tuple(f() for f in companions if f.fallback and not chosen.fallback)
        self.beside = Beside(formats, (self.reader, *self._companions))
        self.unknown = self.of_companions = 0
        self._troubles = troubles
        self._source_next = False  # whether the next line may quote a program's source
        self._possible = ByLetters(self._possible_for)

    def read(self, lines: Iterable[Line | Event]) -> list[Event]:
        """Returns the events of lines; events among the lines keep their places."""
        reader = self.reader
        out: list[Event] = []
        for line in lines:
            if not isinstance(line, Line):
                out.append(line)
                continue
            if self._source_next and self._is_source(line):
                continue
            try:
                events = reader.read(line)  # a reader may replace its `read` at any line
                if reader.released:
                    out += reader.released
                    reader.released = ()
                if events is None:
                    events = self._read_unknown(line)
                out += events
            except Exception as error:  # noqa: BLE001 - no line may end a watch; it is reported
                out.append(fault(line.origin(), error))
        return out

    def _is_source(self, line: Line) -> bool:
        """Returns whether a line of a traceback quotes the program, and counts it if so.

        Numbers in a program's source, such as `train(epochs=5)`, are no figures of the run.
        """
        self._source_next = False
        if not self._troubles.is_quoted(line):
            return False
        self.unknown += 1
        self._troubles.look(line)
        self._source_next = self._troubles.quotes
        return True

    def _read_unknown(self, line: Line) -> Iterable[Event]:
        """Returns the events of a line that the log's own format does not read."""
        possible = self._possible[without_digits(line.text)]
        self._source_next = False
        for companion in possible.companions:
            events = companion.read(line)
            if events is not None:
                self.of_companions += 1
                return events
        self.unknown += 1
        self.beside.look(line)
        for reader in possible.by_names:
            events = reader.read(line)
            if events is not None:
                return self.reader.placed(events)
        troubles = self._troubles
        problem = troubles.look(line) if possible.trouble or troubles.waits else None
        self._source_next = troubles.quotes
        problem = problem or self.reader.cut(line)
        return () if problem is None else (problem,)

    def _possible_for(self, letters: str) -> _Possible:
        """Returns the readers of lines that have this text without digits."""
        companions = tuple(one for one in self._companions if one.may_read(letters))
        by_names = tuple(one for one in self._by_names if one.may_read(letters))
        return _Possible(companions, by_names, may_be_trouble(letters))

    def end(self, last: Origin) -> Iterator[Event]:
        """Yields the events that the readers held back until the end of the log."""
        for reader in (*self._companions, self.reader):
            try:
                held = reader.end(last)
                yield from (event for event in held if not isinstance(event, EndOfInput))
            except Exception as error:  # noqa: BLE001 - no line may end a watch; it is reported
                yield fault(last, error)
