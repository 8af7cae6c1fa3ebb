"""The known name that a mistyped word is nearest to."""

from collections.abc import Iterable

_SHORTEST, _LONGEST = 3, 60
"""A shorter word is no misspelling: two letters are near to too many names."""
_ALIKE = 0.75
"""Share of the letters that a name and its misspelling have in common, in their order."""


def nearest(word: str, known: Iterable[str]) -> str:
    """Returns the one known name that a word may be a misspelling of; empty where there is none.

    The beginning of a name is near, too, if no other name begins so. Capitals and the dashes before
    a flag make no difference. A name with other digits is another name: acc5 is no misspelling of
    acc1.
    """
    from difflib import get_close_matches  # for wrong words alone

    word = _bare(word)
    if not _SHORTEST <= len(word) <= _LONGEST:
        return ""
    names = {_bare(name): name for name in known}
    same = [bare for bare in names if _same_digits(word, bare)]
    near = get_close_matches(word, same, 1, _ALIKE)
    if near:
        return names[near[0]]
    begun = [name for bare, name in names.items() if bare.startswith(word)]
    return begun[0] if len(begun) == 1 else ""


def did_you_mean(word: str, known: Iterable[str], otherwise: str) -> str:
    """Returns `did you mean score?`, or `otherwise` where no known name is near."""
    name = nearest(word, known)
    return f"did you mean {name}?" if name else otherwise


def _bare(name: str) -> str:
    return name.lower().lstrip("-")


def _same_digits(one: str, other: str) -> bool:
    """Returns whether two names have the same digits, or one of them has none."""
    digits = ["".join(filter(str.isdigit, name)) for name in (one, other)]
    return not all(digits) or digits[0] == digits[1]
