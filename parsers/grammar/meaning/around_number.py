"""Reads the text around a number: its unit, the data that it is of, and whether it is a figure."""

from collections.abc import Sequence

from sixdim.parsers.grammar.meaning.line_parts import CUTS, name_before, names_the_next
from sixdim.parsers.grammar.vocabulary.named import Named
from sixdim.parsers.grammar.vocabulary.names import EVALUATED, TRAINED, meaning
from sixdim.parsers.grammar.vocabulary.units import DEVICE, PER, TIMES, is_unit
from sixdim.parsers.grammar.vocabulary.words import words, words_of
from sixdim.parsers.text.patterns import pattern

UNIT = pattern(
    r" ?(?:(?:total|effective|training) )?+([kKM]? ?[A-Za-z]{1,12}(?: ?/ ?[A-Za-z]{1,9}| per "
    + PER
    + r"))"
    r"(?:(" + DEVICE + r")(?!\w)|(?![\w/]))"
    r"|(%|[A-Za-z]{1,12})(?![\w/])"
    r"| (%|dB|ms|s|secs?|seconds?|m|mins?|minutes|h|hrs?|hours|fps|[kKM])(?![\w/]|-\w)"
)
_IN_BRACKETS = pattern(r" ?[\[(]([a-z]{1,12}(?:/[a-z]{1,9})?|dB)[\])]")
_NO_UNIT = ("", 1.0, False, 0)
_THOUSANDS = {"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9}
_DEVIATION = pattern(r"\s*+%?\s*+(?:±|\+/-?)")
_INSIDE_NUMBERS = frozenset(",'’*×·\u00a0\u2009\u202f")
"""What stands between two parts of one number; the last three are blanks."""
_GROUPS = pattern(r"\d{1,3} \d{3}(?:\.\d++)?")
_BETWEEN = pattern(r"\s{0,2}(?:[/|,&]|\band\b)\s{0,2}")
_NUMBERS = pattern(r"%?\s{0,2}(?:[/|,&]|and)\s{0,2}")
_SPLITS = EVALUATED | TRAINED
_MOST_SPLITS = 8
"""Most numbers that may share a name; a longer list of numbers is not of splits of the data."""
_CLAUSES = pattern(r"[,;|\[\]{}<>]|\s-\s|:\s|\t|\s{2,}|\.\s")
_BEGINS = words("of on for at after in over")
_BEGIN = pattern(r"(?i)\b(?:of|on|for|at|after|in|over)\b")
_OF_WHAT = (
    _BEGINS
    | _SPLITS
    | words("the our this a one is was all entire whole set dataset data batch epoch epochs step")
    | words("steps iteration iterations network net model classifier image images sample samples")
    | words("example examples sentence sentences sequence sequences")
)
"""Words for a figure's model, data or time; a figure of one class has other words."""
_LONGEST_CLAUSE = 200


def unit_after(gap: str, after: str, last: bool) -> tuple[str, float, bool, int]:
    """Returns a number's unit, the factor of `k` or `M`, whether it is per device, and its end.

    Args:
        gap: The text in front of the number.
        after: The text after it.
        last: Whether no number follows.
    """
    inside = _IN_BRACKETS.match(after)
    if inside is not None and (inside[1] in TIMES or is_unit(inside[1]) or inside[1] == "dB"):
        return inside[1].lower(), 1.0, False, inside.end()  # `Speed: 169.7[samples/s]`
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


def is_piece(between: Sequence[str], numbers: Sequence[str], at: int) -> bool:
    """Whether a number is part of one in another notation or of a name: `97,36`, `batch64_lr1`.

    The deviation of a figure (`0.88±0.05 img/s`) is no figure either.
    """
    gap, after = between[at], between[at + 1]
    return (
        after[:1] == "_" or _DEVIATION.fullmatch(gap) is not None or _splits(between, numbers, at)
    )


def is_group(between: Sequence[str], numbers: Sequence[str], at: int) -> bool:
    """Returns whether a blank stands between a number and another group of its digits.

    An example is `1 234.5`.
    """
    return any(
        not between[first + 1]
        and _GROUPS.fullmatch("".join(numbers[first : first + 2]).lstrip()) is not None
        for first in range(max(at - 1, 0), at + 1)
    )


def _splits(between: Sequence[str], numbers: Sequence[str], at: int) -> bool:
    """Whether a number is part of one with groups of digits, a decimal comma or a power of ten.

    `1'234`, `1,23,450.5`, `97,36`, `7.7×10^-1`: groups of three with commas were cut as one.
    """
    for first in (at - 1, at):
        pair = numbers[max(first, 0) : first + 2]
        if len(pair) < 2 or not pair[1][0].isdigit():
            continue
        mark = between[first + 1]
        listed = mark == "," and "." in pair[1] and "," not in pair[1]
        if mark in _INSIDE_NUMBERS and not listed:
            return True
    return False


def names_by_split(between: Sequence[str], at: int) -> tuple[str, ...]:
    """Returns the names of consecutive numbers, each of another split of the data.

    Args:
        between: The text between the numbers of a line.
        at: Index of the first of the numbers.

    Returns:
        A name for each of the consecutive numbers; none if the text has more or fewer splits.
    """
    end, most = at + 1, min(at + _MOST_SPLITS + 1, len(between) - 1)
    while end < most and _NUMBERS.fullmatch(between[end]):
        end += 1
    if not at + 1 < end <= at + _MOST_SPLITS:
        return ()
    body = between[at].rstrip(" \t:=")
    if body.endswith((")", "]")):
        body = " ".join(body[:-1].replace("(", " ").replace("[", " ").split())
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


def named_in(between: Sequence[str], unit: str) -> Named | None:
    """Returns the loss or quality that the text before a number names; None if that is uncertain.

    Args:
        between: The texts around the numbers before it; the last is in front of the number itself.
        unit: The unit after the number.
    """
    text = " 0".join(between)[-_LONGEST_CLAUSE:].rstrip(" \t:=~\"'")
    clause = _CLAUSES.split(text)[-1]
    begin = _BEGIN.search(clause)
    if begin is None:
        return None
    about = frozenset(words_of(clause[begin.start() :]))
    if not about <= _OF_WHAT or about <= _BEGINS:
        return None
    name = clause[: begin.start()].strip()
    if name.lower() in ("cost", "score") and begin[0].lower() in ("after", "at") and not unit:
        # `Cost after iteration 100: 0.69`, `Score at iteration 100 is 0.69` (DL4J); that of or
        # for an epoch may be a time.
        name = "loss"
    found = meaning(name, unit, False)
    if found is None or found.role not in ("loss", "quality"):
        return None
    split = "eval" if about & EVALUATED else "train" if about & TRAINED else found.split
    return found._replace(split=split)
