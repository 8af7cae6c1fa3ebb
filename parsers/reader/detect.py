"""Detects the format of a log.

Each of the first lines is matched with the statements of all formats that its beginning allows, and
the weights of the lines that a format recognises are added up. The decision depends on the lines
alone, never on a file's name, nor on how the bytes arrived.
"""

from collections.abc import Collection, Sequence
from itertools import islice

from sixdim.parsers.detection import Candidate
from sixdim.parsers.reader.statement_index import StatementIndex, index_of
from sixdim.parsers.reader.tally import ENDINGS, HEADERS, SURE, Tally
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import Line

ENOUGH = 3.0
"""Weight at which a format without a rival is chosen at once."""
PATIENCE = 400
"""Lines, from the first that any format recognised, after which the leader is chosen."""
LAST_PATIENCE = 5_000
"""Lines after which a fallback reader is chosen, where no format is sure."""
LOOK_AGAIN = 1_000
"""The fallback readers are tried again each time this many lines have passed."""
SAMPLE_STRIDE = 11
"""A fallback reader is first tried on one of this many lines, as it reads the prose of libraries
slowly: if it knows none of those lines, it is not chosen yet."""
PLENTY = 20.0
"""Weight at which a fallback reader is chosen earlier, while no format recognises any line."""
SAMPLE = 50
"""While no format recognises a line, a fallback reader that knows half of this many latest lines
may be chosen. This is tried after as many lines, and whenever the number of lines has doubled."""
LEAST = 0.15
"""Weight below which no reader is chosen: one matching line may be an accident."""
BESIDE = 1_000
"""The first lines unknown to a log's readers, which are all matched with the other formats."""
BESIDE_EVERY = 512
"""Of later unknown lines, those whose line number is a multiple of this are matched."""
BESIDE_SURE = 2.0
"""Weight from which another format's lines are reported."""


class _Tallies:
    """Matches each line with many formats, except those that its beginning rules out.

    Attributes:
        by_format: What each format has recognised; without those that have not recognised a line.
        changes: How many lines changed a weight, or were of another kind than all before.
    """

    def __init__(self, formats: Sequence[type[Reader]], index: StatementIndex) -> None:
        self._index = index
        self._formats = frozenset(formats)
        self.changes = 0
        self.by_format: dict[type[Reader], Tally] = {}

    def look(self, line: Line) -> bool:
        """Counts a line; returns whether it is evidence for any format."""
        known = False
        for format_, statement, fields in self._index.recognised(line.text.strip()):
            if format_ in self._formats:
                tally = self.by_format.get(format_)
                if tally is None:
                    tally = self.by_format[format_] = Tally(format_)
                before = tally.weight, len(tally.seen)
                known |= tally.add(line, statement, fields)
                self.changes += before != (tally.weight, len(tally.seen))
        return known


