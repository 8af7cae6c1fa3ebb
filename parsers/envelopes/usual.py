"""The envelopes that stand in front of one line after another."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from sixdim.parsers.envelopes.envelope import Envelope
from sixdim.parsers.envelopes.known import BY_FIRST, LEAST

_MOST = 5
"""Largest number of envelopes of one line."""


class Usual(NamedTuple):
    """The envelopes of a line, for further lines with the same ones.

    Attributes:
        of: The envelopes, outermost first.
        reads: For each, its match function, the envelope, and whether its facts count.
        tailed: Whether one of them has a tail.
    """

    of: tuple[Envelope, ...]
    reads: list[tuple[Callable[[str, int], re.Match[str] | None], Envelope, bool]]
    tailed: bool


@lru_cache(64)
def usual(envelopes: tuple[Envelope, ...] = (), *, timeless: bool = False) -> Usual:
    """Prepares the envelopes of a line, whose `has_facts` is known.

    Args:
        envelopes: Outermost first; none if further lines need the full search.
        timeless: Whether no clock in front of a line counts.
    """
    tailed = any(one.tail is not None for one in envelopes)
    have_facts = [one.has_facts and (one.names_writer or not timeless) for one in envelopes]
    begins = [one.expression.match for one in envelopes]
    return Usual(envelopes, [*zip(begins, envelopes, have_facts, strict=True)], tailed)


def skip_blanks(text: str, end: int) -> int:
    """Returns the position after any blanks that begin at a position."""
    if text[end : end + 1].isspace():
        return len(text) - len(text[end:].lstrip())
    return end


def envelopes_of(
    text: str, latest: list[Envelope], inferred: tuple[Envelope, ...]
) -> tuple[list[Envelope], list[re.Match[str]], int]:
    """Returns the envelopes in front of a text, their matches, and the position after.

    Args:
        text: The line.
        latest: The envelopes of the line before, which are tried first.
        inferred: Those inferred for the log.
    """
    found = latest
    matches: list[re.Match[str]] = []
    position = 0
    for envelope in found:
        match = envelope.expression.match(text, position)
        if match is None or (end := match.end()) == position:
            found = found[: len(matches)]
            break
        matches.append(match)
        position = end
        if text[position : position + 1].isspace():
            position = skip_blanks(text, position)
    while len(found) < _MOST:
        # Each inferred envelope stands in front of a line at most once.
        left = [one for one in inferred if one not in found] if inferred else ()
        if not left and text[position : position + 1] not in BY_FIRST:
            break
        one = _find(text, position, left)
        if one is None:
            break
        found = [*found, one[0]]
        matches.append(one[1])
        position = skip_blanks(text, one[1].end())
    return found, matches, position


def _find(
    text: str, position: int, inferred: Sequence[Envelope]
) -> tuple[Envelope, re.Match[str]] | None:
    """Returns the envelope at this position and its match, known ones first; None without one."""
    first = text[position : position + 1]
    if first in BY_FIRST and LEAST[first].match(text, position) is not None:
        for envelope in BY_FIRST[first]:
            found = envelope.expression.match(text, position)
            if found is not None and found.end() > position:
                return envelope, found
    for envelope in inferred:
        found = envelope.expression.match(text, position)
        if found is not None:
            return envelope, found
    return None


def without_tails(text: str, found: Sequence[Envelope]) -> str:
    """Returns a text without the tails of its envelopes."""
    for envelope in found:
        if envelope.tail is not None:
            text = text.rstrip()
            if envelope.tail_clue in text:
                text = envelope.tail.sub("", text)
    return text
