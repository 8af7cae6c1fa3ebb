"""The known name that a mistyped word is nearest to."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 60
_SHORTEST = 3
"""A shorter word is no misspelling: two letters are near to too many names."""
_LETTERS_PER_MISTAKE = 4
_MOST_MISTAKES = 3


def nearest(word: str, known: Iterable[str]) -> str:
    """Returns the one known name that a word may be a misspelling of; empty where there is none.

    A mistake is a letter that is missing, too many or wrong, or two neighbours that are swapped. A
    word may have one of them, from eight letters on two and from twelve on three. The beginning of
    a name is near, too, if no other name begins so. Capitals and the dashes before a flag make no
    difference. A name with other digits is another name: acc5 is no misspelling of acc1.
    """
    word = _bare(word)[: _LONGEST + 1]
    if not _SHORTEST <= len(word) <= _LONGEST:
        return ""
    names = {_bare(name): name for name in known}
    most = min(max(1, len(word) // _LETTERS_PER_MISTAKE), _MOST_MISTAKES)
    near = [
        (mistakes, bare)
        for bare in names
        if _same_digits(word, bare)
        and abs(len(bare) - len(word)) <= most
        and (mistakes := _mistakes(word, bare)) <= most
    ]
    if near:
        return names[min(near, key=lambda found: found[0])[1]]
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


def _mistakes(one: str, other: str) -> int:
    """Returns the edit distance of two words, in which swapping two neighbours counts once."""
    two_above: list[int] = []
    above = list(range(len(other) + 1))
    for i, letter in enumerate(one):
        row = [i + 1]
        for j, against in enumerate(other):
            cost = min(above[j] + (letter != against), above[j + 1] + 1, row[j] + 1)
            if i and j and letter == other[j - 1] and one[i - 1] == against:
                cost = min(cost, two_above[j - 1] + 1)
            row.append(cost)
        two_above, above = above, row
    return above[-1]
