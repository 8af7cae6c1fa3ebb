"""The query of a search: a text, or a regular expression between slashes."""

import re
from typing import NamedTuple

LONGEST = 1000
"""The most characters of a pattern."""
_ESCAPED = re.compile(r"\\.")


class BadPatternError(Exception):
    """An invalid pattern; the message is one line."""


class Query(NamedTuple):
    """The patterns as typed; empty for none.

    Attributes:
        only: The pattern of displayed lines.
        wanted: The pattern that is searched among these.
    """

    only: str = ""
    wanted: str = ""


class Pattern(NamedTuple):
    """A pattern that rows are compared with.

    Attributes:
        expression: The regular expression.
        needle: A text that every match contains; empty if unknown.
        ignores_case: Whether upper and lower case are alike.
    """

    expression: re.Pattern[str]
    needle: str
    ignores_case: bool

    def finds(self, row: str) -> bool:
        """Returns whether a row has a match."""
        return self.expression.search(row) is not None

    def may_be_in(self, text: str) -> bool:
        """Returns whether a text of several rows may have a match."""
        return self.needle in (text.lower() if self.ignores_case else text)


def parse(typed: str) -> Pattern | None:
    """Returns the pattern of a text, or of `/an expression/`; None for an empty text.

    Upper and lower case are alike, unless the text has a capital letter.

    Raises:
        BadPatternError: The pattern is too long, or not a regular expression.
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
