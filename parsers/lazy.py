"""Regular expressions that cost nothing until a line needs them: start-up time counts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property


class Pattern:
    """A regular expression compiled when it is first asked.

    Args:
        source: As for `re.compile`.
    """

    def __init__(self, source: str) -> None:
        self._source = source

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self._source)

    @property
    def groupindex(self) -> Mapping[str, int]:
        """Names of the groups."""
        return self._compiled.groupindex

    def match(self, text: str, position: int = 0) -> re.Match[str] | None:
        """As `re.Pattern.match`."""
        return self._compiled.match(text, position)
