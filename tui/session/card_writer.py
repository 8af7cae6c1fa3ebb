"""Writes the card of a run that is followed: at the freeze, at the end and when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sixdim.metrics.values.card import Card, dumps
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.base.safe_files import write_atomically

if TYPE_CHECKING:
    from sixdim.tui.session.session import Session


def card_file(log: str) -> str:
    """Returns the file name of a log's card: that of `a/train.log` is `a_train.log.card.json`."""
    return f"{log.strip('/').replace('/', '_')}.card.json"


class CardWriter:
    """Writes the card of one log.

    Args:
        log: Name of the log; folders in it become part of the file's name.
        path: Where the card is written at the freeze, at the end and at quit; None to write it only
            when it is asked for, beside the log's name.

    Attributes:
        path: Where the card is written.
        automatic: Whether it is written without being asked for.
        trouble: Why the last card was not written; empty if it was.
    """

    def __init__(self, log: str, path: str | None) -> None:
        self.path = path or card_file(log)
        self.automatic = path is not None
        self.trouble = ""
        self._given: tuple[int, bool] | None = None

    def begin_again(self) -> None:
        """Begins anew for another log of the same name."""
        self._given = None

    def due(self, session: Session, *, quiet: bool) -> Card | None:
        """Returns the card to write: once at the freeze, and again when the end completes it.

        Args:
            session: The log as far as it was read.
            quiet: Whether it has not grown since the last call.

        Returns:
            A card, which is not returned again for the same state of the log; None if none is due.
        """
        if not self.automatic:
            return None
        frozen = session.run.frozen
        closed = quiet and (session.closed() or session.ended)
        state = (session.interpreter.size, closed)
        again = self._given is not None and not closed
        if not (frozen or closed) or again or self._given == state:
            return None
        self._given = state
        return session.over().card()

    def write(self, card: Card) -> str:
        """Writes a card and returns a message.

        Raises:
            UserError: It cannot be written.
        """
        try:
            write_atomically(self.path, dumps(card))
        except UserError as error:
            self.trouble = str(error)
            raise
        self.trouble = ""
        return f"wrote {label(self.path)}"

    def write_by_itself(self, card: Card) -> str:
        """Writes a card that nobody asked for just now; returns a message, also if it cannot."""
        try:
            return self.write(card)
        except UserError:
            return self.trouble

    def write_last(self, session: Session) -> None:
        """Writes the card of a log that was read to its end."""
        if self.automatic:
            self.write_by_itself(session.card())

    def refuse(self) -> None:
        """Notes that no card is written, as a part of the log is missing."""
        self.trouble = f"{label(self.path)} is not written: not all of the log was read"

    def check(self) -> None:
        """Checks at the end of a command that the card it promised was written.

        Raises:
            UserError: The last one was not written.
        """
        if self.automatic and self.trouble:
            raise UserError(self.trouble)
