"""Forms of lines: the text around the numbers, which tells the meaning of each number.

A log repeats a few forms. The meaning of the numbers is worked out once for each form, from the
text between them and from which numbers are whole; further lines are only cut at their numbers.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from sixdim.parsers.grammar.shapes.convert import function
from sixdim.parsers.grammar.vocabulary.forms import is_count
from sixdim.parsers.grammar.vocabulary.named import Named
from sixdim.parsers.grammar.vocabulary.units import LEAST_WHOLE, SECONDS

OF_DATA = frozenset({"loss", "quality", "series"})
"""Roles of the figures of a training or an evaluation."""
COUNTS = frozenset({"epoch", "epochs", "step", "steps", "part", "parts"})
"""Roles of whole numbers."""
_TIMES = frozenset({"epoch time", "train time", "train epoch", "time", "in"})
_LEAST_IN_UNITS = 20
"""A time in minutes or hours of fewer units of its last digit is uncertain by more than 2.5 %, as
20 whole seconds are."""
_LONGEST_NUMBER = 50


class Hole(NamedTuple):
    """A number of a form that has a meaning.

    Attributes:
        at: Index of the number in the line.
        named: Its meaning; the value is not set.
        of_all: For a share in percent, the index of the number that it is divided by; else -1.
        counts: Whether it is a whole number.
    """

    at: int
    named: Named
    of_all: int = -1
    counts: bool = False

    @property
    def converted(self) -> str:
        """The Python expression that converts `t`, a number as text without digit groups."""
        named = self.named
        scaled = "float(t)" if named.scale == 1 else f"float(t) * {named.scale!r}"
        if self.counts:
            rounded = f"round(v) if 0 <= (v := {scaled}) < 1e12 else None"
            return rounded if named.unit else "int(t)"  # `12.8kit` is rounded to thousands
        if named.role == "duration":
            return f"{scaled} if '.' in t or float(t) >= {LEAST_WHOLE} else None"  # `3s/step`
        if named.scale >= SECONDS["m"] and named.role in _TIMES:
            # `0.03 min` may be a sixth more, or less
            return f"{scaled} if float(t.replace('.', '')) >= {_LEAST_IN_UNITS} else None"
        if named.inverse:
            return f"1 / ({scaled}) if float(t) > 0 else None"
        return f"{scaled} or None" if named.role == "rate" else scaled

    def value(self, numbers: Sequence[str]) -> float | None:
        """Returns the value in a line with these numbers; None if it cannot be valid."""
        raw = numbers[self.at]
        if self.of_all >= 0:
            return share(raw, numbers[self.of_all])
        return None if len(raw) > _LONGEST_NUMBER else _converter(self.converted)(raw)


@lru_cache(1024)
def _converter(converted: str) -> Callable[[str], float | None]:
    """Makes the function that converts a number, whose digits may be in groups."""
    convert: Callable[[str], float | None] = function(
        "(t)", ["t = t.replace(',', '')", f"return {converted}"], {}
    )
    return convert


def share(part: str, whole: str) -> float | None:
    """Returns `part` in percent of `whole`; None if it is more than that, or `whole` is 0."""
    some, of_all = float(part), float(whole)
    return 100 * some / of_all if some <= of_all and of_all else None


class Form(NamedTuple):
    """The meaning of the numbers in lines with the same text.

    Attributes:
        holes: The numbers with a meaning, in the line's order; a progress bar's times come last.
        counts: Indices of the numbers that must be whole.
        others: Indices of the numbers that must not be whole.
        words: The words up to the first figure.
        evaluates: Whether any word of the line is one of an evaluation; in a line without counts,
            also one of an inference.
        bar: The words in front of a progress bar; None in a line without one.
    """

    holes: tuple[Hole, ...] = ()
    counts: tuple[int, ...] = ()
    others: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    evaluates: bool = False
    bar: tuple[str, ...] | None = None

    def values(self, numbers: Sequence[str]) -> list[float | None] | None:
        """Returns the value of each hole, None for an invalid one, and one None at the end.

        Returns:
            None if the line has another form.
        """
        for at in self.counts:
            if not is_count(numbers[at]):
                return None
        for at in self.others:
            if is_count(numbers[at]):
                return None
        return [*(hole.value(numbers) for hole in self.holes), None]
