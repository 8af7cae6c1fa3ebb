"""The result of detecting a log's format."""

from typing import NamedTuple

_HALF_SURE = 1.0


class Candidate(NamedTuple):
    """How well one format fits a log.

    Attributes:
        name: The format.
        weight: Sum of the weights of the lines it recognised.
        reasons: What it recognised, commonest first: `("34 iteration", "1 evaluation")`.
        first_line: First line it recognised.
        lines: How many lines it recognised.
    """

    name: str
    weight: float
    reasons: tuple[str, ...]
    first_line: int
    lines: int = 0

    @property
    def confidence(self) -> float:
        """From 0 (nothing) towards 1 (many lines that no other program prints)."""
        return self.weight / (self.weight + _HALF_SURE)


class Detection(NamedTuple):
    """The format of a log, and the formats that were considered.

    Attributes:
        name: Format name; empty where no format knows the log.
        forced: True where the user named it.
        candidates: The formats that recognised a line before the decision, best first.
        beside: Other formats that recognise lines which the chosen one does not.
        looked: How many of those lines were examined.
        provisional: True where another format may still turn out to be the log's.
        inside: The format of lines that follow other text inside the log's lines.
    """

    name: str
    forced: bool
    candidates: tuple[Candidate, ...]
    beside: tuple[Candidate, ...] = ()
    looked: int = 0
    provisional: bool = False
    inside: Candidate | None = None