class Detector:
    """Adds up which formats recognise the lines, until one of them can be chosen."""

    def __init__(self, formats: tuple[type[Reader], ...]) -> None:
        named = [f for f in formats if not f.fallback]
        self._tallies = _Tallies(named, index_of(formats))
        self._fallbacks = [f() for f in formats if f.fallback and f.precedence >= 0]
        self._last = [Tally(type(reader)) for reader in self._fallbacks]
        self._asked = 0
        self._seen = 0
        self._recognised = False
        self._since_first = 0
        self._waited = False
        self._weighed = 0  # the changes when the formats were last ranked

    def look(self, line: Line) -> bool:
        """Matches one line with every format; returns whether it is evidence for any."""
        self._seen += 1
        self._recognised = self._tallies.look(line)
        if self._recognised or self._since_first:
            self._since_first += 1
        return self._recognised

    def candidates(self, lines: Collection[Line]) -> list[Candidate]:
        """Returns the formats that recognised a line, best first; ties by name.

        Once the weight of a named format is sufficient, fallback readers come after all others.

        Args:
            lines: Those of the examined lines that are still held.
        """
        if all(t.announces for t in self._named()) or not self._sure():
            self._ask_fallbacks(lines)
        return [t.candidate() for t in self._ranked()]

    def decided(self, lines: Collection[Line]) -> bool:
        """Returns whether the leader can be chosen without waiting for more lines.

        Args:
            lines: As for `candidates`.
        """
        unrivalled = self._unrivalled(lines)
        asks = unrivalled or self._seen % LOOK_AGAIN == 0
        waited, self._waited = self._waited, self._since_first >= PATIENCE
        overdue = self._since_first >= LAST_PATIENCE
        changed = self._recognised and (overdue or self._tallies.changes != self._weighed)
        if not (changed or asks or self._waited > waited):
            return False  # nothing has changed since the line before
        self._weighed = self._tallies.changes
        named = self._named()
        if not named or named[0].weight < SURE:
            late = unrivalled or self._seen >= LAST_PATIENCE
            if not asks or (named and not late):
                return False
            return self._fallback_weighs(SURE if late else PLENTY, lines)
        leader, rivals = named[0], named[1:]
        rival = max((t.weight for t in rivals if t.precedence == leader.precedence), default=0.0)
        if leader.seen.keys() <= HEADERS:  # another format may read what this framework trains
            plenty = asks and self._fallback_weighs(PLENTY, lines)
            return plenty or self._since_first >= LAST_PATIENCE
        if leader.weight >= ENOUGH and rival <= 0.1 * leader.weight:
            return True
        return self._since_first >= PATIENCE

    def begin(self, chosen: type[Reader]) -> Reader:
        """Returns a new reader of a format; a fallback reader still knows the forms of lines."""
        for reader in self._fallbacks:
            if type(reader) is chosen:
                return reader.begun_again()
        return chosen()

    def _unrivalled(self, lines: Collection[Line]) -> bool:
        """Whether no format recognises a line, and a fallback reader half of the latest ones."""
        doublings, rest = divmod(self._seen, SAMPLE)
        if rest or doublings.bit_count() != 1 or self._named():
            return False
        latest = [*islice(lines, max(0, len(lines) - SAMPLE), None)]
        return any(_knows_half(reader.begun_again(), latest) for reader in self._fallbacks)

    def _fallback_weighs(self, least: float, lines: Collection[Line]) -> bool:
        """Returns whether a fallback reader has at least a weight."""
        if least >= PLENTY or self._named():
            sample = [*islice(lines, max(0, len(lines) - LOOK_AGAIN), None, SAMPLE_STRIDE)]
            readers = [reader.begun_again() for reader in self._fallbacks]
            if all(reader.recognise(line) is None for reader in readers for line in sample):
                return False
        self._ask_fallbacks(lines)
        return any(t.weight >= least for t in self._last)

    def _ask_fallbacks(self, lines: Collection[Line]) -> None:
        """Passes the fallback readers the lines that are new to them."""
        new = [*islice(lines, max(0, len(lines) - (self._seen - self._asked)), None)]
        self._asked = self._seen
        for tally, reader in zip(self._last, self._fallbacks, strict=True):
            for line in new:
                known = reader.recognise(line)
                if known is not None:
                    tally.add(line, *known)

    def _named(self) -> list[Tally]:
        """Returns the named formats that recognised a line, best first."""
        found = (
            t
            for t in self._tallies.by_format.values()
            if t.weight >= LEAST and not (t.strongest < SURE and t.seen.keys() <= ENDINGS)
        )
        return sorted(found, key=lambda t: (-t.precedence, -t.weight, t.format.name))

    def _sure(self) -> bool:
        """Returns whether any named format outranks the fallback readers."""
        named = (t for t in self._named() if t.weight >= SURE and t.precedence >= 0)
        read = any(t.weight >= SURE for t in self._last)
        return any(not (read and t.announces) for t in named)

    def _ranked(self) -> list[Tally]:
        sure = self._sure()
        last = [
            tally
            for tally, reader in zip(self._last, self._fallbacks, strict=True)
            if tally.weight >= LEAST or reader.convinced
        ]
        return sorted(
            [*self._named(), *last],
            key=lambda t: (
                sure and t.format.fallback,
                -t.precedence,
                -t.weight,
                t.format.name,
            ),
        )


def _knows_half(reader: Reader, lines: Sequence[Line]) -> bool:
    """Returns whether a reader knows half of `SAMPLE` lines.

    No further ones are read once that is sure.
    """
    missing, left = SAMPLE // 2, len(lines)
    for line in lines:
        if not 0 < missing <= left:
            break
        missing -= reader.recognise(line) is not None
        left -= 1
    return missing <= 0


class Beside:
    """Finds lines of other formats among those that a log's readers do not recognise.

    Which lines are examined depends on the lines alone, and so does the result.

    Attributes:
        looked: The number of lines examined.
    """

    def __init__(self, formats: tuple[type[Reader], ...], readers: tuple[Reader, ...]) -> None:
        names = {reader.name for reader in readers}
        others = [f for f in formats if f.name not in names and not f.fallback]
        self._tallies = _Tallies(others, index_of(formats))
        self.looked = 0

    def look(self, line: Line) -> None:
        """Examines a line that the log's readers do not recognise."""
        if self.looked < BESIDE or line.number % BESIDE_EVERY == 0:
            self.looked += 1
            self._tallies.look(line)

    def found(self) -> tuple[Candidate, ...]:
        """Returns the formats with enough weight to be reported, the heaviest first."""
        tallies = self._tallies.by_format.values()
        sure = [t.candidate() for t in tallies if t.weight >= BESIDE_SURE]
        return tuple(sorted(sure, key=lambda c: (-c.weight, c.name)))
