"""Finds the unit that stands after a number."""

from __future__ import annotations

from sixdim.parsers.grammar.meaning.line_parts import name_before, names_the_next
from sixdim.parsers.grammar.vocabulary.rates import DEVICE, PER, TIMES, is_unit
from sixdim.parsers.grammar.vocabulary.words import words_of
from sixdim.parsers.text.patterns import pattern

UNIT = pattern(
    r" ?(?:(?:total|effective|training) )?+([kKM]? ?[A-Za-z]{1,12}(?: ?/ ?[A-Za-z]{1,9}| per "
    + PER
    + r"))"
    r"(?:(" + DEVICE + r")(?!\w)|(?![\w/]))"
    r"|(%|[A-Za-z]{1,12})(?![\w/])"
    r"| (%|ms|s|secs?|seconds?|m|mins?|minutes|h|hrs?|hours|fps|[kKM])(?![\w/]|-\w)"
)
_IN_BRACKETS = pattern(r" ?[\[(]([a-z]{1,12}(?:/[a-z]{1,9})?)[\])]")
_NO_UNIT = ("", 1.0, False, 0)
_THOUSANDS = {"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9}


def unit_after(gap: str, after: str, last: bool) -> tuple[str, float, bool, int]:
    """Returns a number's unit, the factor of `k` or `M`, whether it is per device, and its end.

    Args:
        gap: The text in front of the number.
        after: The text after it.
        last: Whether no number follows.
    """
    inside = _IN_BRACKETS.match(after)
    if inside is not None and (inside[1] in TIMES or is_unit(inside[1])):
        return inside[1], 1.0, False, inside.end()  # `Speed: 169.7[samples/s]`
    found = UNIT.match(after)
    if found is None:
        return _NO_UNIT
    follows = None if last else after[found.end() :].strip(" \t")
    if follows in (":", "=") and "%" not in found[0]:
        return _NO_UNIT  # `frame= 840 fps= 33`: the name of the next
    scale = 1.0
    if found[1]:
        unit = found[1].replace(" per ", "/").replace(" ", "")
        if not is_unit(unit.lower()) and unit[0] in _THOUSANDS:
            unit, scale = unit[1:], _THOUSANDS[unit[0]]
        if not is_unit(unit.lower()):
            return _NO_UNIT
    else:
        unit, thousands = found[3] or found[4], _THOUSANDS.get(found[0].lstrip())
        if thousands is not None:  # `tokens/s=12.9k`
            return "", thousands, False, found.end()
    unit = unit.lower()
    if follows and follows[-1] in ":=" and unit in words_of(name_before(gap)):
        return _NO_UNIT  # `fps step: 1345 fps total: 965`: its name says the unit
    ends = follows == "" and not found[2] and is_unit(unit)
    if ends and names_the_next(name_before(gap), unit):
        return _NO_UNIT
    return unit, scale, found[2] is not None, found.end()
