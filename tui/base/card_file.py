"""Telling a card from a log, by how the file begins."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sixdim.metrics.values.card import MARK
from sixdim.parsers.input.source import base_name
from sixdim.tui.base.errors import UserError

_HEAD = 200
"""Bytes of a file in which a card's mark stands."""


def begins_card(first: bytes) -> bool:
    """Whether these are the first bytes of a card, or of an array of cards."""
    return first.lstrip()[:1] in (b"{", b"[") and MARK in first[:_HEAD]


def is_card(path: str) -> bool:
    """Whether a file holds cards; False for what is no file."""
    file = Path(path)
    try:
        if not file.is_file():  # a pipe would wait
            return False
        with file.open("rb") as stream:
            return begins_card(stream.read(_HEAD))
    except (OSError, ValueError):
        return False


def refuse_cards(paths: Iterable[str]) -> None:
    """Says of a card that it is no log.

    Raises:
        UserError: One of the files is a card.
    """
    for path in paths:
        if is_card(path):
            name = base_name(path)
            raise UserError(f"{name} is a card, not a log: sixdim score {name} shows it")
