"""The form of a line: its text around the numbers, which says what each of them is.

A log prints few forms again and again. What the numbers of a form are is worked out once, from the
text between them and from which of them are whole; a line of a known form is only cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sixdim.parsers.events import Metric
from sixdim.parsers.grammar.names import Named
from sixdim.parsers.text.patterns import pattern

_NUMBER = (
    r"[-+]?(?:\d{1,3}(?:,\d{3})++(?![\d,])(?:\.\d++)?|\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?"
)
_BEHIND = r"(?:(?<![\w.%@-])|(?<=\b(?i:epoch)))(?<![Tt]op )"
"""Behind a letter a digit is no number but that of `epoch12`, nor is the one of `top 5 acc`."""
_CUT = pattern(rf"( *+(?=[-+.\d]){_BEHIND}{_NUMBER})")
"""A number with the blanks in front of it."""
_CUT_ODD = pattern(rf"( *+(?=[-+.\dnNiI]){_BEHIND}(?:{_NUMBER}|[-+]?(?i:nan|inf)(?![\w.])))")
"""The same, and what is no number."""
_ODD = ("nan", "inf", "NaN", "Inf")
DRAWN_BAR = "%|"
"""What stands in front of the drawing of a progress bar."""
_STEPS = pattern(r"\| {0,8}+\d{1,12}+/\d")
_LONGEST = 4_000
_LONGEST_NUMBER = 40
_LONGEST_COUNT = 12


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


class Form(NamedTuple):
    """What the numbers of a line with this text are.

    Attributes:
        holes: Those with a meaning, in the line's order.
        counts: Further numbers that must be whole.
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


def cut(text: str) -> list[str]:
    """A line as its text and its numbers in turn, from text to text; drawn bars are left out."""
    text = text[:_LONGEST]
    if DRAWN_BAR in text:
        begin, end = drawn(text)
        text = text[:begin] + text[end:]
    for odd in _ODD:
        if odd in text:
            return _CUT_ODD.split(text)
    return _CUT.split(text)


def drawn(text: str) -> tuple[int, int]:
    """Where the drawing of a progress bar begins and ends: `50%|████    | 10/20`."""
    begin = text.index(DRAWN_BAR) + len(DRAWN_BAR)
    end = text.find("|", begin)
    return (begin, end) if end >= 0 and _STEPS.match(text, end) else (begin, begin)


def values(form: Form, numbers: Sequence[str]) -> list[float | None] | None:
    """The value of each hole, None for one that cannot be; None for a line of another form."""
    for at in form.counts:
        if count(numbers[at]) is None:
            return None
    for at in form.others:
        if count(numbers[at]) is not None:
            return None
    out: list[float | None] = []
    for at, named, of_all, counts in form.holes:
        raw = numbers[at]
        if counts:
            value: float | None = count(raw)
            if value is None:
                return None
        elif of_all >= 0:
            part, whole = float(raw), float(numbers[of_all])
            value = 100 * part / whole if part <= whole and whole else None
        elif len(raw) > _LONGEST_NUMBER:
            value = None
        else:
            try:
                value = float(raw) * named.scale
            except ValueError:
                value = float(raw.replace(",", "")) * named.scale
            if not value and named.role == "rate":
                value = None
        out.append(value)
    return out


def count(number: str) -> int | None:
    """A whole number that an epoch or a step may have; None for another."""
    digits = number.lstrip(" ")
    return int(digits) if digits.isdecimal() and len(digits) <= _LONGEST_COUNT else None


def count_at(numbers: Sequence[float | None], place: int | None) -> int | None:
    """The whole number at a place; None where there is none."""
    value = None if place is None else numbers[place]
    return None if value is None else int(value)


def metrics_at(
    figures: Iterable[tuple[int, Metric]], numbers: Sequence[float | None]
) -> tuple[Metric, ...]:
    """Metrics with the numbers at their places, without those that have none."""
    out = []
    for place, (name, _, unit, higher) in figures:
        value = numbers[place]
        if value is not None:
            out.append(Metric(name, value, unit, higher))
    return tuple(out)
