"""Reads a file that is either a log or a card."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sixdim.parsers.input.source import LogError, LogFile, base_name
from sixdim.tui.base.card_file import begins_card
from sixdim.tui.base.errors import UserError

if TYPE_CHECKING:
    from sixdim.tui.session.session import Session


def log_or_card(path: str, begin: Callable[[], Session]) -> Session | bytes:
    """Reads a whole log into a session, or returns the bytes of a card file.

    Args:
        path: The file.
        begin: Makes the session; called only for a log.

    Raises:
        UserError: The file cannot be read, is too large for a card, or is neither.
    """
    name = base_name(path)
    try:
        log = LogFile(path)
        first = log.read()
        if begins_card(first):
            return _whole(name, first, log)
        session = begin()
        session.feed(first)
        session.read(log)
    except LogError as error:
        raise UserError(str(error)) from error
    if not session.interpreter.detection or not session.interpreter.detection.name:
        raise UserError(f"{name}: no known log format, and not a card")
    return session


def _whole(name: str, first: bytes, log: LogFile) -> bytes:
    from sixdim.tui.base.foreign_json import MOST_BYTES  # loads json, which a log does not need

    whole = bytearray(first)
    while block := log.read():
        whole += block
        if len(whole) > MOST_BYTES:
            raise UserError(f"{name} is too large for a card")
    return bytes(whole)
