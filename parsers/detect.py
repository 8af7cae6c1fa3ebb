"""Which format speaks here, how sure, and why.

Every format reads the first lines beside the others and collects the weight of the lines it
recognises. The decision depends on the lines alone, never on a file's name, nor on how the
bytes arrived.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

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
_HALF_SURE = 1.0


class Candidate(NamedTuple):
    """How one format fared.

    Attributes:
        name: The format.
        weight: Sum of the weights of the lines it recognised.
        reasons: What it recognised, commonest first: `("34 iteration", "1 evaluation")`.
        first_line: First line it recognised.
    """

    name: str
    weight: float
    reasons: tuple[str, ...]
    first_line: int

    @property
    def confidence(self) -> float:
        """From 0 (nothing) towards 1 (many lines that no other program prints)."""
        return self.weight / (self.weight + _HALF_SURE)


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
        return Candidate(self.reader.name, self.weight, reasons, self.first_line)


class Detector:
    """Lets every format look at the lines until one of them is the answer."""

    def __init__(self, formats: tuple[type[Reader], ...]) -> None:
        self._tallies = [_Tally(reader()) for reader in formats]
        self._since_first = 0
        self._since_figures = 0

    def look(self, line: Line) -> bool:
        """Shows one line to every format; True where any of them recognised it."""
        recognised = figures = False
        for tally in self._tallies:
            known = tally.reader.recognise(line)
            if known is None or known[0].weight <= 0:
                continue
            statement, fields = known
            recognised = recognised or not tally.reader.fallback
            figures = True
            tally.weight += statement.weight * (0.3 if isinstance(fields, Broken) else 1.0)
            tally.seen[statement.what] += 1
            tally.first_line = tally.first_line or line.number
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
            last = max((t.weight for t in self._tallies if t.reader.fallback), default=0.0)
            return self._since_figures >= LAST_PATIENCE and last >= SURE
        leader, rivals = named[0], named[1:]
        rival = max((t.weight for t in rivals if t.standing == leader.standing), default=0.0)
        if leader.weight >= ENOUGH and rival <= 0.1 * leader.weight:
            return True
        return self._since_first >= PATIENCE

    def _ranked(self) -> list[_Tally]:
        named = [t for t in self._tallies if t.weight > 0 and not t.reader.fallback]
        last = [t for t in self._tallies if t.weight >= LEAST and t.reader.fallback]
        sure = any(t.weight >= SURE and t.standing >= 0 for t in named)
        return sorted(
            [*named, *last],
            key=lambda t: (sure and t.reader.fallback, -t.standing, -t.weight, t.reader.name),
        )
