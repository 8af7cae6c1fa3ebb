"""Cuts lines at their numbers, and makes regular expressions for lines with other numbers."""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any, TypeAlias

from sixdim.parsers.events import Metric
from sixdim.parsers.text.patterns import pattern

_LONGEST_COUNT = 12
_NO_END = r"(?!\.|\s|\Z)"
"""After the dot of a number: a further dot makes an ellipsis, a blank the end of a sentence."""
_DIGITS = rf"(?:\d++(?:\.{_NO_END}\d*+)?|\.\d++)"
_EXPONENT = r"(?:[eE][-+]?\d++)?"
_THOUSANDS = r"(?!0)\d{1,3}(?:,\d{3})++(?![\d,])(?:\.\d++)?"
"""With a 0 in front, the comma is a decimal one: `0,908`."""
_NOT_FINITE = r"[-+]?(?i:nan|inf)(?![\w.])"
_AFTER = (
    r"(?:(?<![\w.%@^\u2212-])|(?<=[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3])|(?<=\b(?i:epoch))"
    r"|(?=\d)(?:(?<=\b(?i:batch))|(?<=\b(?i:iter|step)))|(?<=\A[Ee])(?=\d{1,3}(?!\d)))"
    r"(?<![Tt]op )"
)
"""A digit after a letter is no number except in `epoch12`, `iter30`, and in `E3` at the start of a
line; nor is 5 in `top 5 acc`.

After the minus sign U+2212 it would have the other sign, and after `^` it is an exponent.
"""
_OF_AN_OVERLAP = "".join(
    rf"(?<!{before}{least}:)"
    for before in ("@", "_", "AP", r"\[", r"\[IoU=")
    for least in (r"\.5", r"0\.5", r"0\.50")
) + "".join(
    f"(?<!{opens})" for opens in (r"@\[", "AP@IoU=", r"AP@\[IoU=", r"AP \(IoU=", r"AP\(IoU=")
)
"""The overlap in the name of a precision is no number: `mAP@0.5:0.95`, `mAP (IoU=0.5)`."""


def _cut(number: str, begins: str) -> re.Pattern[str]:
    """Makes the expression of a number with the blanks in front of it."""
    return pattern(f"( *+(?=[{begins}]){_AFTER}{_OF_AN_OVERLAP}{number})")


_NUMBERS = {
    True: f"[-+]?(?:{_THOUSANDS}|{_DIGITS}){_EXPONENT}",
    False: f"[-+]?{_DIGITS}{_EXPONENT}",
}
_CUT = {grouped: _cut(number, r"-+.\d") for grouped, number in _NUMBERS.items()}
_CUT_NOT_FINITE = {
    grouped: _cut(f"(?:{number}|{_NOT_FINITE})", r"-+.\dnNiI")
    for grouped, number in _NUMBERS.items()
}
"""Like `_CUT`, but also cuts at nan and infinity."""
_SHORT = (
    rf"[-+]?+(?:[0-9]{{1,18}}+(?:\.{_NO_END}[0-9]{{0,24}}+)?+|\.[0-9]{{1,24}}+)"
    r"(?:[eE][-+]?[0-9]{1,2}+)?+"
)
_SHORT_INTEGER = rf"(?>[0-9]{{1,18}}+(?![.eE])|{_SHORT})"
_SHORT_DECIMAL = rf"(?>[0-9]{{1,18}}+\.[0-9]{{1,24}}+(?![eE])|{_SHORT})"
"""Both match what `_SHORT` does: in two thirds of the time if that is such a number."""
_IS_INTEGER = pattern(r"[0-9]++\Z")
_IS_DECIMAL = pattern(r"[0-9]++\.[0-9]++\Z")
_OF_NUMBERS = tuple("-+.0123456789eE")
_CONVERTED = r"[-+.0-9eE]{1,40}+"
"""A number that `float` converts or refuses: matches in a third of the time of `_SHORT`."""
_GROUPED = r"[-+]?+(?!0)\d{1,3}(?:,\d{3}){1,4}+(?![\d,])(?:\.\d{1,18}+)?+"
_NO_GROUP = r"(?!,\d{3})"
_COUNT = rf"\d{{1,{_LONGEST_COUNT}}}+"
_GROUPED_COUNT = r"(?!0)\d{1,3}(?:,\d{3}){1,3}+(?![\d,]|\.\d)"
_NOT_FINITE_WORDS = ("nan", "inf", "NaN", "Inf")
DRAWN_BAR = "%|"
"""The text in front of the drawing of a progress bar."""
_STEPS = pattern(r"\| {0,8}+\d{1,12}+(?:\.\d{1,18}+)?+/\d")
_NAMED = pattern(r"(?i)\W(?:epoch|batch|iter|step)\Z")
_GLUED = pattern(r"[\w.%@^\u2212-]\Z")
_DIGIT = pattern(r"\d")
_DIGIT_RUN = pattern(r"\d+")
LONGEST = 4_000
_POINT = pattern(r"\d\.\d")
_COMMA = pattern(r"(?<=\d),(?=\d)")
_DECIMAL_COMMA = pattern(
    r"\d(?<![\w.,]\d)(?:(?<=0),\d{3,18}|\d{0,2},(?:\d{4,18}|\d{1,2}(?= ?%)))(?![\d,])"
)
"""A comma that divides no thousands, and is hardly one between two numbers.

It begins with a digit, as Python then skips all other characters in a tenth of the time.
"""
Numbers: TypeAlias = Sequence[Any]
"""The values of a line's figures (counts as `int`), then a None: the value at place `ABSENT`."""
_new = tuple.__new__


