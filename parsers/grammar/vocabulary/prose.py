"""Reads figures in sentences: `Accuracy of the network on the 10000 test images: 55 %`."""

from __future__ import annotations

from collections.abc import Sequence

from sixdim.parsers.grammar.vocabulary.named import Named
from sixdim.parsers.grammar.vocabulary.names import EVALUATED, TRAINED, meaning
from sixdim.parsers.grammar.vocabulary.words import words, words_of
from sixdim.parsers.text.patterns import pattern

_CUTS = pattern(r"[,;|\[\]{}<>]|\s-\s|:\s|\t|\s{2,}|\.\s")
_BEGINS = words("of on for at after in over")
_BEGIN = pattern(r"(?i)\b(?:of|on|for|at|after|in|over)\b")
_OF_WHAT = (
    _BEGINS
    | EVALUATED
    | TRAINED
    | words("the our this a one is was all entire whole set dataset data batch epoch epochs step")
    | words("steps iteration iterations network net model classifier image images sample samples")
    | words("example examples sentence sentences sequence sequences")
)
"""Words for a figure's model, data or time; a figure of one class has other words."""
_LONGEST = 200


def named_in(between: Sequence[str], unit: str) -> Named | None:
    """Returns the loss or quality that the text before a number names; None if that is uncertain.

    Args:
        between: The texts around the numbers before it; the last is in front of the number itself.
        unit: The unit after the number.
    """
    text = " 0".join(between)[-_LONGEST:].rstrip(" \t:=~\"'")
    clause = _CUTS.split(text)[-1]
    begin = _BEGIN.search(clause)
    if begin is None:
        return None
    about = frozenset(words_of(clause[begin.start() :]))
    if not about <= _OF_WHAT or about <= _BEGINS:
        return None
    found = meaning(clause[: begin.start()].strip(), unit, False)
    if found is None or found.role not in ("loss", "quality"):
        return None
    split = "eval" if about & EVALUATED else "train" if about & TRAINED else found.split
    return found._replace(split=split)
