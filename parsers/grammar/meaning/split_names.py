"""Reads a name shared by the figures of several splits: `Train / Test accuracy: 0.89 / 0.78`."""

from __future__ import annotations

from collections.abc import Sequence

from sixdim.parsers.grammar.meaning.line_parts import CUTS
from sixdim.parsers.grammar.vocabulary.names import EVALUATED, TRAINED
from sixdim.parsers.grammar.vocabulary.words import words_of
from sixdim.parsers.text.patterns import pattern

_BETWEEN = pattern(r"\s{0,2}(?:[/|,&]|\band\b)\s{0,2}")
_NUMBERS = pattern(r"%?\s{0,2}(?:[/|,&]|and)\s{0,2}")
_SPLITS = EVALUATED | TRAINED
_MOST = 8
"""Most numbers that may share a name; a longer list of numbers is not of splits of the data."""


def names_by_split(between: Sequence[str], at: int) -> tuple[str, ...]:
    """Returns the names of consecutive numbers, each of another split of the data.

    Args:
        between: The text between the numbers of a line.
        at: Index of the first of the numbers.

    Returns:
        A name for each of the consecutive numbers; none if the text has more or fewer splits.
    """
    end, most = at + 1, min(at + _MOST + 1, len(between) - 1)
    while end < most and _NUMBERS.fullmatch(between[end]):
        end += 1
    if not at + 1 < end <= at + _MOST:
        return ()
    body = between[at].rstrip(" \t:=")
    if body.endswith(")"):
        body = " ".join(body[:-1].replace("(", " ").split())
    splits, figures = list[str](), list[str]()
    for piece in reversed(_BETWEEN.split(body)):
        said = words_of(CUTS.split(piece)[-1])
        found = [word for word in said if word in _SPLITS]
        if len(found) != 1:
            break
        splits.insert(0, found[0])
        figures.insert(0, " ".join(word for word in said if word not in _SPLITS))
    if len(splits) != end - at or len(set(splits)) != len(splits):
        return ()
    # The figure's name stands beside the first or the last split, or beside each.
    shared = {name for name in figures if name}
    if len(shared) != 1 or not (figures[0] or figures[-1]):
        return ()
    return tuple(f"{split} {name}" for split in splits for name in shared)
