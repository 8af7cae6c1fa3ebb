"""Counts what one format recognises in the first lines of a log."""

from collections import Counter

from sixdim.parsers.detection import Candidate
from sixdim.parsers.grammar.shapes.shape import Broken, Fields
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.rows import nothing
from sixdim.parsers.statements.statement import Statement
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

SURE = 1.0
"""Weight from which a format outranks every fallback reader."""
HINT = 0.25
"""Weight below which a line is a hint: many programs print it, so it counts once. A line without
events or with a broken number counts once whatever its weight."""
HEADERS = frozenset({"header"})
ENDINGS = frozenset({"end"})
"""What a text that speaks of a training may say, too: `Training completed`."""
_DIGIT = pattern(r"\d")


class Tally:
    """What one format has recognised so far.

    Attributes:
        hints: What counts once, and has been counted: ids of statements, and whether a number of
            the line was broken. Other lines of such a statement count all the same.
        strongest: The largest weight of a line.
    """

    def __init__(self, format_: type[Reader]) -> None:
        self.format = format_
        self.weight = self.strongest = 0.0
        self.seen: Counter[str] = Counter()
        self.first_line = 0
        self.hints: set[tuple[int, bool]] = set()

    def add(self, line: Line, statement: Statement, fields: Fields | Broken) -> bool:
        """Counts a recognised line; returns whether it is evidence for the format."""
        weight = statement.weight
        if broken := isinstance(fields, Broken):
            # A line with a word in place of a number is another program's.
            weight *= 0.3 if _DIGIT.search(fields.text) else 0.0
        if weight <= 0:
            return False
        if (id(statement), broken) not in self.hints:
            self.weight += weight
        self.strongest = max(self.strongest, weight)
        hints = broken or statement.weight < HINT or statement.emit is nothing
        if hints and not self.format.fallback:
            self.hints.add((id(statement), broken))
        self.seen[statement.what] += 1
        self.first_line = self.first_line or line.number
        return True

    @property
    def precedence(self) -> int:
        """The format's precedence; a positive one counts once the format is sure."""
        return self.format.precedence if self.weight >= SURE else min(0, self.format.precedence)

    @property
    def announces(self) -> bool:
        """Whether it knows only unsure headers, such as a library's in another program's log."""
        return self.strongest < SURE and self.seen.keys() <= HEADERS

    def candidate(self) -> Candidate:
        """Returns the format, its weight, and the reasons for it."""
        reasons = tuple(f"{count} {what}" for what, count in self.seen.most_common(4))
        return Candidate(self.format.name, self.weight, reasons, self.first_line, self.seen.total())
