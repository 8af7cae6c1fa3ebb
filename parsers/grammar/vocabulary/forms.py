"""Forms of lines: the text around the numbers, by which the meaning of each number is known.

A log prints few forms again and again. The meaning of the numbers is worked out once for each form,
from the text between them and from which of them are whole; further lines are only cut.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from sixdim.parsers.events import Metric
from sixdim.parsers.grammar.vocabulary.names import Named
from sixdim.parsers.text.patterns import pattern

_LONGEST_COUNT = 12
_DIGITS = r"(?:\d++(?:\.(?!\.)\d*+)?|\.\d++)"
"""Three dots behind a number are an ellipsis: `Epoch 3...`."""
_EXPONENT = r"(?:[eE][-+]?\d++)?"
_THOUSANDS = r"\d{1,3}(?:,\d{3})++(?![\d,])(?:\.\d++)?"
_NOT_FINITE = r"[-+]?(?i:nan|inf)(?![\w.])"
_BEHIND = r"(?:(?<![\w.%@-])|(?<=[\u4e00-\u9fff])|(?<=\b(?i:epoch)))(?<![Tt]op )"
"""A digit behind a letter is no number except in `epoch12`; neither is the 5 of `top 5 acc`."""


def _cut(number: str, begins: str) -> re.Pattern[str]:
    """The expression of a number with the blanks in front of it."""
    return pattern(f"( *+(?=[{begins}]){_BEHIND}{number})")


_NUMBERS = {
    True: f"[-+]?(?:{_THOUSANDS}|{_DIGITS}){_EXPONENT}",
    False: f"[-+]?{_DIGITS}{_EXPONENT}",
}
_CUT = {grouped: _cut(number, r"-+.\d") for grouped, number in _NUMBERS.items()}
_CUT_NOT_FINITE = {
    grouped: _cut(f"(?:{number}|{_NOT_FINITE})", r"-+.\dnNiI")
    for grouped, number in _NUMBERS.items()
}
"""The same, and nan and infinity."""
_SHORT = r"[-+]?+(?:[0-9]{1,18}+(?:\.[0-9]{0,24}+)?+|\.[0-9]{1,24}+)(?:[eE][-+]?[0-9]{1,2}+)?+"
_OF_NUMBERS = tuple("-+.0123456789eE")
_CONVERTED = r"[-+.0-9eE]{1,40}+"
"""What `float` converts, or refuses: a third of the time that the expression above takes."""
_GROUPED = r"[-+]?+\d{1,3}(?:,\d{3}){1,4}+(?![\d,])(?:\.\d{1,18}+)?+"
_NO_GROUP = r"(?!,\d{3})"
_COUNT = rf"\d{{1,{_LONGEST_COUNT}}}+"
_NOT_FINITE_WORDS = ("nan", "inf", "NaN", "Inf")
DRAWN_BAR = "%|"
"""What stands in front of the drawing of a progress bar."""
_STEPS = pattern(r"\| {0,8}+\d{1,12}+/\d")
_NAMED = pattern(r"(?i)\Wepoch\Z")
_GLUED = pattern(r"[\w.%@-]\Z")
_DIGIT = pattern(r"\d")
LONGEST = 4_000
Numbers: TypeAlias = Sequence[Any]
"""The values of a line's figures, counts as `int`, and a last None: the value of absent ones."""
_new = tuple.__new__
_LONGEST_NUMBER = 50


class Hole(NamedTuple):
    """A number of a form that has a meaning.

    Attributes:
        at: Which number of the line it is.
        named: What it is; its value is not set.
        of_all: Which number it is divided by, for a share in percent; -1 for none.
        counts: Whether it is a whole number.
    """

    at: int
    named: Named
    of_all: int = -1
    counts: bool = False

    @property
    def convert(self) -> Callable[[str], float | None]:
        """The function that converts a number without groups of digits."""
        if self.counts:
            return _rounded(self.named.scale) if self.named.unit else int
        return conversion(self.named)

    def value(self, numbers: Sequence[str]) -> float | None:
        """The value in a line with these numbers; None where it cannot be valid."""
        raw = numbers[self.at]
        if self.of_all >= 0:
            return share(raw, numbers[self.of_all])
        return None if len(raw) > _LONGEST_NUMBER else self.convert(raw.replace(",", ""))


def share(part: str, whole: str) -> float | None:
    """The first of two numbers in percent of the second; None where it is more."""
    some, of_all = float(part), float(whole)
    return 100 * some / of_all if some <= of_all and of_all else None


def conversion(named: Named) -> Callable[[str], float | None]:
    """The function that converts a figure; it returns None for a rate of 0, or in a time of 0."""
    scale = named.scale
    if named.inverse:
        return lambda raw: 1 / (float(raw) * scale) if float(raw) > 0 else None
    if named.role == "rate":
        return lambda raw: float(raw) * scale or None
    return float if scale == 1 else lambda raw: float(raw) * scale


