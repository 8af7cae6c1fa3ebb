"""Reads a file that is either a log or a card."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sixdim.parsers.input.source import LogError, LogFile, base_name
from sixdim.parsers.text.lines import label
from sixdim.tui.base.card_file import begins_card
from sixdim.tui.base.errors import UserError

if TYPE_CHECKING:
    from sixdim.metrics.values.card import Card
    from sixdim.tui.session.session import Session


def log_or_card(path: str, begin: Callable[[], Session]) -> Session | list[Card]:
    """Reads a log into the session that `begin` makes, or returns the cards of a file.

    Raises:
        UserError: The file cannot be read, or is neither a log nor a card.
    """
    name = base_name(path)
    try:
        log = LogFile(path)
        first = log.read()
        if begins_card(first):
            return _cards(name, _whole(name, first, log))
        session = begin()
        session.feed(first)
        session.read(log)
    except LogError as error:
        raise UserError(str(error)) from error
    if not session.interpreter.detection or not session.interpreter.detection.name:
        raise UserError(f"{name}: no known log format, and not a card")
    return session


def _cards(name: str, text: bytes) -> list[Card]:
    from sixdim.metrics.card.schema.card_json import CardError, card_from_json
    from sixdim.tui.base.untrusted_json import UntrustedJsonError, loads

    try:
        data = loads(text)
        return [card_from_json(one) for one in (data if isinstance(data, list) else [data])]
    except (CardError, UntrustedJsonError) as error:
        raise UserError(f"{name} is not a whole sixdim card: {label(error, 80)}") from error


def _whole(name: str, first: bytes, log: LogFile) -> bytes:
    from sixdim.tui.base.untrusted_json import MOST_BYTES  # loads json, which a log does not need

    whole = bytearray(first)
    while block := log.read():
        whole += block
        if len(whole) > MOST_BYTES:
            raise UserError(f"{name} is too large for a card")
    return bytes(whole)
