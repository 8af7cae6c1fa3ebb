"""What is searched in a log: a text as it stands, or an expression between slashes."""

from __future__ import annotations

import re
from typing import NamedTuple

LONGEST = 1000
"""Characters of a pattern."""
_ESCAPED = re.compile(r"\\.")


class BadPatternError(Exception):
    """A pattern that is none; the message is one line."""


class Query(NamedTuple):
    """Patterns as they were typed; empty for none.

    Attributes:
        only: What a line must hold to be displayed.
        wanted: What is searched among these.
    """

    only: str = ""
    wanted: str = ""


class Pattern(NamedTuple):
    """A pattern that rows are compared with.

    Attributes:
        expression: What finds it.
        needle: A text that stands in every text that holds it; empty where that is not known.
        ignores_case: Whether the needle may stand there in any case.
    """

    expression: re.Pattern[str]
    needle: str
    ignores_case: bool

    def finds(self, row: str) -> bool:
        """Whether a row holds it."""
        return self.expression.search(row) is not None

    def may_be_in(self, text: str) -> bool:
        """Whether one of several rows may hold it."""
        return self.needle in (text.lower() if self.ignores_case else text)


def parse(typed: str) -> Pattern | None:
    """The pattern of a text, or of `/an expression/`; None for nothing.

    Without a capital letter it is found in any case, with one as it is written.

    Raises:
        BadPatternError: It is too long, or no expression.
    """
    if not typed:
        return None
    if len(typed) > LONGEST:
        raise BadPatternError(f"the pattern is too long: {len(typed)} characters")
    if len(typed) < 3 or not typed.startswith("/") or not typed.endswith("/"):
        ignores = typed == typed.lower()
        flags = re.IGNORECASE if ignores else 0
        needle = typed.lower() if ignores else typed
        return Pattern(re.compile(re.escape(typed), flags), needle, ignores)
    expression = typed[1:-1]
    letters = _ESCAPED.sub("", expression)
    ignores = letters == letters.lower()
    try:
        compiled = re.compile(expression, re.IGNORECASE if ignores else 0)
    except (re.error, OverflowError, RecursionError, ValueError) as error:
        raise BadPatternError(f"not an expression: {error}") from error
    return Pattern(compiled, "", ignores)
