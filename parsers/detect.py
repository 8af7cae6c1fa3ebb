"""Which format speaks here, how sure, and why.

Every format reads the first lines beside the others and collects the weight of the lines it
recognises. The decision depends on the lines alone, never on a file's name, nor on how the
bytes arrived.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from parsers.detection import Candidate
from parsers.format import Reader
from parsers.shape import Broken
from parsers.text import Line

ENOUGH = 3.0
"""Weight at which a format without a rival is taken at once."""
PATIENCE = 400
"""Lines, from the first one anybody recognised, after which the leader is taken."""
LAST_PATIENCE = 5_000
"""Lines, from the first one with figures, after which a fallback reader is taken."""
LEAST = 0.15
"""Weight below which a fallback reader says nothing: a stray line is no log."""
SURE = 1.0
"""Weight from which a format outranks every fallback reader."""
BESIDE = 1_000
"""Lines unknown to the chosen format of which each is shown to the others."""
BESIDE_EVERY = 512
"""After them, the lines whose number is a multiple of this are."""
BESIDE_SURE = 2.0
"""Weight from which another format's lines in a log are no accident."""


@dataclass(slots=True)
class _Tally:
    reader: Reader
    weight: float = 0.0
    seen: Counter[str] = field(default_factory=Counter)
    first_line: int = 0

    @property
    def standing(self) -> int:
        """The format's, where it recognised enough to claim it."""
        return self.reader.standing if self.weight >= 1.0 else min(0, self.reader.standing)

    def candidate(self) -> Candidate:
        reasons = tuple(f"{count} {what}" for what, count in self.seen.most_common(4))
        return Candidate(self.reader.name, self.weight, reasons, self.first_line, self.seen.total())


class _Tallies:
    """Shows lines to many formats, each only to those that can know it."""

    def __init__(self, formats: Iterable[type[Reader]]) -> None:
        self.all = [_Tally(reader()) for reader in formats]
        self._by_first: dict[str, list[_Tally]] = {}

    def look(self, line: Line) -> Iterator[_Tally]:
        """Counts a line; gives the formats that recognised it."""
        first = line.text.lstrip()[:1]
        asked = self._by_first.get(first)
        if asked is None:
            asked = self._by_first[first] = [t for t in self.all if t.reader.may_know(first)]
        for tally in asked:
            known = tally.reader.recognise(line)
            if known is None or known[0].weight <= 0:
                continue
            statement, fields = known
            tally.weight += statement.weight * (0.3 if isinstance(fields, Broken) else 1.0)
            tally.seen[statement.what] += 1
            tally.first_line = tally.first_line or line.number
            yield tally


class Detector:
    """Lets every format look at the lines until one of them is the answer."""

    def __init__(self, formats: tuple[type[Reader], ...]) -> None:
        self._tallies = _Tallies(formats)
        self._since_first = 0
        self._since_figures = 0

    def look(self, line: Line) -> bool:
        """Shows one line to every format; True where any of them recognised it."""
        recognised = figures = False
        for tally in self._tallies.look(line):
            recognised = recognised or not tally.reader.fallback
            figures = True
        if recognised or self._since_first:
            self._since_first += 1
        if figures or self._since_figures:
            self._since_figures += 1
        return figures

    def candidates(self) -> list[Candidate]:
        """Those that recognised anything, best first; ties by name.

        A fallback reader stands behind every format once one of them is sure.
        """
        return [t.candidate() for t in self._ranked()]

    def decided(self) -> bool:
        """Whether the leader can be taken without waiting for more lines."""
        named = [t for t in self._ranked() if not t.reader.fallback]
        if not named or named[0].weight < SURE:
            last = max((t.weight for t in self._tallies.all if t.reader.fallback), default=0.0)
            return self._since_figures >= LAST_PATIENCE and last >= SURE
        leader, rivals = named[0], named[1:]
        rival = max((t.weight for t in rivals if t.standing == leader.standing), default=0.0)
        if leader.weight >= ENOUGH and rival <= 0.1 * leader.weight:
            return True
        return self._since_first >= PATIENCE

    def _ranked(self) -> list[_Tally]:
        named = [t for t in self._tallies.all if t.weight > 0 and not t.reader.fallback]
        last = [t for t in self._tallies.all if t.weight >= LEAST and t.reader.fallback]
        sure = any(t.weight >= SURE and t.standing >= 0 for t in named)
        return sorted(
            [*named, *last],
            key=lambda t: (sure and t.reader.fallback, -t.standing, -t.weight, t.reader.name),
        )


class Beside:
    """Watches, once a log's format is chosen, for lines of others among those it does not know.

    Which lines are looked at follows from the lines alone, so the finding does, too.

    Args:
        formats: Everyone there is.
        readers: Those that read the log.

    Attributes:
        looked: Lines looked at.
    """

    def __init__(self, formats: tuple[type[Reader], ...], readers: tuple[Reader, ...]) -> None:
        names = {reader.name for reader in readers}
        self._tallies = _Tallies(f for f in formats if f.name not in names and not f.fallback)
        self.looked = 0

    @property
    def eager(self) -> bool:
        """Whether every line that the format does not know is still looked at."""
        return self.looked < BESIDE

    def look(self, line: Line) -> None:
        """Takes note of a line that the log's own format does not know."""
        if self.eager or line.number % BESIDE_EVERY == 0:
            self.looked += 1
            for _ in self._tallies.look(line):
                pass

    def found(self) -> tuple[Candidate, ...]:
        """The formats whose lines are no accident, the one with the most first."""
        sure = [t.candidate() for t in self._tallies.all if t.weight >= BESIDE_SURE]
        return tuple(sorted(sure, key=lambda c: (-c.weight, c.name)))
