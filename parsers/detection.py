"""What was found out about a log's format: plain values."""

from __future__ import annotations

from typing import NamedTuple

_HALF_SURE = 1.0


class Candidate(NamedTuple):
    """How one format fared.

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
    """What the log is, and who else was considered.

    Attributes:
        name: Format name; empty where no format knows the log.
        forced: True where the user named it.
        candidates: Everyone that recognised anything until the decision, best first.
        beside: Other formats whose lines stand among those that the format does not know.
        looked: How many of those were looked at.
        provisional: True where another format may still turn out to be the log's.
        inside: The format whose lines stand inside lines that no format knows.
    """

    name: str
    forced: bool
    candidates: tuple[Candidate, ...]
    beside: tuple[Candidate, ...] = ()
    looked: int = 0
    provisional: bool = False
    inside: Candidate | None = None
