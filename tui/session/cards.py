"""Reads runs from a log, a card, or a file of several cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from sixdim.metrics.values.card import Card
from sixdim.parsers.input.source import LogError, LogFile, base_name
from sixdim.parsers.text.lines import label
from sixdim.tui.base.card_file import begins_card
from sixdim.tui.base.errors import UserError
from sixdim.tui.session.log_names import Names
from sixdim.tui.session.reading import is_recording, read_run
from sixdim.tui.session.request import Request
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
        path: The log on disk; empty if a card or a recording was given.
        earlier: The paths of the earlier pieces of a rotated log.
    """

    name: str
    card: Card
    snapshot: Snapshot | None = None
    path: str = ""
    earlier: tuple[str, ...] = ()

    def called(self, name: str) -> Scored:
        """Returns this run under one of the names of `distinct`, unless that is empty.

        A card has the name of the log that it was made of.
        """
        if not name or not self.path:
            return self
        shot = self.snapshot
        if shot is not None:
            from dataclasses import replace  # loads slowly, and is rarely needed

            shot = replace(shot, name=name)
        return self._replace(name=name, snapshot=shot)

    @classmethod
    def of(cls, session: Session, path: str, curves: bool, earlier: tuple[str, ...] = ()) -> Scored:
        """Makes one from a log that was read; if `curves`, with its epochs and evaluations."""
        if not curves:
            return cls(session.name, session.card(), None, path, earlier)
        snapshot = session.snapshot()
        return cls(session.name, snapshot.card, snapshot, path, earlier)


def distinct(paths: Sequence[str]) -> list[str]:
    """Returns the path, as it was given, of each log whose base name another one has, too.

    It is empty for the others: their own name tells them apart.
    """
    names = Names(()).add(paths)
    return [
        "" if name == base_name(path) else name for path, name in zip(paths, names, strict=True)
    ]


def read_scored(path: str, request: Request, curves: bool = False) -> list[Scored]:
    """Scores a log, a folder of ranks or a recording, or reads the cards of a JSON file.

    Args:
        path: The log, the folder, the recording or the JSON file.
        request: How the log is read and scored.
        curves: Whether the epochs and evaluations, and the curves of all figures, are needed, too.

    Raises:
        UserError: The file cannot be read, or is neither a log nor a card.
    """
    try:
        (log,), request = request.of_logs([path])
        file, begin, is_text = LogFile(log), b"", not is_recording(log)
        if is_text:
            begin = file.read()
            if begins_card(begin):
                cards = _cards(base_name(path), begin, file)
                return [Scored(label(card.provenance["log"]), card) for card in cards]
        session = request.session(log, keep=1 if curves else 0)
        session.feed(begin)
        read_run([log], request, session, file)
    except LogError as error:
        raise UserError(str(error)) from error
    if not session.interpreter.detection or not session.interpreter.detection.name:
        raise UserError(f"{base_name(path)}: no known log format, and not a card")
    return [Scored.of(session, log if is_text else "", curves)]


def read_one(path: str, request: Request, curves: bool = False) -> Scored:
    """Reads one run, as `read_scored` does.

    Raises:
        UserError: The file cannot be read, is neither a log nor a card, or has several cards.
    """
    found = read_scored(path, request, curves)
    if len(found) != 1:
        raise UserError(f"{base_name(path)} holds {len(found)} cards, not one")
    return found[0]


def _cards(name: str, begin: bytes, file: LogFile) -> list[Card]:
    """Returns the cards of a file of which the beginning was read."""
    from sixdim.metrics.card.schema.card_json import CardError, card_from_json
    from sixdim.tui.base.untrusted_json import MOST_BYTES, UntrustedJsonError, loads

    text = bytearray(begin)
    while len(text) <= MOST_BYTES and (block := file.read()):
        text += block
    file.close()
    if len(text) > MOST_BYTES:
        raise UserError(f"{name} is too large for a card")
    try:
        data = loads(bytes(text))
        return [card_from_json(one) for one in (data if isinstance(data, list) else [data])]
    except (CardError, UntrustedJsonError) as error:
        raise UserError(f"{name} is not a whole sixdim card: {label(error, 80)}") from error
