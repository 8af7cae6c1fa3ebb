"""A shape of lines: a regular expression whose named groups are the fields."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from sixdim.parsers.grammar.shapes.shape import Broken, Fields, Unanchored


class Expression(Unanchored):
    """The lines that an expression matches as a whole.

    Args:
        expression: It has a named group for each field; its quantifiers are possessive or bounded.
        clue: See `Shape.clue`.
        anchor: See `Shape.anchor`.
        values: Functions that convert the texts of groups, by the groups' names; a text for which
            one raises a ValueError is a broken number.
    """

    def __init__(
        self,
        expression: re.Pattern[str],
        clue: str,
        anchor: str = "",
        **values: Callable[[str], Any],
    ) -> None:
        self.clue, self.anchor = clue, anchor
        self._expression, self._values = expression, values

    def match(self, text: str) -> Fields | Broken | None:
        """See `Shape.match`."""
        found = self._expression.fullmatch(text.rstrip())
        if found is None:
            return None
        fields: dict[str, Any] = found.groupdict()
        for name, value in self._values.items():
            try:
                fields[name] = value(fields[name])
            except ValueError:
                return Broken(name, fields[name][:40])
        return fields
