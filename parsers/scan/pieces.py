"""What a template is made of: the kinds of things that stand in a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from parsers.holes import moment


@dataclass(frozen=True, slots=True)
class Literal:
    """Fixed text."""

    text: bytes


@dataclass(frozen=True, slots=True)
class Number:
    """Digits, with at most one point where it is a float.

    Attributes:
        name: Hole whose value is kept; empty where the number is only looked at, and may have
            a sign.
        whole: Whether a point is not allowed.
        padded: Whether blanks may stand before it.
        power: The letter before an exponent of a sign and two digits; empty without one.
        strict: Whether it is written as in JSON: no leading zero, no bare point, no plus.
    """

    name: str
    whole: bool
    padded: bool
    power: bytes = b""
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Digits:
    """So many digits.

    Attributes:
        count: How many.
        name: Name under which they are kept; empty where nobody reads them.
    """

    count: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Blanks:
    """One blank or more."""


@dataclass(frozen=True, slots=True)
class Word:
    """A run of printable, non-blank characters that nobody reads."""


@dataclass(frozen=True, slots=True)
class Bar:
    """What a progress bar is drawn with, or nothing: blanks, digits, signs from `!` to `?`.

    The characters of `parsers.scan.glyphs` count as such signs. What stands behind a bar must
    begin with another character.
    """


@dataclass(frozen=True, slots=True)
class Clock:
    """A date, `hh:mm:ss`, and digits of a second.

    Attributes:
        date: How the date is written: `Y-M-D `, with y for a year of two digits; without a year
            it is 1972, as in `parsers.prefix`.
        point: Separator before the fraction; empty where there is none.
        places: Digits of the fraction.
    """

    date: str
    point: str
    places: int

    @property
    def face(self) -> str:
        """The clock with a 0 for every digit."""
        date = self.date.replace("Y", "0000")
        for part in "yMD":
            date = date.replace(part, "00")
        return date + "00:00:00" + self.point + "0" * self.places

    def parts(self) -> dict[str, int]:
        """Where each part of the date begins, and under `h` where the time of day does."""
        found, at = {}, 0
        for char in self.date:
            found[char] = at
            at += {"Y": 4, "y": 2, "M": 2, "D": 2}.get(char, 1)
        return {**{char: begin for char, begin in found.items() if char in "YyMD"}, "h": at}

    def read(self, text: str) -> int:
        """Microseconds since 1970.

        Raises:
            ValueError: There is no such day or time.
        """
        at = self.parts()
        year = "1972"
        if "Y" in at:
            year = text[at["Y"] : at["Y"] + 4]
        elif "y" in at:
            year = "20" + text[at["y"] : at["y"] + 2]
        month, day = (text[at[part] : at[part] + 2] for part in "MD")
        return moment(f"{year}-{month}-{day} {text[at['h'] :]}")


@dataclass(frozen=True, slots=True)
class End:
    """The end of the line."""


Piece: TypeAlias = Literal | Number | Digits | Blanks | Word | Bar | Clock | End