def _rounded(scale: float) -> Callable[[str], int | None]:
    """The function that converts a count printed in thousands."""

    def convert(raw: str) -> int | None:
        value = float(raw) * scale
        return round(value) if 0 <= value < 1e12 else None

    return convert


class Form(NamedTuple):
    """What the numbers of a line with this text are.

    Attributes:
        holes: Those with a meaning, in the line's order, and a progress bar's times behind them.
        counts: The numbers that must be whole.
        others: Those that must not be.
        words: The words up to the first figure.
        evaluates: Whether any word of the line is one of an evaluation.
        bar: The words in front of a progress bar; None in a line without one.
    """

    holes: tuple[Hole, ...] = ()
    counts: tuple[int, ...] = ()
    others: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    evaluates: bool = False
    bar: tuple[str, ...] | None = None

    def values(self, numbers: Sequence[str]) -> list[float | None] | None:
        """The value of each hole, None where it is not valid, and a last None.

        Returns:
            None for a line of another form.
        """
        for at in self.counts:
            if not is_count(numbers[at]):
                return None
        for at in self.others:
            if is_count(numbers[at]):
                return None
        return [*(hole.value(numbers) for hole in self.holes), None]


def cut(text: str, *, grouped: bool = True) -> list[str]:
    """The text and the numbers of a line in turn, text first and last; drawn bars are left out.

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


def has_number(text: str) -> bool:
    """Whether a line may have a number."""
    return _DIGIT.search(text) is not None or any(word in text for word in _NOT_FINITE_WORDS)


def hole(number: str, *, grouped: bool) -> str:
    """The expression of the numbers that may take the place of this one.

    Each has a value that a double can hold, and no further part of a number behind it.
    """
    if number[-1] in "nNfF":
        return _NOT_FINITE
    return f"(?>{_SHORT}{_NO_GROUP}|{_GROUPED})" if grouped else _SHORT


def expression(
    text: str, counts: Collection[int], wanted: Collection[int], converted: Collection[int] = ()
) -> str | None:
    """The expression of lines with this line's text and other numbers, a group for each wanted.

    Args:
        text: The line.
        counts: Which of its numbers must be whole.
        wanted: Which of them get a group.
        converted: The groups that are passed to `float`, and the line is another's where it fails.

    Returns:
        An expression of whole lines that are cut as this one is; None where there is none.
    """
    parts = cut(text)
    out = [re.escape(parts[0])]
    around = zip(parts[:-2:2], parts[1::2], parts[2::2], strict=True)
    for at, (before, number, after) in enumerate(around):
        one = _COUNT if at in counts else hole(number, grouped="," in number)
        if one == _SHORT and at in converted and not after.startswith(_OF_NUMBERS):
            one = _CONVERTED
        if after == ",":
            one += _NO_GROUP
        out += [_blanks(before, at), f"({one})" if at in wanted else one, re.escape(after)]
    if DRAWN_BAR in text:
        begin, end = drawn(text)
        if begin == end:
            return None  # with other numbers it might be drawn
        bar = re.escape(DRAWN_BAR)
        place = next(at for at, part in enumerate(out) if bar in part)
        out[place] = out[place].replace(bar, rf"{bar}[^|]*+(?={_STEPS.pattern})", 1)
    return "".join(out) + r"\Z"


def _blanks(before: str, at: int) -> str:
    """The expression of the blanks behind a text after which a number begins; see `_BEHIND`."""
    if before.lower().endswith("epoch"):
        named = _NAMED.search(before if at else f" {before}") is not None
        return " *+" if named else f" *+{_BEHIND}"
    if before.endswith("op"):
        return " ++(?<![Tt]op )"
    return " ++" if _GLUED.search(before) or (at and not before) else " *+"


def drawn(text: str) -> tuple[int, int]:
    """Where the drawing of a progress bar begins and ends: `50%|████    | 10/20`."""
    begin = text.index(DRAWN_BAR) + len(DRAWN_BAR)
    end = text.find("|", begin)
    return (begin, end) if end >= 0 and _STEPS.match(text, end) else (begin, begin)


def is_count(number: str) -> bool:
    """Whether it is a whole number that an epoch or a step may have."""
    digits = number.lstrip(" ")
    return digits.isdecimal() and len(digits) <= _LONGEST_COUNT


def metrics_at(figures: Iterable[tuple[int, Metric]], numbers: Numbers) -> tuple[Metric, ...]:
    """Metrics with the numbers at their places, without those that have none."""
    return tuple(
        [
            _new(Metric, (name, numbers[place], unit, higher))
            for place, (name, _, unit, higher) in figures
            if numbers[place] is not None
        ]
    )