def cut(text: str, *, grouped: bool = True) -> list[str]:
    """Cuts a line into text and numbers in turn, text first and last; leaves out drawn bars.

    Args:
        text: The line.
        grouped: Whether a number may have its digits in groups (`1,234`).
    """
    text = text[:LONGEST]
    if DRAWN_BAR in text:
        begin, end = drawn(text)
        text = text[:begin] + text[end:]
    for word in _NOT_FINITE_WORDS:
        if word in text:
            return _CUT_NOT_FINITE[grouped].split(text)
    return _CUT[grouped].split(text)


def has_decimal_comma(text: str) -> bool:
    """Returns whether a line has a number such as `0,908`, and none with a point."""
    return _DECIMAL_COMMA.search(text) is not None and _POINT.search(text) is None


def with_points(text: str) -> str:
    """Returns a line of a log with decimal commas with points in their place."""
    return text if _POINT.search(text) else _COMMA.sub(".", text)


def has_number(text: str) -> bool:
    """Returns whether a line may have a number."""
    return _DIGIT.search(text) is not None or any(word in text for word in _NOT_FINITE_WORDS)


def hole(number: str, *, grouped: bool) -> str:
    """Returns the expression of the numbers that may take the place of this one.

    Each fits a double, and is not followed by a further part of a number.
    """
    if number[-1] in "nNfF":
        return _NOT_FINITE
    short = _short(number)
    return f"(?>{short}{_NO_GROUP}|{_GROUPED})" if grouped else short


def _short(number: str) -> str:
    """Returns the expression of numbers without groups, for one like this most of the time."""
    if _IS_DECIMAL.match(number):
        return _SHORT_DECIMAL
    return _SHORT_INTEGER if _IS_INTEGER.match(number) else _SHORT


def expression(
    text: str,
    counts: Collection[int],
    wanted: Collection[int],
    converted: Collection[int] = (),
    *,
    other_digits: bool = False,
) -> str | None:
    """Returns the expression of lines with the same text and other numbers.

    Args:
        text: The line.
        counts: Indices of the numbers that must be whole.
        wanted: Indices of the numbers that get a group.
        converted: Indices of the numbers that `float` converts; where it fails, no line of these.
        other_digits: Whether the lines may have other digits in their text, too: `epoch_12.pth`.

    Returns:
        An expression of whole lines that `cut` cuts in the same way; None if there is none.
    """
    parts = cut(text)
    fixed = [re.escape(part) for part in parts[::2]]
    if other_digits:
        fixed = [_DIGIT_RUN.sub(r"\\d++", part) for part in fixed]
    out = fixed[:1]
    around = zip(parts[:-2:2], parts[1::2], parts[2::2], fixed[1:], strict=True)
    for at, (before, number, after, rest) in enumerate(around):
        grouped = "," in number
        counted = _GROUPED_COUNT if grouped else _COUNT
        one = counted if at in counts else hole(number, grouped=grouped)
        if one == _short(number) and at in converted and not after.startswith(_OF_NUMBERS):
            one = _CONVERTED
        if after.startswith(","):
            one += _NO_GROUP
        out += [_blanks(before, at), f"({one})" if at in wanted else one, rest]
    if DRAWN_BAR in text:
        begin, end = drawn(text)
        if begin == end:
            return None  # with other numbers it might be drawn
        bar = re.escape(DRAWN_BAR)
        place = next(at for at, part in enumerate(out) if bar in part)
        out[place] = out[place].replace(bar, rf"{bar}[^|]*+(?={_STEPS.pattern})", 1)
    return "".join(out) + r"\Z"


def _blanks(before: str, at: int) -> str:
    """Returns the expression of the blanks between a text and a number; see `_AFTER`."""
    if before.lower().endswith("epoch"):
        named = _NAMED.search(before if at else f" {before}") is not None
        return " *+" if named else f" *+{_AFTER}"
    if before.endswith("op"):
        return " ++(?<![Tt]op )"
    if not at and before in ("E", "e"):
        return " *+"
    return " ++" if _GLUED.search(before) or (at and not before) else " *+"


def drawn(text: str) -> tuple[int, int]:
    """Returns where the drawing of a progress bar begins and ends: `50%|████    | 10/20`."""
    begin = text.index(DRAWN_BAR) + len(DRAWN_BAR)
    end = text.find("|", begin)
    return (begin, end) if end >= 0 and _STEPS.match(text, end) else (begin, begin)


def is_count(number: str) -> bool:
    """Returns whether a number that `cut` cut is whole, as that of an epoch or a step."""
    digits = number.lstrip(" ").replace(",", "")
    return digits.isdecimal() and len(digits) <= _LONGEST_COUNT


def metrics_at(figures: Iterable[tuple[int, Metric]], numbers: Numbers) -> tuple[Metric, ...]:
    """Returns the metrics with the numbers at their places, without metrics that have no number."""
    return tuple(
        [
            _new(Metric, (name, numbers[place], unit, higher))
            for place, (name, _, unit, higher) in figures
            if numbers[place] is not None
        ]
    )
