"""Reads runs from a log, a card, or a file of several cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sixdim.metrics.values.card import Card
from sixdim.parsers.input.source import base_name
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.session.log_or_card import log_or_card
from sixdim.tui.session.options import Request
from sixdim.tui.session.reading import add_readings
from sixdim.tui.session.session import Session

if TYPE_CHECKING:
    from sixdim.metrics.card.snapshot import Snapshot


class Scored(NamedTuple):
    """A run with its card.

    Attributes:
        name: Base name of the log, or of the card's log, sanitised.
        card: The scorecard.
        snapshot: Its epochs and evaluations; None if only a card was given, or if they are not
            needed.
        path: The log on disk; empty if only a card was given.
        earlier: The paths of the earlier pieces of a rotated log.
    """

    name: str
    card: Card
    snapshot: Snapshot | None = None
    path: str = ""
    earlier: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, session: Session, path: str, curves: bool = True, earlier: tuple[str, ...] = ()
    ) -> Scored:
        """Makes one from a log that was read; if `curves`, with its epochs and evaluations."""
        if not curves:
            return cls(session.name, session.card(), None, path, earlier)
        snapshot = session.snapshot()
        return cls(session.name, snapshot.card, snapshot, path, earlier)


def read_scored(path: str, request: Request, curves: bool = False) -> list[Scored]:
    """Scores a log, or reads the cards of a JSON file.

    Args:
        path: The log or the JSON file.
        request: How the log is read and scored.
        curves: Whether the curves of all figures of the log are needed, too.

    Raises:
        UserError: The file is neither a log nor a card.
    """
    name = base_name(path)
    session = log_or_card(path, lambda: request.session(name, keep=1 if curves else 0))
    if isinstance(session, list):
        return [Scored(label(card.provenance["log"]), card) for card in session]
    add_readings(session, path, request)
    return [Scored.of(session, path)]


def read_one(path: str, request: Request, curves: bool = False) -> Scored:
    """Scores a log, or reads the one card of a JSON file.

    Raises:
        UserError: The file is neither, or has several cards.
    """
    found = read_scored(path, request, curves)
    if len(found) != 1:
        raise UserError(f"{base_name(path)} holds {len(found)} cards, not one")
    return found[0]
