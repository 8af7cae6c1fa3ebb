"""The form of a line: its text besides digits, and the meaning of its numbers.

Lines of one form have the same text between their numbers. A number is a run of digits, or two with
a point between; how many digits a run has may differ from line to line.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import chain
from math import inf
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from sixdim.parsers.events import Iteration, Origin

_new = tuple.__new__  # in half the time of `Iteration._make`
Field: TypeAlias = str | int
"""The name of a field of a progress line, or the place of a figure among its further ones."""


class DigitRun(NamedTuple):
    """A run of digits.

    Attributes:
        least: Fewest digits.
        most: Most digits.
        blanks: Most blanks in front of it, besides those of the text before.
        below: The number must be less than this; 0 for any number.
        zero: Whether it may begin with a needless 0.
    """

    least: int
    most: int
    blanks: int = 0
    below: int = 0
    zero: bool = True


class NumberRuns(NamedTuple):
    """A number: its digits, and those after its point.

    Attributes:
        whole: Place of the run among the form's.
        fraction: Place of the run after the point; -1 without one.
    """

    whole: int
    fraction: int = -1


class Meaning(NamedTuple):
    """How a field of an event follows from a number x: x, x / 1000, over / x, over / (x / 1000).

    Attributes:
        number: The number.
        milli: Whether it is divided by 1000.
        over: The dividend; 0 for no division.
        is_int: Whether the field is an integer.
    """

    number: NumberRuns
    milli: bool = False
    over: int = 0
    is_int: bool = False

    def of(self, text: str) -> float:
        """Returns the field for the text of the number; infinite for a division by 0."""
        if self.is_int:
            return int(text)
        value = float(text) / 1000 if self.milli else float(text)
        if not self.over:
            return value
        return self.over / value if value else inf


class RowForm:
    """The form of lines that differ in their digits alone.

    Args:
        literals: The text before, between and after the runs of digits, with the newline.
        runs: The runs of digits.
        meanings: The fields of the lines' event that are numbers of the line.
        clock: The microseconds of one unit of each run of the event's time.
        same: Runs that do not change among lines that are read together: dates.
        event: The event of one line, which gives all other fields.
        clock_us: Microseconds to add to the clock's runs, without whole days.

    Attributes:
        needed: Runs whose numbers are needed.
        least: The bytes of the shortest line.
    """

    def __init__(
        self,
        literals: list[bytes],
        runs: list[DigitRun],
        meanings: Mapping[Field, Meaning],
        clock: Mapping[int, int],
        same: list[int],
        event: Iteration,
        clock_us: int = 0,
    ) -> None:
        self.literals = literals
        self.runs = runs
        self.meanings = dict(meanings)
        self.clock = dict(clock)
        self.same = same
        self.event = event
        self.clock_us = clock_us
        meant = chain.from_iterable(meaning.number for meaning in meanings.values())
        limited = [place for place, run in enumerate(runs) if run.below]
        self.needed = {*meant, *clock, *same, *limited} - {-1}
        self.least = sum(map(len, literals)) + sum(run.least for run in runs)
        names = Iteration._fields
        order = [*range(len(names))]
        for place, field in enumerate(meanings, len(names)):
            if isinstance(field, str):
                order[names.index(field)] = place
        self._fields = itemgetter(*order)  # of an event's fields, and the figures after them
        self._plain = all(isinstance(field, str) for field in meanings)
        spelt = [rb" {0,%d}(\d{%d,%d})" % (run.blanks, run.least, run.most) for run in runs]
        pieces = [re.escape(literal) for literal in literals]
        self.expression = re.compile(b"".join(chain(*zip(pieces, [*spelt, b""], strict=True))))
        # Lines that are read together have the same kind.
        blank = with_figures(event._replace(at=Origin(0, 0)), dict.fromkeys(meanings, 0))
        self.kind = blank, frozenset(meanings), bool(clock)

    def read(self, line: bytes) -> Sequence[bytes] | None:
        """Returns the runs of digits of a line with its newline; None if it has another form."""
        found = self.expression.fullmatch(line)
        if found is None:
            return None
        texts = found.groups()
        for run, text in zip(self.runs, texts, strict=True):
            if (run.below and int(text) >= run.below) or (
                not run.zero and len(text) > 1 and text.startswith(b"0")
            ):
                return None
        return texts

    def figure(self, field: Field, texts: Sequence[bytes]) -> float:
        """Returns a field of a line from its runs of digits."""
        meaning = self.meanings[field]
        whole, fraction = meaning.number
        text = texts[whole] if fraction < 0 else texts[whole] + b"." + texts[fraction]
        return meaning.of(text.decode("ascii"))

    def event_with(self, at: Origin, figures: Sequence[float]) -> Iteration:
        """Returns the event of a line from its fields in the order of the meanings."""
        if not self._plain:
            said = dict(zip(self.meanings, figures, strict=True))
            return with_figures(self.event._replace(at=at), said)
        return _new(Iteration, self._fields((at, *self.event[1:], *figures)))


def with_figures(event: Iteration, figures: Mapping[Field, float]) -> Iteration:
    """Returns a progress line with other figures."""
    fields = {field: figure for field, figure in figures.items() if isinstance(field, str)}
    if len(fields) < len(figures):
        fields["values"] = tuple(  # type: ignore[assignment]  # each field is of its own type
            one._replace(value=figures.get(place, one.value))
            for place, one in enumerate(event.values)
        )
    return event._replace(**fields)  # type: ignore[arg-type]  # as above
