"""Regular expressions that cost nothing until a line needs them: start-up time counts."""

from __future__ import annotations

import re
from itertools import groupby
from operator import itemgetter
from typing import Any, AnyStr, cast


def pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As `re.compile`, but compiled when it is first asked for anything."""
    return cast("re.Pattern[AnyStr]", LazyPattern(source, flags))


def one_of(*texts: str) -> re.Pattern[str]:
    """Returns a pattern that finds any of some texts, much faster than a search for each."""
    begun = groupby(sorted(texts), itemgetter(0))  # a choice by the first character is quick
    rests = ((first, "|".join(re.escape(text[1:]) for text in same)) for first, same in begun)
    return pattern("|".join(f"{re.escape(first)}(?:{rest})" for first, rest in rests))


class LazyPattern:
    """Compiles a pattern when an attribute is first asked for, and stores that attribute."""

    def __init__(self, source: Any, flags: int) -> None:
        self._how = source, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(*self._how), name)
        setattr(self, name, found)
        return found
