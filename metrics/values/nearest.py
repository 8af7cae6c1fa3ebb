"""The known name that a mistyped one is nearest to."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 60
_ALIKE = 0.6
"""Share of two words that must agree (`difflib.SequenceMatcher.ratio`)."""


def nearest(word: str, known: Iterable[str]) -> str:
    """The name among those known that is most like a word; empty where none is like it.

    Capitals and the dashes of a flag make no difference.
    """
    from difflib import get_close_matches

    bare = {name.lower().lstrip("-"): name for name in known}
    found = get_close_matches(word[:_LONGEST].lower().lstrip("-"), bare, 1, _ALIKE)
    return bare[found[0]] if found else ""


def did_you_mean(word: str, known: Iterable[str], otherwise: str) -> str:
    """`did you mean score?`, or what to say where no known name is near."""
    name = nearest(word, known)
    return f"did you mean {name}?" if name else otherwise
