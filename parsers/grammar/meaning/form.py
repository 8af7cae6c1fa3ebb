"""Forms of lines: the text around the numbers, by which the meaning of each number is known.

A log prints few forms again and again. The meaning of the numbers is worked out once for each form,
from the text between them and from which of them are whole; further lines are only cut.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from sixdim.parsers.grammar.shapes.convert import function
from sixdim.parsers.grammar.vocabulary.forms import is_count
from sixdim.parsers.grammar.vocabulary.names import Named

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
    def converted(self) -> str:
        """The Python expression of the value of a number `t` that is a text without groups."""
        named = self.named
        scaled = "float(t)" if named.scale == 1 else f"float(t) * {named.scale!r}"
        if self.counts:
            rounded = f"round(v) if 0 <= (v := {scaled}) < 1e12 else None"
            return rounded if named.unit else "int(t)"  # `12.8kit` is rounded to thousands
        if named.inverse:
            return f"1 / ({scaled}) if float(t) > 0 else None"
        return f"{scaled} or None" if named.role == "rate" else scaled

    def value(self, numbers: Sequence[str]) -> float | None:
        """The value in a line with these numbers; None where it cannot be valid."""
        raw = numbers[self.at]
        if self.of_all >= 0:
            return share(raw, numbers[self.of_all])
        return None if len(raw) > _LONGEST_NUMBER else _converter(self.converted)(raw)


@lru_cache(1024)
def _converter(converted: str) -> Callable[[str], float | None]:
    """The function that converts a number, whose digits may be in groups."""
    convert: Callable[[str], float | None] = function(
        "(t)", ["t = t.replace(',', '')", f"return {converted}"], {}
    )
    return convert


def share(part: str, whole: str) -> float | None:
    """The first of two numbers in percent of the second; None where it is more."""
    some, of_all = float(part), float(whole)
    return 100 * some / of_all if some <= of_all and of_all else None


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
