"""The unit that stands behind a number."""

from __future__ import annotations

from sixdim.parsers.grammar.line_parts import name_before
from sixdim.parsers.grammar.names import meaning
from sixdim.parsers.grammar.rates import DEVICE, is_unit, rate_unit
from sixdim.parsers.text.patterns import pattern

UNIT = pattern(
    r" ?([kKM]? ?[A-Za-z]{1,12} ?/ ?[A-Za-z]{1,9})(?:(" + DEVICE + r")(?!\w)|(?![\w/]))"
    r"|(%|[A-Za-z]{1,12})(?![\w/])"
    r"| (%|ms|s|secs?|seconds?|mins?|minutes|fps|[kKM])(?![\w/])"
)
_THOUSANDS = {"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9}


def unit_behind(gap: str, after: str, last: bool) -> tuple[str, float, bool, int]:
    """The unit behind a number, its thousands, whether it is a device's, where it ends.

    Args:
        gap: The text in front of the number.
        after: The text behind it.
        last: Whether no number follows.
    """
    found = UNIT.match(after)
    if found is None:
        return "", 1.0, False, 0
    follows = after[found.end() :].strip(" \t") if not last else None
    if follows in (":", "=") and "%" not in found[0]:
        return "", 1.0, False, 0  # `frame= 840 fps= 33`: the name of the next
    if not found[1]:
        scale = _THOUSANDS.get(found[0].lstrip())  # `tokens/s=12.9k`
        if scale is not None:
            return "", scale, False, found.end()
        return (found[3] or found[4]).lower(), 1.0, False, found.end()
    unit, scale = found[1].replace(" ", ""), 1.0
    if not is_unit(unit.lower()) and unit[0] in _THOUSANDS:
        unit, scale = unit[1:], _THOUSANDS[unit[0]]
    unit = unit.lower()
    if not is_unit(unit):
        return "", 1.0, False, 0
    if rate_unit(unit) and not found[2] and follows == "":
        name = name_before(gap)
        own = meaning(name, "", True)
        if meaning(name, unit, True) is None or (own is not None and own.role != "rate"):
            return "", 1.0, False, 0  # `loss 1.5 tok/s 250`: the name of the next
    return unit, scale, found[2] is not None, found.end()
